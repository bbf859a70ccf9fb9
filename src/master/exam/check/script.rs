//! Relevant output of a program with text commands, as read and as expected.

use kingline_players::play::{Console, Session, Strictness, Viewer};
use kingline_players::protocol::commands::Dialect;

/// Relevant output of a program (§3, §4).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ScriptOutput {
    /// Lines that report an automatic move or the end of a game, and dumps; each dump is one entry. The first dump after the
    /// end of a game is without the side to move: no text says which one that is.
    pub(super) events: Vec<String>,
    /// Number of prompts.
    pub(super) prompts: usize,
    /// Errors that the program reported.
    pub(super) errors: Vec<String>,
}

/// First and last line of a dump.
const FENCE: &str = "===";

/// Parses a program's output.
pub(super) fn parse_output(stdout: &str, stderr: &str, counts: fn(&str) -> bool) -> ScriptOutput {
    let mut output = ScriptOutput { prompts: stdout.matches('>').count(), ..ScriptOutput::default() };
    let mut dump: Option<String> = None;
    for line in stdout.split('\n') {
        if let Some(text) = &mut dump {
            if line.starts_with("Next move: ") && output.events.last().is_some_and(|event| ends_game(event)) {
                continue;
            }
            // Inside a dump, every blank counts.
            text.push_str(line);
            if line == FENCE {
                output.events.extend(dump.take());
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
            output.events.push(line.trim_end().to_owned());
        }
    }
    output.events.extend(dump);
    output.errors = stderr.lines().filter(|line| line.starts_with("Error: ")).map(str::to_owned).collect();
    output
}

fn ends_game(event: &str) -> bool {
    event.ends_with(" wins.") || event.ends_with("Tie game.")
}

/// Returns true if a line is relevant in the 2020 edition.
pub(super) fn counts_2020(line: &str) -> bool {
    line.starts_with('*')
}

/// Returns true if a line is relevant in the 2015 edition.
pub(super) fn counts_2015(line: &str) -> bool {
    line.contains("::") || line.contains("wins")
}

/// Runs a script without automatic moves in this library's own console, which is correct. Returns stdout and stderr.
pub(super) fn expected(dialect: &'static Dialect, script: &str) -> anyhow::Result<(String, String)> {
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let mut console = Console {
        input: Box::new(script.as_bytes()),
        output: Box::new(&mut output),
        errors: Box::new(&mut errors),
        log: None,
        viewer: Viewer::Program,
    };
    console.run(&mut Session::new(dialect, None), Strictness::GoOn)?;
    drop(console);
    Ok((String::from_utf8(output)?, String::from_utf8(errors)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kingline_players::protocol::commands::{COURSE_2015, COURSE_2020};

    #[test]
    fn relevant_output_is_found() {
        let stdout = "Banner\nof two lines\nb> * a2-c2\nw> w> ===\n    - b \n===\n-> * Black wins. \n-> ";
        let output = parse_output(stdout, "Error: one\nhelp\nError: two\n", counts_2020);
        assert_eq!(output.events, ["* a2-c2", "===\n    - b \n===", "* Black wins."]);
        assert_eq!((output.prompts, output.errors.len()), (5, 2));
        let output = parse_output("-> W::a2-c2\nb> Black wins.\n* a2-c2\n", "", counts_2015);
        assert_eq!(output.events, ["W::a2-c2", "Black wins."]);
        assert_eq!(parse_output("===\n  - b", "", counts_2020).events, ["===\n  - b\n"], "a dump cut off");
        let dump = "===\n  - b\nNext move: white\n===";
        let output = parse_output(&format!("* Tie game.\n{dump}\n{dump}\n"), "", counts_2020);
        assert_eq!(output.events, ["* Tie game.", "===\n  - b\n===", dump]);
    }

    #[test]
    fn the_expected_output_comes_from_the_command_mode() {
        let (stdout, stderr) = expected(&COURSE_2020, "manual white\nb1-b4\nb1-b3\n").unwrap();
        assert_eq!((parse_output(&stdout, &stderr, counts_2020).prompts, stderr.lines().count()), (4, 1));
        let (_, stderr) = expected(&COURSE_2015, "b1-b3\n").unwrap();
        assert_eq!(stderr, "Error: game not started\n");
    }
}
