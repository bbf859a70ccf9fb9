//! Tables of cases in text files.

#![allow(dead_code, reason = "each test program uses only a part of this")]

use super::command::Dir;
use super::programs::Program;

/// Rows of the table below the line `[title]`, up to a blank line: fields between ` | `, with the escapes of JSON and
/// `\s` for a blank at an end. Lines that begin with `//` are comments, and indented lines continue the row above.
#[track_caller]
pub(crate) fn rows<const N: usize>(file: &str, title: &str) -> Vec<[&'static str; N]> {
    let (_, table) = file.split_once(&format!("[{title}]\n")).unwrap_or_else(|| panic!("no table [{title}]"));
    let table = table.split("\n\n").next().unwrap_or_default().replace("\n    ", " ");
    let row = |line: &str| {
        let fields: Vec<&str> = format!("{line} ").split(" | ").map(|field| unescaped(field.trim())).collect();
        fields.try_into().unwrap_or_else(|fields| panic!("[{title}] {fields:?}: expected {N} fields"))
    };
    table.lines().filter(|line| !line.starts_with("//")).map(row).collect()
}

/// Text of a field. It lives as long as the test program, like a literal.
fn unescaped(field: &str) -> &'static str {
    let text: String =
        serde_json::from_str(&format!("\"{}\"", field.replace('"', "\\\"").replace("\\s", " "))).expect(field);
    text.leak()
}

impl Dir {
    /// Runs a program here once for each row of a table: its exit code, its words, and parts of its standard error,
    /// separated by ` ... `.
    #[track_caller]
    pub(crate) fn run_rows(&self, program: Program, file: &str, title: &str) {
        for [code, words, parts] in rows(file, title) {
            let ran = self.run_with_args(program, words);
            ran.exits_with(code.parse().expect("an exit code"))
                .stderr_contains(&parts.split(" ... ").collect::<Vec<_>>());
        }
    }
}
