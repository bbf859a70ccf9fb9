//! Output to standard streams whose reader may be gone, escaping of untrusted text, and capabilities of a terminal.

use std::env;
use std::ffi::OsStr;
use std::fmt::Display;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;

use anyhow::Result;
use kingline::draw::Paint;

/// Prints a line of results on standard output, [escaped](escaped_lines).
///
/// # Errors
/// Standard output cannot be written to; see [`is_broken_pipe`].
pub fn stdout_line(line: impl Display) -> Result<()> {
    stdout_drawing(escaped_lines(&line.to_string()))
}

/// Prints a line of JSON on standard output, with [escapes](escaped_json) that JSON readers understand.
///
/// # Errors
/// Standard output cannot be written to; see [`is_broken_pipe`].
pub fn stdout_json(json: impl Display) -> Result<()> {
    stdout_drawing(escaped_json(&json.to_string()))
}

/// Prints a line on standard output unchanged: a drawing, which may contain colors, and in which untrusted text is
/// already [escaped].
///
/// # Errors
/// Standard output cannot be written to; see [`is_broken_pipe`].
pub fn stdout_drawing(drawing: impl Display) -> Result<()> {
    Ok(writeln!(io::stdout(), "{drawing}")?)
}

/// Prints a line on standard error, [escaped](escaped_lines).
pub fn stderr_line(line: impl Display) {
    stderr_text(escaped_lines(&line.to_string()) + "\n");
}

/// Prints text on standard error unchanged, without a newline.
pub fn stderr_text(text: impl Display) {
    // A single write, so that lines from several threads do not mix. Errors are ignored: stderr may be closed.
    let _ = io::stderr().write_all(text.to_string().as_bytes());
}

/// Returns `true` if a character of untrusted text must be escaped: it controls the terminal, is invisible, or changes
/// the direction of the text after it.
pub fn is_deceptive(letter: char) -> bool {
    match letter {
        ' '..='~' => false,
        // Direction marks and overrides, separators, zero-width characters.
        '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        '\u{feff}' | '\u{e0000}'..='\u{e007f}' => true,
        _ => letter.is_control(),
    }
}

/// Makes untrusted text safe for a terminal, in one line, by replacing every [deceptive](is_deceptive) character with an
/// escape like `\u{202e}`.
pub fn escaped(text: &str) -> String {
    replaced(text, is_deceptive, |safe, letter| safe.extend(letter.escape_default()))
}

/// Makes untrusted text safe for a terminal like [`escaped`], but keeps line breaks and tabs.
pub fn escaped_lines(text: &str) -> String {
    let is_unsafe = |letter| is_deceptive(letter) && !matches!(letter, '\n' | '\t');
    replaced(text, is_unsafe, |safe, letter| safe.extend(letter.escape_default()))
}

/// Makes JSON safe for a terminal without changing its content: replaces every [deceptive](is_deceptive) character with
/// an escape like `\u202e`. Line breaks stay: in JSON they are only between the values.
pub fn escaped_json(json: &str) -> String {
    let is_unsafe = |letter| is_deceptive(letter) && letter != '\n';
    replaced(json, is_unsafe, |safe, letter| {
        let mut units = [0; 2];
        let escape = |unit: &mut u16| format!("\\u{unit:04x}");
        safe.extend(letter.encode_utf16(&mut units).iter_mut().map(escape));
    })
}

/// Makes a path safe for a terminal like [`escaped`]. Bytes that are not UTF-8 become escapes like `\xff`.
pub fn escaped_path(path: impl AsRef<Path>) -> String {
    let mut safe = String::new();
    for chunk in path.as_ref().as_os_str().as_encoded_bytes().utf8_chunks() {
        safe += &escaped(chunk.valid());
        safe += &chunk.invalid().escape_ascii().to_string();
    }
    safe
}

/// Replaces each unsafe character; `replace` adds what stands for it.
pub fn replaced(text: &str, is_unsafe: impl Fn(char) -> bool, replace: impl Fn(&mut String, char)) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(place) = rest.find(&is_unsafe) {
        safe.push_str(&rest[..place]);
        let mut letters = rest[place..].chars();
        letters.next().into_iter().for_each(|letter| replace(&mut safe, letter));
        rest = letters.as_str();
    }
    safe + rest
}

