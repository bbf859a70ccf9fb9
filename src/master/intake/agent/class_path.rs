//! Class path of Java agents: jars of the course, which each agent gets beside its own classes.

use std::fs::{self, File, Permissions};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

/// Folder of the jars, inside the agent's. Nothing that was handed in stays in it.
const FOLDER: &str = ".class-path";
/// First bytes of a jar, which is a zip.
const JAR: &[u8; 2] = b"PK";

/// Checks that these files are jars.
pub(crate) fn check(jars: &[PathBuf]) -> Result<()> {
    for path in jars {
        let about = || format!("cannot read {}", path.display());
        ensure!(!path.is_dir(), "{} is a folder, expected a jar", path.display());
        let mut start = [0; JAR.len()];
        let read = File::open(path).with_context(about)?.read(&mut start).with_context(about)?;
        ensure!(start[..read] == *JAR, "{} is no jar, which is a zip of classes", path.display());
    }
    Ok(())
}

/// Adds as many jars to a command of `java` or `javac`: to its class path if it has one, which is the folder otherwise.
pub(super) fn add_to(command: &mut Vec<String>, jars: usize) {
    let runs_java = command.first().is_some_and(|program| ["java", "javac"].contains(&program.as_str()));
    if !runs_java || jars == 0 {
        return;
    }
    let options = ["-cp", "-classpath", "--class-path"];
    let own = command.iter().position(|word| options.contains(&word.as_str())).map(|place| place + 1);
    let own = own.filter(|&place| place < command.len()).unwrap_or_else(|| {
        command.splice(1..1, ["-cp".to_owned(), ".".to_owned()]);
        2
    });
    (1..=jars).for_each(|number| command[own] += &format!(":{FOLDER}/{number}.jar"));
}

pub(in crate::intake) fn is_used_by(command: &[String]) -> bool {
    command.iter().any(|word| word.contains(&format!(":{FOLDER}/")))
}

/// Copies the jars into an agent's folder, for anyone to read.
pub(in crate::intake) fn copy_into(folder: &Path, jars: &[PathBuf]) -> io::Result<()> {
    let place = folder.join(FOLDER);
    match fs::symlink_metadata(&place) {
        Ok(about) if about.is_dir() => fs::remove_dir_all(&place)?,
        Ok(_) => fs::remove_file(&place)?,
        Err(_) => {}
    }
    fs::create_dir(&place)?;
    fs::set_permissions(&place, Permissions::from_mode(0o755))?;
    for (number, jar) in (1..).zip(jars) {
        let copied = place.join(format!("{number}.jar"));
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", jar.display()));
        fs::copy(jar, &copied).map_err(named)?;
        fs::set_permissions(&copied, Permissions::from_mode(0o644))?;
    }
    Ok(())
}
