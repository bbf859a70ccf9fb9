//! Scripts for programs with a command mode, and what of their output counts.

use std::io::Cursor;

use crate::play::{Console, Session, Strictness};
use crate::protocol::commands::Dialect;

/// What a program printed, as far as it counts (§3, §4).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ScriptOutput {
    /// Lines with automatic moves, ends of games, and dumps: each dump as one entry.
    pub(super) events: Vec<String>,
    /// How often it asked for a line.
    pub(super) prompts: usize,
    /// The errors that it told.
    pub(super) errors: Vec<String>,
}

/// What begins and ends a dump.
const FENCE: &str = "===";

/// Takes a program's output apart.
pub(super) fn heard(stdout: &str, stderr: &str, counts: fn(&str) -> bool) -> ScriptOutput {
    let mut heard = ScriptOutput { prompts: stdout.matches('>').count(), ..ScriptOutput::default() };
    let mut dump: Option<String> = None;
    for line in stdout.split('\n') {
        if let Some(text) = &mut dump {
            // Inside, every blank counts.
            text.push_str(line);
            if line == FENCE {
                heard.events.extend(dump.take());
            } else {
                text.push('\n');
            }
            continue;
        }
        let line = line.rsplit('>').next().unwrap_or_default();
        let line = line.trim_start();
        if line == FENCE {
            dump = Some(format!("{FENCE}\n"));
        } else if counts(line) {
            heard.events.push(line.trim_end().to_owned());
        }
    }
    heard.events.extend(dump);
    heard.errors = stderr.lines().filter(|line| line.starts_with("Error: ")).map(str::to_owned).collect();
    heard
}

/// Whether a line of the edition of 2020 counts.
pub(super) fn counts_2020(line: &str) -> bool {
    line.starts_with('*')
}

/// Whether a line of the edition of 2015 counts.
pub(super) fn counts_2015(line: &str) -> bool {
    line.contains("::") || line.contains("wins")
}

/// What a right program prints for a script without automatic moves: this library's own command mode knows.
pub(super) fn expected(dialect: &'static Dialect, script: &str) -> anyhow::Result<(String, String)> {
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let mut console = Console {
        input: Box::new(Cursor::new(script.as_bytes())),
        output: Box::new(&mut output),
        errors: Box::new(&mut errors),
        log: None,
    };
    console.run(&mut Session::new(dialect, None), Strictness::GoOn)?;
    drop(console);
    Ok((String::from_utf8(output)?, String::from_utf8(errors)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::commands::{COURSE_2015, COURSE_2020};

    #[test]
    fn what_counts_is_found_among_the_rest() {
        let stdout = "Banner\nof two lines\nb> * a2-c2\nw> w> ===\n    - b \n===\n-> * Black wins. \n-> ";
        let told = heard(stdout, "Error: one\nhelp\nError: two\n", counts_2020);
        assert_eq!(told.events, ["* a2-c2", "===\n    - b \n===", "* Black wins."]);
        assert_eq!((told.prompts, told.errors.len()), (5, 2));
        let told = heard("-> W::a2-c2\nb> Black wins.\n* a2-c2\n", "", counts_2015);
        assert_eq!(told.events, ["W::a2-c2", "Black wins."]);
        assert_eq!(heard("===\n  - b", "", counts_2020).events, ["===\n  - b\n"], "a dump cut off");
    }

    #[test]
    fn the_command_mode_knows_what_is_right() {
        let (stdout, stderr) = expected(&COURSE_2020, "manual white\nb1-b4\nb1-b3\n").unwrap();
        assert_eq!((heard(&stdout, &stderr, counts_2020).prompts, stderr.lines().count()), (4, 1));
        let (_, stderr) = expected(&COURSE_2015, "b1-b3\n").unwrap();
        assert_eq!(stderr, "Error: game not started\n");
    }
}
