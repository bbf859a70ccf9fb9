//! What in a folder is run, and which folders are agents?

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::lookalike::lookalike;
use super::script::{self, RunBy};
use super::{Agent, FoundAgents, Refused, Trouble, hash};
use crate::master::league::GameKind;
use crate::terminal::is_deceptive;

/// Run by the shell if it is not executable.
const SCRIPT: &str = "run.sh";
/// Run once before an agent's first game.
const CALIBRATE: &str = "calibrate";

/// What an agent's program may be called; the first that exists counts.
fn names(game: GameKind) -> Vec<&'static str> {
    match game {
        GameKind::Checkers => vec!["homework", SCRIPT],
        GameKind::Loa => vec!["loa", "homework", SCRIPT],
        GameKind::Loa6 => vec!["loa6", "homework", SCRIPT],
    }
}

/// The agents in these directories, a folder each. Hidden folders are skipped.
///
/// # Errors
/// A directory cannot be read.
pub fn agents_in(directories: &[PathBuf], game: GameKind) -> io::Result<FoundAgents> {
    let mut found = FoundAgents::default();
    let mut agents = Vec::new();
    for directory in directories {
        let unread = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", directory.display()));
        let entries = fs::read_dir(directory).and_then(Iterator::collect::<io::Result<Vec<_>>>).map_err(unread)?;
        for entry in entries {
            let path = entry.path();
            if entry.file_name().as_encoded_bytes().starts_with(b".") {
                continue;
            }
            match agent_at(&path, game) {
                _ if path.is_file() => found.ignored.push(path),
                Ok(agent) => agents.push((path, agent)),
                Err(refused) => found.refused.push(refused),
            }
        }
    }
    // Of two paths to a folder, the one that is not a link comes first, and is kept.
    agents.sort_by_cached_key(|(path, _)| (path.is_symlink(), path.clone()));
    let rivals: Vec<_> = (0..agents.len()).map(|place| rival(&agents, place)).collect();
    for ((path, agent), rival) in agents.into_iter().zip(rivals) {
        match rival {
            None => found.agents.push(agent),
            Some(why) => found.refused.push(Refused { path, why }),
        }
    }
    found.agents.sort_by(|a, b| a.name.cmp(&b.name));
    found.refused.sort_by(|a, b| a.path.cmp(&b.path));
    found.ignored.sort();
    Ok(found)
}

/// Why this agent cannot be distinguished from another: an earlier one has its folder, or any has its name.
fn rival(agents: &[(PathBuf, Agent)], place: usize) -> Option<Trouble> {
    let (_, agent) = &agents[place];
    let first = agents.iter().position(|(_, other)| other.folder == agent.folder)?;
    if first < place {
        return Some(Trouble::SameFolder(agents[first].0.clone()));
    }
    let name = agent.name.to_lowercase();
    let namesake = |(_, other): &&(PathBuf, Agent)| other.folder != agent.folder && other.name.to_lowercase() == name;
    agents.iter().find(namesake).map(|(path, _)| Trouble::SameName(path.clone()))
}

/// The agent in a folder, or a single executable file as an agent.
///
/// # Errors
/// It cannot play.
pub fn agent_at(path: &Path, game: GameKind) -> Result<Agent, Refused> {
    read(path, game).map_err(|why| Refused { path: path.to_owned(), why })
}

fn read(path: &Path, game: GameKind) -> Result<Agent, Trouble> {
    let folder = path.canonicalize().map_err(|error| Trouble::Unreadable(path.to_owned(), error))?;
    // The name as given, not that of a link's target.
    let named = std::path::absolute(path).ok().and_then(|path| path.file_name().map(ToOwned::to_owned));
    let name = named.or_else(|| folder.file_name().map(ToOwned::to_owned)).unwrap_or_default();
    let name = name.into_string().ok().filter(|name| !name.is_empty() && !name.contains(is_deceptive));
    let name = name.ok_or(Trouble::Name)?;
    let (program, arguments, calibrate) = if folder.is_dir() {
        let program = program(&folder, game)?;
        let calibrate = Some(folder.join(CALIBRATE)).filter(|path| fs::symlink_metadata(path).is_ok());
        let calibrate = calibrate.map(|path| executable(&folder, path)).transpose()?;
        match executable(&folder, program.clone()) {
            Err(Trouble::NotExecutable(script)) if script.ends_with(SCRIPT) => {
                runnable(&script, RunBy::Shell)?;
                (PathBuf::from("/bin/sh"), vec![script.into_os_string()], calibrate)
            }
            other => (other?, Vec::new(), calibrate),
        }
    } else {
        (executable(&folder, folder.clone())?, Vec::new(), None)
    };
    let hash = hash::hash(&folder)?;
    Ok(Agent { name, folder, program, arguments, calibrate, hash })
}

