//! input.txt: the request for a turn.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use thiserror::Error;

use super::INPUT;
use crate::files::read_text;
use kingline::checkers::{Diagram, Position};
use kingline::game::{Color, Game, LineError};

/// Kind of turn that is requested (§2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// One move, which may take all of the time.
    Single,
    /// The time must last for the rest of the game.
    Game,
}

/// Request for a turn, as read from input.txt.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnRequest {
    /// Kind of turn, from line 1.
    pub mode: Mode,
    /// CPU time left, from line 3.
    pub left: Duration,
    /// Position, from line 2 and the board. The agent plays the side to move.
    pub position: Position,
    /// Departures from the contract and oddities of the board that do not prevent a turn, one sentence each.
    pub warnings: Vec<String>,
}

/// Reason why input.txt is not a request.
#[derive(Debug, Error)]
pub enum InputError {
    /// The file cannot be read.
    #[error("cannot read {}: {error}; expected a file with mode, side, seconds and board", .file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// A line is wrong.
    #[error("{}, {error}", .file.display())]
    Line {
        /// The file.
        file: PathBuf,
        /// Found and expected text.
        error: LineError,
    },
}

/// Longest time, about a century. Longer times are reduced to it.
const LONGEST_SECONDS: f64 = 3.2e9;
/// Description of a valid line 3, for errors.
const SECONDS: &str = "seconds left, a number above 0";
/// Time assumed where the time is unknown.
const UNKNOWN_TIME: Duration = Duration::from_millis(10);

/// A departure from the contract, and how it is read all the same.
struct Slip {
    error: LineError,
    /// Ends a warning: `read as 5`.
    reading: String,
}

impl TurnRequest {
    /// Reads an input file, as leniently as [`recover`](TurnRequest::recover).
    ///
    /// # Errors
    /// The file cannot be read, or does not say who is to move on which board.
    pub fn read(path: &Path) -> Result<TurnRequest, InputError> {
        let file = || path.to_path_buf();
        let text = read_text(path).map_err(|error| InputError::Unreadable { file: file(), error })?;
        TurnRequest::recover(&text).map_err(|error| InputError::Line { file: file(), error })
    }

    /// Reads the text of an input file. Beyond the contract it accepts CR before LF, trailing blanks, a missing last
    /// newline, blank lines at the end and a byte order mark.
    ///
    /// # Errors
    /// A line is wrong: its number, what was found there, and what was expected.
    pub fn parse(text: &str) -> Result<TurnRequest, LineError> {
        let mut lines = InputLines::of(text);
        let request = lines.request();
        lines.slips.into_iter().next().map_or(request, |slip| Err(slip.error))
    }

    /// Reads a request from any text that says who is to move on which board, with a warning for each other slip: the
    /// agent that refuses it has lost. An unknown mode is read as `GAME`, which is safe in both modes, and an unknown
    /// time as the shortest one that a referee gives.
    ///
    /// # Errors
    /// The side or the board is missing or wrong: the line, what was found there, and what was expected.
    pub fn recover(text: &str) -> Result<TurnRequest, LineError> {
        let mut lines = InputLines::of(text);
        let mut request = lines.request()?;
        let slips = lines.slips.iter().map(|Slip { error, reading }| format!("{INPUT}, {error}; {reading}"));
        request.warnings.splice(0..0, slips);
        Ok(request)
    }
}

/// Lines of an input file, read from the top.
struct InputLines<'a> {
    lines: Vec<&'a str>,
    read: usize,
    slips: Vec<Slip>,
}

impl<'a> InputLines<'a> {
    fn of(text: &'a str) -> InputLines<'a> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        InputLines { lines: text.lines().map(str::trim_end).collect(), read: 0, slips: Vec::new() }
    }

    fn request(&mut self) -> Result<TurnRequest, LineError> {
        let mode = self.mode()?;
        let turn = self.side()?;
        let left = self.time()?;
        let position = self.board(turn)?;
        if let Some(extra) = (self.read..self.lines.len()).find(|&index| !self.lines[index].is_empty()) {
            self.slip(extra + 1, "nothing after the eight rows of the board", "ignored");
        }
        Ok(TurnRequest { mode, left, position, warnings: position.oddities(|square| square.to_string()) })
    }

