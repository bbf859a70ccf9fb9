//! If no file has the right name, finds the one that was meant to be the program.

use std::sync::LazyLock;

use regex_lite::Regex;

use super::Language;
use super::language::named_source;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NoProgram {
    /// File names of which one was expected, in words.
    pub(crate) expected: String,
    /// Files that may have been meant, the most likely one first; if there are none, the other files.
    pub(crate) found: Vec<String>,
    /// Languages of the sources among all files.
    pub(crate) languages: Vec<&'static str>,
    /// Advice on turning the first of them into a program that can play.
    pub(crate) help: Option<String>,
}

/// A source file that must be the program although it has another name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Misnamed<'a> {
    pub(crate) file: String,
    pub(crate) name: &'a str,
    pub(crate) language: &'a Language,
}

/// Program names allowed in any game.
const PROGRAMS: [&str; 4] = ["homework", "loa", "loa6", "run.sh"];
/// Other common names of programs, with or without an extension.
const USUAL: [&str; 7] = ["homework", "run", "main", "agent", "player", "loa", "loa6"];

/// Languages in which agents may come, whether a league takes them or not.
const LANGUAGES: [(&str, &str); 19] = [
    ("py", "Python"),
    ("ipynb", "a Jupyter notebook"),
    ("java", "Java"),
    ("class", "Java, compiled"),
    ("jar", "Java, compiled"),
    ("cpp", "C++"),
    ("c", "C"),
    ("js", "JavaScript"),
    ("ts", "TypeScript"),
    ("rs", "Rust"),
    ("go", "Go"),
    ("kt", "Kotlin"),
    ("scala", "Scala"),
    ("cs", "C#"),
    ("hs", "Haskell"),
    ("rb", "Ruby"),
    ("ml", "OCaml"),
    ("swift", "Swift"),
    ("f90", "Fortran"),
];

/// A name with what systems add to a copy: `(1)`, `- copy`, or the number that Canvas appends to a file that is handed in
/// again, as in `homework-2`.
static ADDED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new("^(.*?[^ _-])(?:[ _-]*(?:[(][0-9]*[)]|-[0-9]+|[ _-](?:copy|copia|kopie)))*$").ok());

/// Longest list of files in a message.
const MOST_SHOWN: usize = 5;

/// Finds the source file that must be the program: the only one of these that has a program's name apart from what
/// browsers, editors and course systems add to it.
pub(crate) fn nearly_named<'a>(files: &[String], names: &[&'a str], languages: &'a [Language]) -> Option<Misnamed<'a>> {
    let mut close = sources(files, languages).into_iter().filter_map(|(file, cleaned)| {
        let (language, name) = named_source(languages, names, &cleaned)?;
        Some(Misnamed { file: file.clone(), name, language })
    });
    close.next().filter(|_| close.next().is_none())
}

/// Finds the source file that must be the program because it is the only one of these.
pub(crate) fn only_source<'a>(files: &[String], names: &[&'a str], languages: &'a [Language]) -> Option<Misnamed<'a>> {
    let sources = sources(files, languages);
    let mut rows = languages.iter().filter(|language| !language.is_recipe());
    let [(file, cleaned)] = &sources[..] else { return None };
    let is_other = |other: &&String| other != file && place(other, names).is_some();
    let (_, extension) = cleaned.rsplit_once('.')?;
    let language = rows.find(|language| language.extension() == Some(extension))?;
    (!files.iter().any(|other| is_other(&other))).then(|| Misnamed { file: (*file).clone(), name: names[0], language })
}

/// Describes a folder without a program; `names` are the allowed program names.
pub(crate) fn no_program(files: &[String], names: &[&str], languages: &[Language]) -> NoProgram {
    // Advice names only files at the top.
    let at_top = files.iter().filter(|file| !file.contains('/'));
    let mut meant: Vec<_> = at_top.filter_map(|file| Some((place(file, names)?, file))).collect();
    meant.sort();
    let meant = meant.first().map(|&(_, file)| file);
    let sources = sources(files, languages);
    let mut written_in: Vec<&str> = files.iter().filter_map(|file| language(file)).collect();
    written_in.sort_unstable();
    written_in.dedup();
    let is_source = |file: &&String| sources.iter().any(|(source, _)| source == file) || language(file).is_some();
    let others = files.iter().filter(is_source).filter(|&file| Some(file) != meant);
    let mut found: Vec<String> = meant.into_iter().chain(others).cloned().collect();
    if found.is_empty() {
        found = files.to_vec();
    }
    let mut expected: Vec<String> = Vec::new();
    for extension in sources.iter().filter_map(|(_, cleaned)| Some(cleaned.rsplit_once('.')?.1)) {
        let wanted = match extension {
            "java" if names[0] != "homework" => format!("a class Main in package {0}, {0}.java", names[0]),
            _ => format!("{}.{extension}", names[0]),
        };
        if !expected.contains(&wanted) {
            expected.push(wanted);
        }
    }
    if expected.is_empty() {
        expected = names.iter().map(|&name| name.to_owned()).collect();
    }
    let (expected, help) = (expected.join(" or "), meant.map(|file| help(file, names)));
    NoProgram { expected, found: shortened(found), languages: written_in, help }
}