/// The program in a folder, executable or not.
fn program(folder: &Path, game: GameKind) -> Result<PathBuf, Trouble> {
    let names = names(game);
    let paths = names.iter().map(|name| folder.join(name));
    if let Some(program) = paths.into_iter().find(|path| fs::symlink_metadata(path).is_ok()) {
        return Ok(program);
    }
    match fs::read_dir(folder).map(|mut entries| entries.next().is_none()) {
        Ok(true) => Err(Trouble::Empty),
        Ok(false) => {
            let lookalike = lookalike(folder, &names);
            Err(Trouble::NoProgram(names, lookalike))
        }
        Err(error) => Err(Trouble::Unreadable(folder.to_owned(), error)),
    }
}

/// The path, if it is an executable regular file in the folder, or a link to one.
fn executable(folder: &Path, path: PathBuf) -> Result<PathBuf, Trouble> {
    let Ok(target) = path.canonicalize() else { return Err(Trouble::NotAProgram(path)) };
    match fs::metadata(&target) {
        Ok(about) if about.is_file() && target.starts_with(folder) => {
            if about.permissions().mode() & 0o111 == 0 {
                Err(Trouble::NotExecutable(path))
            } else {
                runnable(&target, RunBy::Itself)?;
                Ok(path)
            }
        }
        Ok(_) => Err(Trouble::NotAProgram(path)),
        Err(error) => Err(Trouble::Unreadable(path, error)),
    }
}

