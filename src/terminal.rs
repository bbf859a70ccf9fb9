//! How do the programs print, where the reader may be gone?

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

use anyhow::Result;

/// Prints a line of a result on standard output.
///
/// # Errors
/// Standard output cannot be written; see [`is_broken_pipe`].
pub fn stdout_line(line: impl Display) -> Result<()> {
    Ok(writeln!(io::stdout(), "{line}")?)
}

/// Prints a line on standard error.
pub fn stderr_line(line: impl Display) {
    stderr_text(format_args!("{line}\n"));
}

/// Prints text on standard error, without an end of line.
pub fn stderr_text(text: impl Display) {
    // stderr may be closed; ignore. In one write, so that lines of several threads do not mix.
    let _ = io::stderr().write_all(text.to_string().as_bytes());
}

/// Whether a character of a stranger's text must not be shown as it is: it controls the terminal, cannot be seen, or
/// changes the direction of the text after it.
pub fn is_deceptive(letter: char) -> bool {
    match letter {
        // Direction marks and overrides, separators, zero-width characters.
        '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        '\u{feff}' | '\u{e0000}'..='\u{e007f}' => true,
        _ => letter.is_control(),
    }
}

/// A stranger's text, made safe for a terminal: what must not be shown as it is becomes an escape, as `\u{202e}`.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        if is_deceptive(letter) {
            safe.extend(letter.escape_default());
        } else {
            safe.push(letter);
        }
    }
    safe
}

/// Whether this error only says that the reader of standard output has closed it: no failure of the program.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_controls_hides_or_turns_text_is_not_shown_as_it_is() {
        assert!("a\u{e9}\u{4e2d}\u{1f600} -\"".chars().all(|letter| !is_deceptive(letter)));
        assert!("\u{1b}\n\u{202e}\u{2066}\u{200b}\u{feff}\u{e0041}\u{9b}".chars().all(is_deceptive));
    }

    #[test]
    fn strange_text_is_escaped() {
        assert_eq!(escaped("a\u{e9} \u{202e}b\u{1b}[2J\n"), "a\u{e9} \\u{202e}b\\u{1b}[2J\\n");
    }

    #[test]
    fn only_broken_pipes_are_ignored() {
        assert!(is_broken_pipe(&io::Error::from(ErrorKind::BrokenPipe).into()));
        assert!(!is_broken_pipe(&io::Error::from(ErrorKind::StorageFull).into()));
        assert!(!is_broken_pipe(&anyhow::anyhow!("broken pipe")));
    }
}
