//! Output to standard streams whose reader may be gone, and escaping of untrusted text.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

use anyhow::Result;

/// Prints a line of results on standard output.
///
/// # Errors
/// Standard output cannot be written to; see [`is_broken_pipe`].
pub fn stdout_line(line: impl Display) -> Result<()> {
    Ok(writeln!(io::stdout(), "{line}")?)
}

/// Prints a line on standard error.
pub fn stderr_line(line: impl Display) {
    stderr_text(format_args!("{line}\n"));
}

/// Prints text on standard error, without a newline.
pub fn stderr_text(text: impl Display) {
    // A single write, so that lines from several threads do not mix. Errors are ignored: stderr may be closed.
    let _ = io::stderr().write_all(text.to_string().as_bytes());
}

/// Returns `true` if a character of untrusted text must be escaped: it controls the terminal, is invisible, or changes
/// the direction of the text after it.
pub fn is_deceptive(letter: char) -> bool {
    match letter {
        // Direction marks and overrides, separators, zero-width characters.
        '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        '\u{feff}' | '\u{e0000}'..='\u{e007f}' => true,
        _ => letter.is_control(),
    }
}

/// Makes untrusted text safe for a terminal by replacing every [deceptive](is_deceptive) character with an escape like
/// `\u{202e}`.
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

/// Formats a number with commas between groups of three digits: `1,234,567`.
pub fn in_thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns `true` if the error only means that the reader has closed standard output, which is not a failure of the
/// program.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_control_hide_or_reorder_text_are_deceptive() {
        assert!("a\u{e9}\u{4e2d}\u{1f600} -\"".chars().all(|letter| !is_deceptive(letter)));
        assert!("\u{1b}\n\u{202e}\u{2066}\u{200b}\u{feff}\u{e0041}\u{9b}".chars().all(is_deceptive));
    }

    #[test]
    fn deceptive_text_is_escaped() {
        assert_eq!(escaped("a\u{e9} \u{202e}b\u{1b}[2J\n"), "a\u{e9} \\u{202e}b\\u{1b}[2J\\n");
    }

    #[test]
    fn digits_are_grouped_in_threes() {
        let texts = [0, 999, 1000, 12_345, 1_234_567].map(in_thousands);
        assert_eq!(texts, ["0", "999", "1,000", "12,345", "1,234,567"]);
    }

    #[test]
    fn only_broken_pipes_are_ignored() {
        assert!(is_broken_pipe(&io::Error::from(ErrorKind::BrokenPipe).into()));
        assert!(!is_broken_pipe(&io::Error::from(ErrorKind::StorageFull).into()));
        assert!(!is_broken_pipe(&anyhow::anyhow!("broken pipe")));
    }
}