    /// Takes the next line that is not blank.
    fn next(&mut self, expected: &str) -> Result<&'a str, LineError> {
        let missing = |line, instead| LineError::missing(line, instead, expected);
        let first = self.read + 1;
        let rest = &self.lines[self.read..];
        match rest.iter().position(|line| line.chars().filter_map(visible).any(|letter| !letter.is_whitespace())) {
            None if rest.is_empty() => return Err(missing(first, "the end of the file")),
            None => return Err(missing(first, "a blank line")),
            Some(0) => {}
            Some(blank) => {
                self.slips.push(Slip { error: missing(first, "a blank line"), reading: "skipped".to_owned() });
                self.read += blank;
            }
        }
        self.read += 1;
        Ok(self.lines[self.read - 1])
    }

    fn slip(&mut self, line: usize, expected: &str, reading: impl Into<String>) {
        let error = LineError::new(line, self.lines[line - 1], expected);
        self.slips.push(Slip { error, reading: reading.into() });
    }

    /// Error after `slips` slips. If a blank line was skipped since, that line is its cause.
    fn cause(&self, slips: usize, error: LineError) -> LineError {
        self.slips.get(slips).map_or(error, |slip| slip.error.clone())
    }

    fn mode(&mut self) -> Result<Mode, LineError> {
        const EXPECTED: &str = "SINGLE or GAME";
        let (mode, reading) = match self.next(EXPECTED)? {
            "SINGLE" => return Ok(Mode::Single),
            "GAME" => return Ok(Mode::Game),
            other => match tidy(other).as_str() {
                "SINGLE" => (Mode::Single, "read as SINGLE"),
                "GAME" => (Mode::Game, "read as GAME"),
                _ => (Mode::Game, "GAME is assumed"),
            },
        };
        self.slip(self.read, EXPECTED, reading);
        if color(&tidy(self.lines[self.read - 1])).is_some() {
            // Only the mode is missing.
            self.read -= 1;
        }
        Ok(mode)
    }

    fn side(&mut self) -> Result<Color, LineError> {
        const EXPECTED: &str = "BLACK or WHITE";
        let slips = self.slips.len();
        let text = self.next(EXPECTED)?;
        if let Some(color) = color(text) {
            return Ok(color);
        }
        let tidy = tidy(text);
        let color = color(&tidy).ok_or_else(|| self.cause(slips, LineError::new(self.read, text, EXPECTED)))?;
        self.slip(self.read, EXPECTED, format!("read as {tidy}"));
        Ok(color)
    }

    fn time(&mut self) -> Result<Duration, LineError> {
        let text = self.next(SECONDS)?;
        if let Some(left) = seconds(text) {
            return Ok(left);
        }
        let known = loose_seconds(text);
        let left = known.unwrap_or(UNKNOWN_TIME);
        let reading = if known.is_some() { "read as" } else { "the least is assumed:" };
        self.slip(self.read, SECONDS, format!("{reading} {}", left.as_secs_f64()));
        if is_row(&squares(text)) {
            // Only the time is missing.
            self.read -= 1;
        }
        Ok(left)
    }

    fn board(&mut self, turn: Color) -> Result<Position, LineError> {
        let slips = self.slips.len();
        let (mut rows, mut numbers) = ([""; 8], [0; 8]);
        for (index, row) in rows.iter_mut().enumerate() {
            let expected = format!("row {} of the board (eight rows, no blank lines between)", 8 - index);
            *row = self.next(&expected).map_err(|error| self.cause(slips, error))?;
            numbers[index] = self.read;
        }
        Diagram::read(rows, turn).or_else(|(row, error)| {
            let error = LineError { line: numbers[row], error };
            let tidy = rows.map(squares);
            let position = Diagram::read(tidy.each_ref().map(String::as_str), turn).map_err(|_| error.clone())?;
            self.slips.push(Slip { error, reading: format!("read as {}", tidy[row]) });
            Ok(position)
        })
    }
}

/// Line in capitals without blanks around it.
fn tidy(line: &str) -> String {
    line.chars().filter_map(visible).collect::<String>().trim().to_uppercase()
}

/// Row of the board without blanks between its squares, or without the words behind it.
fn squares(line: &str) -> String {
    let line: String = line.chars().filter_map(visible).collect();
    let joined: String = line.split_whitespace().collect();
    if is_row(&joined) { joined } else { line.split_whitespace().next().unwrap_or_default().to_owned() }
}

/// ASCII for a full-width form. `None` for a character without a width, as a file in UTF-16 seems to have.
fn visible(letter: char) -> Option<char> {
    match letter {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(letter) - 0xfee0),
        '\0' | '\u{feff}' | '\u{fffd}' | '\u{200b}'..='\u{200f}' => None,
        _ => Some(letter),
    }
}

fn is_row(text: &str) -> bool {
    text.len() == 8 && text.chars().all(|letter| ".wbWB".contains(letter))
}

fn color(text: &str) -> Option<Color> {
    match text {
        "BLACK" => Some(Color::Black),
        "WHITE" => Some(Color::White),
        _ => None,
    }
}

impl fmt::Display for TurnRequest {
    /// Writes the text of an input file: eleven lines, with the time in plain decimals, rounded down to microseconds.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mode = if self.mode == Mode::Single { "SINGLE" } else { "GAME" };
        let side = if self.position.turn() == Color::Black { "BLACK" } else { "WHITE" };
        // §2: the time is above 0.
        let left = self.left.max(Duration::from_micros(1));
        let seconds = format!("{}.{:06}", left.as_secs(), left.subsec_micros());
        let seconds = seconds.trim_end_matches('0').trim_end_matches('.');
        write!(f, "{mode}\n{side}\n{seconds}\n{}", Diagram(&self.position))
    }
}

