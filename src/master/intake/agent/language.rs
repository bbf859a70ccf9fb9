//! The language table of a league: which source files are programs, and how they are built and run.

use serde::{Deserialize, Serialize};

/// A row of the table: a source file, and the commands for it.
///
/// `{name}` stands for the program's name: `homework`, another name that the game allows, or `calibrate`. In `build`
/// and `run`, `{file}` stands for the file and `{class}` for its class with the method `main`. In a row with `{class}`,
/// the word `{file}` stands for all Java sources that the file needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Language {
    /// File name, e.g. `{name}.py`.
    pub file: String,
    /// Commands run once in a copy of the folder, without a shell; each is a program and its arguments.
    #[serde(default)]
    pub build: Vec<Vec<String>>,
    /// Command for each move; if empty, the built program `{name}` is run.
    #[serde(default)]
    pub run: Vec<String>,
}

impl Language {
    fn new(file: &str, build: &[&str], run: &str) -> Language {
        let words = |line: &str| line.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect();
        Language { file: file.to_owned(), build: build.iter().map(|line| words(line)).collect(), run: words(run) }
    }

    /// The standard table. Recipes come first, since they take precedence over single files.
    pub fn usual() -> Vec<Language> {
        let gcc = "-O2 -o {name} {file} -lm -pthread";
        vec![
            Language::new("build.sh", &["sh ./build.sh"], ""),
            Language::new("Makefile", &["make"], ""),
            Language::new("makefile", &["make"], ""),
            Language::new("Cargo.toml", &["cargo build --release --offline", "cp target/release/{name} {name}"], ""),
            Language::new("{name}.py", &[], "python3 {file}"),
            Language::new("{name}3.py", &[], "python3 {file}"),
            Language::new("{name}2.py", &[], "python2 {file}"),
            Language::new("{name}.java", &["javac -encoding UTF-8 -nowarn -d . {file}"], "java -cp . {class}"),
            Language::new("{name}.cpp", &[&format!("g++ {gcc}")], ""),
            Language::new("{name}11.cpp", &[&format!("g++ -std=c++11 {gcc}")], ""),
            Language::new("{name}.c", &[&format!("gcc {gcc}")], ""),
            Language::new("{name}.js", &[], "node {file}"),
            Language::new("{name}.rs", &["rustc -O -o {name} {file}"], ""),
        ]
    }

    /// Name of the file for a program's name.
    pub(crate) fn file_of(&self, name: &str) -> String {
        self.file.replace("{name}", name)
    }

    /// Extension of its source files; `None` for a recipe.
    pub(crate) fn extension(&self) -> Option<&str> {
        Some(self.file.strip_prefix("{name}")?.rsplit_once('.')?.1)
    }

    /// True if the file is a recipe that builds all programs rather than a program itself.
    pub(crate) fn is_recipe(&self) -> bool {
        !self.file.contains("{name}")
    }

    /// The programs that it requires: the first words of its commands.
    pub fn programs(&self) -> impl Iterator<Item = &str> {
        let commands = self.build.iter().chain([&self.run]);
        commands.filter_map(|words| words.first()).map(String::as_str).filter(|&word| word != "cp")
    }
}

/// The row and the program's name of a source with this file name; `None` if no program is called so.
pub(super) fn named_source<'a, 'n>(
    languages: &'a [Language],
    names: &[&'n str],
    file: &str,
) -> Option<(&'a Language, &'n str)> {
    let row = |name: &str| languages.iter().find(|row| !row.is_recipe() && row.file_of(name) == file);
    names.iter().find_map(|&name| Some((row(name)?, name)))
}

/// Fills in the placeholders in a command. The word `{file}` stands for all these files: the source, and the others that
/// it needs.
pub(super) fn filled_in(command: &[String], name: &str, files: &[String], class: &str) -> Vec<String> {
    let file = files.first().map_or("", String::as_str);
    let fill = |text: &str| text.replace("{name}", name).replace("{file}", file).replace("{class}", class);
    let words = command.iter().map(|word| if word == "{file}" { files.to_vec() } else { vec![fill(word)] });
    words.flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_table_is_data() {
        let usual = Language::usual();
        let text = serde_json::to_string(&usual).unwrap();
        assert_eq!(serde_json::from_str::<Vec<Language>>(&text).unwrap(), usual);
        let java = usual.iter().find(|language| language.file == "{name}.java").unwrap();
        assert_eq!(java.programs().collect::<Vec<_>>(), ["javac", "java"]);
        let files = ["calibrate.java", "Board.java"].map(str::to_owned);
        let filled = |command: &[String]| filled_in(command, "calibrate", &files, "a.Main");
        assert_eq!(filled(&java.run), ["java", "-cp", ".", "a.Main"]);
        assert!(filled(&java.build[0]).ends_with(&files));
        assert!(serde_json::from_str::<Language>(r#"{"file": "{name}.py", "runs": []}"#).is_err());
    }
}
