//! An agent's output as shown after a fault: bounded, on one line, and safe for a terminal.

use crate::sandbox::Run;
use kingline::terminal::is_deceptive;

/// Number of characters shown per stream.
const SHOWN: usize = 400;

/// End of a program's standard error, as `; stderr: ...`; empty if it wrote nothing.
pub(crate) fn last_words(run: &Run) -> String {
    let text = on_a_line(&run.stderr);
    if text.is_empty() {
        return String::new();
    }
    let dots = if text.len() > SHOWN { "..." } else { "" };
    let end: String = text[text.len().saturating_sub(SHOWN)..].iter().collect();
    format!("; stderr: {dots}{end}")
}

/// Output of a program that gave no answer: the start of standard output, if it was kept, and the end of standard
/// error.
pub(crate) fn printed(run: &Run) -> String {
    let (text, errors) = (on_a_line(&run.stdout), last_words(run));
    if text.is_empty() && errors.is_empty() {
        return "; it printed nothing".to_owned();
    }
    if text.is_empty() {
        return errors;
    }
    let dots = if text.len() > SHOWN { "..." } else { "" };
    let start: String = text.iter().take(SHOWN).collect();
    format!("; stdout: {start}{dots}{errors}")
}

/// Text without deceptive characters, its lines joined by ` / `.
fn on_a_line(bytes: &[u8]) -> Vec<char> {
    let text = String::from_utf8_lossy(bytes);
    let lines =
        text.trim().lines().map(|line| line.chars().filter(|&letter| !is_deceptive(letter)).collect::<String>());
    lines.collect::<Vec<_>>().join(" / ").chars().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::{JobEnd, Peak};

    fn run(stdout: &str, stderr: &str) -> Run {
        Run {
            end: JobEnd::Exited(0),
            cpu: Default::default(),
            wall: Default::default(),
            waited: Default::default(),
            unseen: Default::default(),
            peak: Peak::default(),
            stdout: stdout.into(),
            stderr: stderr.into(),
        }
    }

    #[test]
    fn both_streams_are_shown_on_a_line() {
        for (stdout, stderr, shown) in [
            ("", " \n", "; it printed nothing"),
            ("E c3 b4\n", "", "; stdout: E c3 b4"),
            ("J f6 d4\r\nJ d4 f2\n", "\u{1b}[31mno\n", "; stdout: J f6 d4 / J d4 f2; stderr: [31mno"),
            ("", "a trace", "; stderr: a trace"),
        ] {
            assert_eq!(printed(&run(stdout, stderr)), shown);
        }
    }

    #[test]
    fn the_start_of_stdout_and_the_end_of_stderr_are_shown() {
        let long = format!("start{}end", "-".repeat(SHOWN));
        let shown = printed(&run(&long, &long));
        assert!(
            shown.starts_with("; stdout: start-") && shown.ends_with("-end") && shown.contains("-...; stderr: ...-")
        );
        assert!(shown.len() < 2 * SHOWN + 50, "{shown}");
    }
}