fn seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    (seconds.is_finite() && seconds > 0.0).then(|| Duration::from_secs_f64(seconds.min(LONGEST_SECONDS)))
}

/// Seconds with a decimal comma or a unit.
fn loose_seconds(text: &str) -> Option<Duration> {
    let text = tidy(text).replace(',', ".");
    let units = ["SECONDS", "SECOND", "SECS", "SEC", "S"];
    let number = units.iter().find_map(|unit| text.strip_suffix(unit)).unwrap_or(&text);
    seconds(number.trim_end())
}

impl InputError {
    /// Returns true if there is no input file.
    pub fn is_missing(&self) -> bool {
        matches!(self, InputError::Unreadable { error, .. } if error.kind() == io::ErrorKind::NotFound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = ".b.b.b.b\nb.b.b.b.\n.b.b.b.b\n........\n........\nw.w.w.w.\n.w.w.w.w\nw.w.w.w.\n";

    fn with_time(time: &str) -> Result<TurnRequest, LineError> {
        TurnRequest::parse(&format!("GAME\nBLACK\n{time}\n{BOARD}"))
    }

    #[test]
    fn crlf_trailing_blanks_and_odd_numbers_are_read() {
        let plain = with_time("300").unwrap();
        assert_eq!((plain.mode, plain.left, plain.position), (Mode::Game, Duration::from_secs(300), Position::start()));
        let crlf = format!("GAME\nBLACK\n300\n{BOARD}\n\n").replace('\n', " \r\n");
        assert_eq!(TurnRequest::parse(&crlf).unwrap(), plain);
        assert_eq!(TurnRequest::parse(format!("GAME\nBLACK\n300\n{BOARD}").trim_end()).unwrap(), plain);
        for (text, seconds) in [("5.63999999999997", 5.639_999_999_999_97), ("1e-05", 1e-5), ("0.01", 0.01)] {
            let left = with_time(text).unwrap().left.as_secs_f64();
            assert!((left - seconds).abs() < 1e-8, "{text}");
        }
        with_time("1e300").unwrap();
    }

    #[test]
    fn written_request_round_trip() {
        for (micros, text) in [(300_000_000, "300"), (299_930_000, "299.93"), (10_000, "0.01"), (1, "0.000001")] {
            let request = TurnRequest { left: Duration::from_micros(micros), ..with_time("1").unwrap() };
            assert_eq!(request.to_string(), format!("GAME\nBLACK\n{text}\n{BOARD}"));
            assert_eq!(TurnRequest::parse(&request.to_string()).unwrap(), request);
        }
        assert_eq!(
            TurnRequest { left: Duration::ZERO, ..with_time("1").unwrap() }.to_string().lines().nth(2),
            Some("0.000001")
        );
    }

    #[test]
    fn an_error_names_its_line() {
        for time in ["nan", "inf", "-1", "0", "0.0", "", "ten", "1,5", "-0", "NaN", "infinity"] {
            assert_eq!(with_time(time).unwrap_err().line, 3, "{time}");
        }
        let line_of = |text: &str| TurnRequest::parse(text).unwrap_err().line;
        assert_eq!(line_of(""), 1);
        assert_eq!(line_of("single\nBLACK\n1\n"), 1);
        assert_eq!(line_of("SINGLE\nGREEN\n1\n"), 2);
        assert_eq!(line_of("SINGLE\nBLACK\n1\n........\n"), 5);
        let full = format!("SINGLE\nBLACK\n1\n{BOARD}");
        assert_eq!(line_of(&format!("{full}........\n")), 12);
        assert_eq!(line_of(&full.replacen(".b.b.b.b", "b.b.b.b.", 1)), 4);
        assert_eq!(line_of(&full.replacen("w.w.w.w.", "w.w.w.w", 1)), 9);
        assert_eq!(line_of(&full.replacen("........", "...q....", 1)), 7);
        assert_eq!(line_of(&full.replacen("........", "...\u{e9}....", 1)), 7);
        // Whatever is recovered with a warning.
        for (old, new) in [("SINGLE", "single"), ("\n1\n", "\n1 s\n"), ("SINGLE", "\nSINGLE"), (".b.b", " .b.b")] {
            let text = full.replacen(old, new, 1);
            let warnings = TurnRequest::recover(&text).unwrap().warnings;
            assert_eq!(warnings.len(), 1, "{warnings:?}");
            assert!(warnings[0].starts_with(&format!("input.txt, {}; ", TurnRequest::parse(&text).unwrap_err())));
        }
    }

    #[test]
    fn odd_boards_are_accepted_with_a_warning() {
        let text = "SINGLE\nWHITE\n1\n.w......\n........\n........\n........\n........\n........\n........\n..b.w...\n";
        let request = TurnRequest::parse(text).unwrap();
        assert_eq!(request.warnings.len(), 2, "{:?}", request.warnings);
    }
}
