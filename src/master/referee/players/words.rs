//! An agent's output as shown after a fault: bounded, on lines of its own, and safe for a terminal.

use crate::sandbox::Run;
use kingline_players::terminal::is_deceptive;

/// Number of characters shown per stream.
const SHOWN: usize = 1000;

/// End of a program's standard error, as `; stderr: ...`; empty if it wrote nothing.
pub(crate) fn last_words(run: &Run) -> String {
    let text = lines(&run.stderr, run);
    let Some((cut, _)) = text.char_indices().rev().nth(SHOWN) else { return labeled("stderr", &text) };
    // A line without its beginning would only confuse, unless it is the only one.
    let end = &text[cut..];
    let end = end.split_once('\n').map_or_else(|| format!("...{end}"), |(_, rest)| format!("...\n{rest}"));
    labeled("stderr", &end)
}

/// Output of a program that gave no answer: the start of standard output, if it was kept, and the end of standard
/// error.
pub(crate) fn printed(run: &Run) -> String {
    let (text, errors) = (lines(&run.stdout, run), last_words(run));
    if text.is_empty() && errors.is_empty() {
        return "; it printed nothing".to_owned();
    }
    let start = match text.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("{}...", &text[..cut]),
        None => text,
    };
    labeled("stdout", &start) + &errors
}

/// Adds a remark to what was read: behind it, or below it if that ends with lines of the agent.
pub(crate) fn with_remark(read: &str, remark: &str) -> String {
    let joint = if read.contains('\n') { "\n" } else { "; " };
    format!("{read}{joint}{remark}")
}

/// A stream with its name: behind what was said before if it is a line, otherwise below it.
fn labeled(name: &str, text: &str) -> String {
    match text {
        "" => String::new(),
        text if text.contains('\n') => format!("; {name}:\n{text}"),
        text => format!("; {name}: {text}"),
    }
}

/// Lines of an agent without deceptive characters, and with paths as its author knows them.
fn lines(bytes: &[u8], run: &Run) -> String {
    let text = run.text(bytes).replace('\t', "    ");
    let safe = text.lines().map(|line| line.chars().filter(|&letter| !is_deceptive(letter)).collect::<String>());
    let lines: Vec<String> = safe.map(|line| line.trim_end().to_owned()).filter(|line| !line.is_empty()).collect();
    lines.join("\n").trim_start().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::{JobEnd, Peak};

    fn run(stdout: &str, stderr: &str) -> Run {
        Run {
            end: JobEnd::Exited(0),
            folder: "/tmp/.tmpX/black".into(),
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
    fn streams_are_shown_on_lines_of_their_own() {
        let trace =
            "Traceback:\n  File \"/tmp/.tmpX/black/homework.py\", line 3\n\traise Lost\n\nin /tmp/.tmpX/black\n";
        for (stdout, stderr, shown) in [
            ("", " \n", "; it printed nothing"),
            ("E c3 b4\n", "", "; stdout: E c3 b4"),
            ("a\tb\r\nJ d4 f2\n", "\u{1b}[31mno\n", "; stdout:\na    b\nJ d4 f2; stderr: [31mno"),
            ("", "a trace", "; stderr: a trace"),
            ("", trace, "; stderr:\nTraceback:\n  File \"homework.py\", line 3\n    raise Lost\nin ."),
        ] {
            assert_eq!(printed(&run(stdout, stderr)), shown);
        }
    }

    #[test]
    fn the_start_of_stdout_and_the_end_of_stderr_are_shown() {
        let long = format!("start{}\nend", "-\n".repeat(SHOWN));
        let shown = printed(&run(&long, &long));
        assert!(shown.starts_with("; stdout:\nstart-\n-") && shown.ends_with("-\nend"), "{shown}");
        assert!(shown.contains("...; stderr:\n...\n-\n"), "{shown}");
        assert!(shown.len() < 2 * SHOWN + 50, "{shown}");
        let line = "-".repeat(2 * SHOWN);
        assert!(last_words(&run("", &line)).starts_with("; stderr: ...---"), "one line has no other place to be cut");
    }
}
