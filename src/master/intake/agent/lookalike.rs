//! If no file has the right name, finds the one that was meant to be the program.

use std::fs;
use std::path::Path;

use super::Language;
use crate::intake::archive;

/// A folder without a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoProgram {
    /// File names of which one was expected, in words.
    pub expected: String,
    /// Files that may have been meant, the most likely one first.
    pub found: Vec<String>,
    /// Advice on turning the first of them into a program that can play.
    pub help: Option<String>,
}

/// A source file that must be the program although it has another name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Misnamed<'a> {
    pub(crate) file: String,
    /// The program's name.
    pub(crate) name: &'a str,
    pub(crate) language: &'a Language,
}

/// Program names allowed in any game.
const PROGRAMS: [&str; 4] = ["homework", "loa", "loa6", "run.sh"];
/// Other common names of programs, with or without an extension.
const USUAL: [&str; 7] = ["homework", "run", "main", "agent", "player", "loa", "loa6"];

/// Longest list of files in a message.
const MOST_SHOWN: usize = 5;

/// Finds the source file that must be the program: the only one that has a program's name apart from what browsers,
/// editors and course systems add to it, or the only one at all.
pub(crate) fn misnamed<'a>(folder: &Path, names: &[&'a str], languages: &'a [Language]) -> Option<Misnamed<'a>> {
    let files = files(folder);
    let sources = sources(&files, languages);
    let rows = || languages.iter().filter(|language| !language.is_recipe());
    let close = |(file, cleaned): &(&String, String)| {
        names.iter().find_map(|&name| {
            let language = rows().find(|language| language.file_of(name) == *cleaned)?;
            Some(Misnamed { file: (*file).clone(), name, language })
        })
    };
    let mut all_close = sources.iter().filter_map(close);
    if let Some(first) = all_close.next() {
        return all_close.next().is_none().then_some(first);
    }
    let [(file, cleaned)] = &sources[..] else { return None };
    let is_other = |other: &&String| other != file && place(other, names).is_some();
    let (_, extension) = cleaned.rsplit_once('.')?;
    let language = rows().find(|language| language.extension() == Some(extension))?;
    (!files.iter().any(|other| is_other(&other))).then(|| Misnamed { file: (*file).clone(), name: names[0], language })
}

/// Describes a folder without a program; `names` are the allowed program names.
pub(crate) fn no_program(folder: &Path, names: &[&str], languages: &[Language]) -> NoProgram {
    let files = files(folder);
    let mut meant: Vec<_> = files.iter().filter_map(|file| Some((place(file, names)?, file))).collect();
    meant.sort();
    let meant = meant.first().map(|&(_, file)| file);
    let sources = sources(&files, languages);
    let others = sources.iter().map(|&(file, _)| file).filter(|&file| Some(file) != meant);
    let mut found: Vec<String> = meant.into_iter().chain(others).cloned().collect();
    let more = found.len().saturating_sub(MOST_SHOWN);
    found.truncate(MOST_SHOWN);
    if more > 0 {
        found.push(format!("and {more} more"));
    }
    let mut expected: Vec<String> = Vec::new();
    for extension in sources.iter().filter_map(|(_, cleaned)| Some(cleaned.rsplit_once('.')?.1)) {
        let wanted = format!("{}.{extension}", names[0]);
        if !expected.contains(&wanted) {
            expected.push(wanted);
        }
    }
    if expected.is_empty() {
        expected = names.iter().map(|&name| name.to_owned()).collect();
    }
    NoProgram { expected: expected.join(" or "), found, help: meant.map(|file| help(file, names)) }
}

/// Names of the regular files in a folder, sorted, without those that systems add.
fn files(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let entries = entries.filter_map(Result::ok).filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let names = entries.map(|entry| entry.file_name()).filter(|name| !archive::is_left_out(name));
    let mut files: Vec<String> = names.filter_map(|name| name.into_string().ok()).collect();
    files.retain(|file| !file.starts_with('.'));
    files.sort();
    files
}

/// The source files among these, each with its cleaned name.
fn sources<'a>(files: &'a [String], languages: &[Language]) -> Vec<(&'a String, String)> {
    files.iter().filter_map(|file| Some((file, cleaned(file, languages)?))).collect()
}

/// Returns the name of a source file in lower case, without what browsers, editors and course systems add: `homework.py`
/// for `Homework (1).py.txt`. `None` for other files and for `calibrate`.
pub(super) fn cleaned(file: &str, languages: &[Language]) -> Option<String> {
    let lower = file.to_lowercase();
    let whole = lower.strip_suffix(".txt").unwrap_or(&lower);
    let (stem, extension) = whole.rsplit_once('.')?;
    let extension = usual_extension(extension);
    languages.iter().find(|language| language.extension() == Some(extension))?;
    let mut stem = stem.trim();
    loop {
        let without_number = |stem: &'_ str| stem.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let in_brackets = stem.strip_suffix(')').and_then(|stem| stem[..without_number(stem)].strip_suffix('('));
        // Canvas appends such a number to a file that is handed in again.
        let after_dash = Some(without_number(stem)).filter(|&end| end < stem.len());
        let after_dash = after_dash.and_then(|end| stem[..end].strip_suffix('-'));
        let copied = ["copy", "copia", "kopie"].iter().find_map(|word| stem.strip_suffix(word));
        let copied = copied.and_then(|stem| stem.strip_suffix([' ', '-', '_']));
        let shorter = in_brackets.or(after_dash).or(copied).map(|stem| stem.trim_end_matches([' ', '-', '_']));
        match shorter {
            Some(shorter) if !shorter.is_empty() => stem = shorter,
            _ => break,
        }
    }
    (stem != "calibrate").then(|| format!("{stem}.{extension}"))
}

