//! Which files are programs that are handed in as source, and how are they built and run? A table, which a league can
//! change.

use serde::{Deserialize, Serialize};

/// A row of the table: a file, and what is done with it.
///
/// In all texts `{name}` stands for what the program is called: `homework`, or what the game calls it, and `calibrate`.
/// In those of `build` and `run` `{file}` stands for the file, and `{class}` for the class with the method `main` in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Language {
    /// The file's name, like `{name}.py`.
    pub file: String,
    /// Commands that are run once, in a copy of the folder: a program and its arguments each, without a shell.
    #[serde(default)]
    pub build: Vec<Vec<String>>,
    /// The command that is run for each move; none: the program `{name}` that was built.
    #[serde(default)]
    pub run: Vec<String>,
}

impl Language {
    fn new(file: &str, build: &[&str], run: &str) -> Language {
        let words = |line: &str| line.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect();
        Language { file: file.to_owned(), build: build.iter().map(|line| words(line)).collect(), run: words(run) }
    }

    /// The usual table. What makes a program of many files comes first: it counts before single files.
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

    /// Whether the file says how all others are built, and is no program itself.
    pub(super) fn is_recipe(&self) -> bool {
        !self.file.contains("{name}")
    }

    /// The programs that it needs: first words of its commands.
    pub fn programs(&self) -> impl Iterator<Item = &str> {
        let commands = self.build.iter().chain([&self.run]);
        commands.filter_map(|words| words.first()).map(String::as_str).filter(|&word| word != "cp")
    }
}

/// What the words of a command stand for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words<'a> {
    pub(super) name: &'a str,
    pub(super) file: &'a str,
    pub(super) class: &'a str,
}

impl Words<'_> {
    /// A text with the words filled in.
    pub(super) fn fill(&self, text: &str) -> String {
        text.replace("{name}", self.name).replace("{file}", self.file).replace("{class}", self.class)
    }

    /// A command with the words filled in.
    pub(super) fn fill_all(&self, command: &[String]) -> Vec<String> {
        command.iter().map(|word| self.fill(word)).collect()
    }
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
        let words = Words { name: "calibrate", file: "calibrate.java", class: "a.Main" };
        assert_eq!(words.fill_all(&java.run), ["java", "-cp", ".", "a.Main"]);
        assert!(serde_json::from_str::<Language>(r#"{"file": "{name}.py", "runs": []}"#).is_err());
    }
}