pub(crate) fn shortened(mut files: Vec<String>) -> Vec<String> {
    let more = files.len().saturating_sub(MOST_SHOWN);
    files.truncate(MOST_SHOWN);
    files.extend((more > 0).then(|| format!("and {more} more")));
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
    let lower = lower.rsplit('/').next().unwrap_or(&lower);
    let whole = lower.strip_suffix(".txt").unwrap_or(lower);
    let (stem, extension) = whole.rsplit_once('.')?;
    let extension = usual_extension(extension);
    languages.iter().find(|language| language.extension() == Some(extension))?;
    let stem = stem.trim();
    let added = ADDED.as_ref().and_then(|added| added.captures(stem)?.get(1));
    let stem = added.map_or(stem, |without| without.as_str());
    (stem != "calibrate").then(|| format!("{stem}.{extension}"))
}

fn language(file: &str) -> Option<&'static str> {
    let extension = file.rsplit_once('.')?.1.to_lowercase();
    let known = LANGUAGES.iter().find(|(known, _)| *known == usual_extension(&extension));
    known.map(|&(_, language)| language)
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

    fn owned(files: &[&str]) -> Vec<String> {
        files.iter().map(|&file| file.to_owned()).collect()
    }

    #[test]
    fn the_file_that_was_meant_is_named_with_help() {
        let none = "homework or run.sh";
        for (files, expected, found, languages, help) in [
            (&["Homework"][..], none, &["Homework"][..], &[][..], Some("mv Homework homework")),
            (&["Run.sh", "notes.txt"], none, &["Run.sh"], &[], Some("mv Run.sh run.sh")),
            (
                &["loa6", "main.py"],
                "homework.py",
                &["loa6", "main.py"],
                &["Python"],
                Some("it plays another game (see --league), or mv loa6 homework"),
            ),
            (
                &["Homework.class"],
                none,
                &["Homework.class"],
                &["Java, compiled"],
                Some("add a run.sh with the line `exec java Homework`"),
            ),
            (
                &["Main.py", "board.py"],
                "homework.py",
                &["Main.py", "board.py"],
                &["Python"],
                Some("mv Main.py homework.py"),
            ),
            (&["main"], none, &["main"], &[], Some("mv main homework")),
            (&["run"], none, &["run"], &[], Some("mv run homework")),
            (&["homework.f90", "notes.txt"], none, &["homework.f90"], &["Fortran"], None),
            (&["a.cc", "main.cc"], "homework.cpp", &["main.cc", "a.cc"], &["C++"], Some("mv main.cc homework.cpp")),
            (
                &["a.py", "calibrate.py", "src/b.java"],
                "homework.py or homework.java",
                &["a.py", "calibrate.py", "src/b.java"],
                &["Java", "Python"],
                None,
            ),
            (
                &["1.py", "2.py", "3.py", "4.py", "5.py", "6.py"],
                "homework.py",
                &["1.py", "2.py", "3.py", "4.py", "5.py", "and 1 more"],
                &["Python"],
                None,
            ),
            (&["notes.txt"], none, &["notes.txt"], &[], None),
        ] {
            let told = no_program(&owned(files), &["homework", "run.sh"], &Language::usual());
            let (found, languages) = (owned(found), languages.to_vec());
            assert_eq!(
                told,
                NoProgram { expected: expected.to_owned(), found, languages, help: help.map(str::to_owned) },
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
            (&["hw2_Checkers.java"], Some(("hw2_Checkers.java", "homework.java"))),
            // Two that might be meant, or none.
            (&["homework (1).py", "homework (2).py"], None),
            (&["checkers.py", "board.py"], None),
            (&["helper.py", "main.jar"], None),
            (&["homework.txt"], None),
            (&["calibrate.py"], None),
            (&["homework.cc"], Some(("homework.cc", "homework.cpp"))),
            (&["homework.cc", "homework.cpp.txt"], None),
        ] {
            let (files, names) = (owned(files), ["homework"]);
            let found = nearly_named(&files, &names, &languages).or_else(|| only_source(&files, &names, &languages));
            let found = found.map(|found| (found.file, found.language.file_of(found.name)));
            assert_eq!(found, expected.map(|(file, wanted)| (file.to_owned(), wanted.to_owned())), "{files:?}");
        }
    }
}