/// The extension that tables of languages have for this one.
fn usual_extension(extension: &str) -> &str {
    if ["cc", "cxx", "c++"].contains(&extension) { "cpp" } else { extension }
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
    } else if ["java", "c", "cpp", "rs"].contains(&usual_extension(extension)) {
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
    match usual_extension(&extension.to_lowercase()) {
        "" if PROGRAMS.contains(&file) => format!("it plays another game (see --league), or mv {file} {wanted}"),
        ending @ ("py" | "js" | "java" | "c" | "cpp" | "rs") => format!("mv {file} {wanted}.{ending}"),
        "class" => script(format!("java {stem}")),
        "jar" => script(format!("java -jar {file}")),
        "sh" => format!("mv {file} run.sh"),
        _ => format!("mv {file} {wanted}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder_of(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        files.iter().for_each(|file| fs::write(folder.path().join(file), "").unwrap());
        folder
    }

    #[test]
    fn the_file_that_was_meant_is_named_with_help() {
        let none = "homework or run.sh";
        for (files, expected, found, help) in [
            (&["Homework"][..], none, &["Homework"][..], Some("mv Homework homework")),
            (&["Run.sh", "notes.txt"], none, &["Run.sh"], Some("mv Run.sh run.sh")),
            (
                &["loa6", "main.py"],
                "homework.py",
                &["loa6", "main.py"],
                Some("it plays another game (see --league), or mv loa6 homework"),
            ),
            (&["Homework.class"], none, &["Homework.class"], Some("add a run.sh with the line `exec java Homework`")),
            (&["board.py", "Main.py"], "homework.py", &["Main.py", "board.py"], Some("mv Main.py homework.py")),
            (&["main"], none, &["main"], Some("mv main homework")),
            (&["run"], none, &["run"], Some("mv run homework")),
            (&["homework.f90"], none, &[], None),
            (&["main.cc", "a.cc"], "homework.cpp", &["main.cc", "a.cc"], Some("mv main.cc homework.cpp")),
            (&["a.py", "b.java", "calibrate.py"], "homework.py or homework.java", &["a.py", "b.java"], None),
            (
                &["1.py", "2.py", "3.py", "4.py", "5.py", "6.py"],
                "homework.py",
                &["1.py", "2.py", "3.py", "4.py", "5.py", "and 1 more"],
                None,
            ),
            (&["notes.txt"], none, &[], None),
        ] {
            let told = no_program(folder_of(files).path(), &["homework", "run.sh"], &Language::usual());
            let found: Vec<String> = found.iter().map(|&file| file.to_owned()).collect();
            assert_eq!(
                told,
                NoProgram { expected: expected.to_owned(), found, help: help.map(str::to_owned) },
                "{files:?}"
            );
        }
    }

    #[test]
    fn a_file_with_another_name_is_the_program_where_that_is_certain() {
        let languages = Language::usual();
        for (files, expected) in [
            (&["homework (1).py"][..], Some(("homework (1).py", "homework.py"))),
            (&["homework(12).py", "board.py"], Some(("homework(12).py", "homework.py"))),
            (&["homework-12.py", "board-2.py"], Some(("homework-12.py", "homework.py"))),
            (&["Homework.py", "moves.py"], Some(("Homework.py", "homework.py"))),
            (&["homework.py.txt", "notes.txt"], Some(("homework.py.txt", "homework.py"))),
            (&["Homework11 - Copy (2).CPP"], Some(("Homework11 - Copy (2).CPP", "homework11.cpp"))),
            (&["checkers.py", "README.md", "calibrate.py"], Some(("checkers.py", "homework.py"))),
            (&["hw2_Checkers.java", ".hidden.py", "._a.c"], Some(("hw2_Checkers.java", "homework.java"))),
            // Two that might be meant, or none.
            (&["homework (1).py", "homework (2).py"], None),
            (&["checkers.py", "board.py"], None),
            (&["helper.py", "main.jar"], None),
            (&["homework.txt"], None),
            (&["calibrate.py"], None),
            (&["homework.cc"], Some(("homework.cc", "homework.cpp"))),
            (&["homework.cc", "homework.cpp.txt"], None),
        ] {
            let folder = folder_of(files);
            let found = misnamed(folder.path(), &["homework"], &languages);
            let found = found.map(|found| (found.file, found.language.file_of(found.name)));
            assert_eq!(found, expected.map(|(file, wanted)| (file.to_owned(), wanted.to_owned())), "{files:?}");
        }
    }
}