/// Formats a duration in seconds: `75 s`, `2 min`, `3.5 h`, `20 h`.
pub fn duration(seconds: f64) -> String {
    match seconds {
        ..100.0 => format!("{seconds:.0} s"),
        ..6000.0 => format!("{:.0} min", seconds / 60.0),
        ..36_000.0 => format!("{:.1} h", seconds / 3600.0),
        _ => format!("{:.0} h", seconds / 3600.0),
    }
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

/// Capabilities of the terminal behind an output stream, if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screen {
    /// True if drawings can be redrawn in place, on a terminal whose cursor can be moved.
    pub is_live: bool,
    /// Use of colors.
    pub paint: Paint,
}

impl Screen {
    /// Returns the capabilities of this process's standard output.
    pub fn of_stdout() -> Screen {
        Screen::here(&io::stdout())
    }

    /// Returns the capabilities of this process's standard error.
    pub(crate) fn of_stderr() -> Screen {
        Screen::here(&io::stderr())
    }

    fn here(stream: &impl IsTerminal) -> Screen {
        let value = env::var_os;
        let screen = Screen::of(stream.is_terminal(), value("TERM").as_deref(), value("NO_COLOR").as_deref());
        if screen.paint == Paint::Colored && !understands_colors() {
            return Screen { paint: Paint::Plain, ..screen };
        }
        screen
    }

    /// `term` and `no_color` are values of environment variables. NO_COLOR turns off only colors (no-color.org). A
    /// terminal called `dumb` has neither colors nor cursor movement.
    fn of(is_terminal: bool, term: Option<&OsStr>, no_color: Option<&OsStr>) -> Screen {
        let is_live = is_terminal && term.is_none_or(|name| name != "dumb");
        let is_colored = is_live && no_color.is_none_or(OsStr::is_empty);
        Screen { is_live, paint: if is_colored { Paint::Colored } else { Paint::Plain } }
    }
}

/// Makes a Windows console understand the escape sequences of colors. Returns true if it does.
#[cfg(windows)]
fn understands_colors() -> bool {
    anstyle_query::windows::enable_ansi_colors() == Some(true)
}

#[cfg(not(windows))]
fn understands_colors() -> bool {
    true
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
        assert_eq!(escaped_lines("a\tb\r\n\u{9b}2J"), "a\tb\\r\n\\u{9b}2J");
    }

    #[test]
    fn json_is_escaped_as_in_json() {
        let json = "[\n\"a\u{202e}\u{9b}\u{e0041}\u{7f}\u{e9}\"]";
        assert_eq!(escaped_json(json), "[\n\"a\\u202e\\u009b\\udb40\\udc41\\u007f\u{e9}\"]");
    }

    #[cfg(unix)]
    #[test]
    fn paths_that_are_not_text_stay_different() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        let shown = |bytes: &[u8]| escaped_path(Path::new(OsStr::from_bytes(bytes)));
        assert_eq!(shown(b"a/b\x1b\n\xff\xc3c"), "a/b\\u{1b}\\n\\xff\\xc3c");
        assert_eq!(shown("caf\u{e9}".as_bytes()), "caf\u{e9}");
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

    #[test]
    fn terminals_are_live_with_or_without_colors() {
        use Paint::{Colored, Plain};
        for (is_terminal, term, no_color, is_live, paint) in [
            (true, Some("xterm"), None, true, Colored),
            (true, None, None, true, Colored),
            (true, Some("xterm"), Some(""), true, Colored),
            (true, Some("xterm"), Some("1"), true, Plain),
            (true, None, Some("0"), true, Plain),
            (true, Some("dumb"), None, false, Plain),
            (true, Some("dumb"), Some("1"), false, Plain),
            (false, Some("xterm"), None, false, Plain),
            (false, Some("xterm"), Some("1"), false, Plain),
        ] {
            let screen = Screen::of(is_terminal, term.map(OsStr::new), no_color.map(OsStr::new));
            assert_eq!(screen, Screen { is_live, paint }, "{is_terminal} {term:?} {no_color:?}");
        }
    }
}