/// Refuses a script that cannot be run.
fn runnable(path: &Path, by: RunBy) -> Result<(), Trouble> {
    match script::trouble(path, by) {
        Ok(None) => Ok(()),
        Ok(Some(why)) => Err(why),
        Err(error) => Err(Trouble::Unreadable(path.to_owned(), error)),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use tempfile::TempDir;

    use super::*;

    struct Class(TempDir);

    impl Class {
        fn new() -> Class {
            Class(tempfile::tempdir().unwrap())
        }

        fn file(&self, path: &str, mode: u32) -> &Class {
            let path = self.0.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "#!/bin/sh\n").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            self
        }

        fn found(&self) -> FoundAgents {
            agents_in(&[self.0.path().to_owned()], GameKind::Checkers).unwrap()
        }

        fn names(&self) -> Vec<String> {
            self.found().agents.into_iter().map(|agent| agent.name).collect()
        }

        fn hash(&self) -> String {
            self.found().agents[0].hash.clone()
        }
    }

    #[test]
    fn an_agent_is_a_folder_with_a_program() {
        let class = Class::new();
        class.file("b/homework", 0o755).file("b/calibrate", 0o755).file("a/run.sh", 0o644).file("c/run.sh", 0o755);
        class.file("d/loa6", 0o755).file(".git/homework", 0o755).file("notes.txt", 0o644);
        let found = class.found();
        assert_eq!(class.names(), ["a", "b", "c"]);
        let top = class.0.path().canonicalize().unwrap();
        let programs = [PathBuf::from("/bin/sh"), top.join("b/homework"), top.join("c/run.sh")];
        assert_eq!(found.agents.iter().map(|agent| agent.program.clone()).collect::<Vec<_>>(), programs);
        assert_eq!(found.agents[0].arguments, [top.join("a/run.sh")]);
        assert_eq!(found.agents[1].calibrate, Some(top.join("b/calibrate")));
        assert!(matches!(found.refused[..], [Refused { why: Trouble::NoProgram(..), .. }]));
        assert_eq!(found.ignored, [class.0.path().join("notes.txt")]);
        assert_eq!(agent_at(&class.0.path().join("d"), GameKind::Loa6).unwrap().program, top.join("d/loa6"));
        let alone = agent_at(&class.0.path().join("b/homework"), GameKind::Checkers).unwrap();
        assert_eq!((alone.name.as_str(), alone.folder), ("homework", alone.program));
    }

    #[test]
    fn agents_that_cannot_play_are_refused_with_the_reason() {
        let class = Class::new();
        class.file("plain/homework", 0o644).file("kept/homework", 0o755);
        class.file("twice/homework", 0o755).file("Twice/homework", 0o755);
        let path = |name: &str| class.0.path().join(name);
        fs::create_dir(path("empty")).unwrap();
        fs::create_dir_all(path("folder/homework")).unwrap();
        fs::create_dir(path("out")).unwrap();
        for (name, text) in [
            ("crlf/homework", "#!/bin/sh\r\nexec ./a\r\n"),
            ("crlf2/run.sh", "exec ./a\r\n"),
            ("venv/homework", "#!/home/nobody/venv/bin/python\n"),
            ("python/homework.py", ""),
        ] {
            class.file(name, if name == "crlf2/run.sh" { 0o644 } else { 0o755 });
            fs::write(path(name), text).unwrap();
        }
        symlink("/bin/true", path("out/homework")).unwrap();
        symlink("nowhere", path("broken")).unwrap();
        symlink("kept", path("again")).unwrap();
        symlink("nowhere", path("kept/calibration.txt")).unwrap();
        assert_eq!(class.names(), ["kept"]);
        let refused: Vec<String> = class.found().refused.iter().map(ToString::to_string).collect();
        let expected = [
            ("Twice", "has the same name as"),
            ("again", "is the same as"),
            ("broken", "No such file"),
            ("crlf", "/crlf/homework has CRLF line ends, expected LF; the way out: sed -i 's/\\r$//' /"),
            ("crlf2", "/crlf2/run.sh has CRLF line ends"),
            ("empty", "an empty folder"),
            ("folder", "not a regular file"),
            ("out", "not a regular file in the agent's own folder"),
            ("plain", "/plain/homework is not executable; the way out: chmod +x /"),
            ("python", "there is homework.py, the way out: a run.sh with the line `exec python3 homework.py`"),
            ("twice", "has the same name as"),
            ("venv", "names /home/nobody/venv/bin/python, and there is no such program; the way out: `#!/usr/bin/env"),
        ];
        assert_eq!(refused.len(), expected.len(), "{refused:?}");
        for (text, (name, why)) in refused.iter().zip(expected) {
            assert!(text.starts_with(&format!("{}: ", path(name).display())) && text.contains(why), "{text}");
        }
        let missing = agents_in(&[path("missing")], GameKind::Loa).unwrap_err();
        assert!(missing.to_string().contains("missing"), "{missing}");
    }

    #[test]
    fn the_hash_changes_with_every_change_of_the_files() {
        let class = Class::new();
        class.file("a/homework", 0o755);
        let path = |name: &str| class.0.path().join("a").join(name);
        let mut seen = vec![class.hash()];
        assert_eq!(class.hash(), seen[0]);
        let mut changed = |what: &str| {
            let hash = class.hash();
            assert!(!seen.contains(&hash), "{what}");
            seen.push(hash);
        };
        fs::write(path("homework"), "#!/bin/sh\n#").unwrap();
        changed("contents");
        fs::set_permissions(path("homework"), fs::Permissions::from_mode(0o700)).unwrap();
        changed("mode");
        fs::create_dir(path("data")).unwrap();
        changed("an empty folder");
        fs::write(path("data/x"), "").unwrap();
        changed("an empty file");
        fs::rename(path("data/x"), path("data/y")).unwrap();
        changed("a name");
        symlink("y", path("data/x")).unwrap();
        changed("a link");
        fs::remove_file(path("data/x")).unwrap();
        symlink("z", path("data/x")).unwrap();
        changed("where a link leads");
    }
}
