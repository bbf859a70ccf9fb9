//! What would one type to measure it again?

use std::env;
use std::path::Path;

/// Options, each with a value, that only say where rows go and what they are called.
const OF_ROWS: [&str; 2] = ["--figures", "--figure"];

/// This process's own command line, as a user types it in the repository, without the options that say where rows go.
pub(super) fn this_command() -> String {
    let mut words = env::args_os().map(|word| word.to_string_lossy().into_owned());
    let program = words.next().unwrap_or_default();
    let name = Path::new(&program).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    command_line(&name, &without_rows(words))
}

/// What to type in the repository to run a program of this package: `target/release/calibrate bench perft`.
pub fn command_line(program: &str, arguments: &[impl AsRef<str>]) -> String {
    // What a build without optimisation measures must not be taken for the release's.
    let build = if cfg!(debug_assertions) { "debug" } else { "release" };
    let mut line = format!("target/{build}/{program}");
    for argument in arguments {
        line.push(' ');
        line.push_str(&quoted(argument.as_ref()));
    }
    line
}

fn without_rows(words: impl Iterator<Item = String>) -> Vec<String> {
    let (mut kept, mut words) = (Vec::new(), words);
    while let Some(word) = words.next() {
        let (name, value) = word.split_once('=').map_or((&*word, None), |(name, value)| (name, Some(value)));
        if word == "--" {
            // What follows belongs to another program.
            kept.push(word);
            kept.extend(words);
            break;
        }
        if !OF_ROWS.contains(&name) {
            kept.push(word);
        } else if value.is_none() {
            words.next();
        }
    }
    kept
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-./,:=+@%".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(line: &str) -> String {
        without_rows(line.split(' ').map(str::to_owned)).join(" ")
    }

    #[test]
    fn the_options_of_rows_are_left_out() {
        for (line, expected) in [
            ("bench perft --figures rows.jsonl", "bench perft"),
            ("bench --figures=rows.jsonl perft", "bench perft"),
            ("match --figures a --figure b --openings 3", "match --openings 3"),
            ("doctor --figures a -- program --figures b", "doctor -- program --figures b"),
            ("depth 9 --figures", "depth 9"),
        ] {
            assert_eq!(kept(line), expected);
        }
    }

    #[test]
    fn words_are_quoted_where_a_shell_would_split_or_change_them() {
        for (word, expected) in [
            ("bench", "bench"),
            ("--time=0.5", "--time=0.5"),
            ("", "''"),
            ("{\"nodes\": 9}", "'{\"nodes\": 9}'"),
            ("it's", r"'it'\''s'"),
            ("~/a", "'~/a'"),
        ] {
            assert_eq!(quoted(word), expected);
        }
    }

    #[test]
    fn a_command_is_typed_where_the_package_is_built() {
        let line = command_line("calibrate", &["solve", "--after", ""]);
        assert!(["release", "debug"].iter().any(|build| line == format!("target/{build}/calibrate solve --after ''")));
    }
}
