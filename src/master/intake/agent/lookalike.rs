//! If no file has the right name, finds one that was probably meant to be the program.

use std::fs;
use std::path::Path;

/// A file that was probably meant to be the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lookalike {
    /// Its name.
    pub file: String,
    /// Advice on turning it into a program that can play.
    pub help: String,
}

/// Program names allowed in any game.
const PROGRAMS: [&str; 4] = ["homework", "loa", "loa6", "run.sh"];
/// Other common names of programs, with or without an extension.
const USUAL: [&str; 7] = ["homework", "run", "main", "agent", "player", "loa", "loa6"];

/// Finds the file in a folder that most resembles a program; `names` are the allowed program names.
pub(crate) fn lookalike(folder: &Path, names: &[&str]) -> Option<Lookalike> {
    let entries = fs::read_dir(folder).ok()?.filter_map(Result::ok).filter(|entry| entry.path().is_file());
    let mut files: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    files.sort();
    let meant = files.iter().filter_map(|file| Some((place(file, names)?, file))).min()?;
    let file = meant.1.clone();
    let help = help(&file, names);
    Some(Lookalike { file, help })
}

/// Rank of a file name by its resemblance to a program's name, 0 for the closest; `None` if it resembles none.
fn place(file: &str, names: &[&str]) -> Option<usize> {
    let lower = file.to_lowercase();
    let (stem, extension) = lower.split_once('.').unwrap_or((&lower, ""));
    let rank = USUAL.iter().position(|&usual| usual == stem);
    if names.contains(&lower.as_str()) {
        Some(0)
    } else if PROGRAMS.contains(&file) {
        Some(1)
    } else if extension.is_empty() || is_runnable(extension) {
        rank.map(|rank| 2 + rank)
    } else if ["java", "c", "cc", "cpp", "rs"].contains(&extension) {
        rank.map(|rank| 20 + rank)
    } else {
        None
    }
}

fn is_runnable(extension: &str) -> bool {
    ["py", "class", "jar", "js", "sh", "out", "exe"].contains(&extension)
}

fn help(file: &str, names: &[&str]) -> String {
    let wanted = names[0];
    let (stem, extension) = file.split_once('.').unwrap_or((file, ""));
    let script = |line: String| format!("add a run.sh with the line `exec {line}`");
    if let Some(name) = names.iter().find(|&&name| name == file.to_lowercase()) {
        return format!("mv {file} {name}");
    }
    match extension.to_lowercase().as_str() {
        "" if PROGRAMS.contains(&file) => format!("it plays another game (see --league), or mv {file} {wanted}"),
        ending @ ("py" | "js" | "java" | "c" | "cpp" | "rs") => format!("mv {file} {wanted}.{ending}"),
        "class" => script(format!("java {stem}")),
        "jar" => script(format!("java -jar {file}")),
        "sh" => format!("mv {file} run.sh"),
        "" | "out" | "exe" => format!("mv {file} {wanted}"),
        _ => format!("compile it to {wanted}, or hand in a run.sh that runs the compiled program"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_that_was_meant_is_named_with_help() {
        for (files, expected) in [
            (&["Homework"][..], Some(("Homework", "mv Homework homework"))),
            (&["Run.sh", "notes.txt"], Some(("Run.sh", "mv Run.sh run.sh"))),
            (&["loa6", "main.py"], Some(("loa6", "it plays another game (see --league), or mv loa6 homework"))),
            (
                &["Homework.class", "Homework.java"],
                Some(("Homework.class", "add a run.sh with the line `exec java Homework`")),
            ),
            (&["board.py", "Main.py"], Some(("Main.py", "mv Main.py homework.py"))),
            (&["main"], Some(("main", "mv main homework"))),
            (&["run"], Some(("run", "mv run homework"))),
            (
                &["homework.cc"],
                Some(("homework.cc", "compile it to homework, or hand in a run.sh that runs the compiled program")),
            ),
            (&["notes.txt", "board.c"], None),
        ] {
            let folder = tempfile::tempdir().unwrap();
            files.iter().for_each(|file| fs::write(folder.path().join(file), "").unwrap());
            let found = lookalike(folder.path(), &["homework", "run.sh"]);
            let found = found.as_ref().map(|found| (&*found.file, &*found.help));
            assert_eq!(found, expected, "{files:?}");
        }
    }
}
