//! input.txt: the request for a turn.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::checkers::{Diagram, Piece, Position, Square};
use crate::files::read_text;
use crate::game::{Color, Game, LineError, ParseError};

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
    /// Oddities of a board that is still playable, one sentence each.
    pub warnings: Vec<String>,
}

/// Reason why input.txt is not a request.
#[derive(Debug)]
pub struct InputError {
    file: PathBuf,
    problem: Problem,
}

#[derive(Debug)]
enum Problem {
    Unreadable(io::Error),
    Line(LineError),
}

/// Longest time, about a century. Longer times are reduced to it.
const LONGEST_SECONDS: f64 = 3.2e9;
/// Description of a valid line 3, for errors.
const SECONDS: &str = "seconds left, a number above 0";

impl TurnRequest {
    /// Reads an input file.
    ///
    /// # Errors
    /// The file cannot be read, or a line is wrong: what was found there, and what was expected.
    pub fn read(path: &Path) -> Result<TurnRequest, InputError> {
        let error = |problem| InputError { file: path.to_path_buf(), problem };
        let text = read_text(path).map_err(|cause| error(Problem::Unreadable(cause)))?;
        TurnRequest::parse(&text).map_err(|cause| error(Problem::Line(cause)))
    }

    /// Reads the text of an input file. Beyond the contract it accepts CR before LF, trailing blanks, a missing last
    /// newline, blank lines at the end and a byte order mark.
    ///
    /// # Errors
    /// A line is wrong: its number, what was found there, and what was expected.
    pub fn parse(text: &str) -> Result<TurnRequest, LineError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        let line = |number: usize, expected: &str| match lines.get(number - 1) {
            None => Err(LineError::missing(number, "the end of the file", expected)),
            Some(&"") => Err(LineError::missing(number, "a blank line", expected)),
            Some(&text) => Ok(text),
        };
        let expected = "SINGLE or GAME";
        let mode = match line(1, expected)? {
            "SINGLE" => Mode::Single,
            "GAME" => Mode::Game,
            other => return Err(LineError::new(1, other, expected)),
        };
        let expected = "BLACK or WHITE";
        let turn = match line(2, expected)? {
            "BLACK" => Color::Black,
            "WHITE" => Color::White,
            other => return Err(LineError::new(2, other, expected)),
        };
        let left = seconds(line(3, SECONDS)?).map_err(|error| LineError { line: 3, error })?;
        let mut rows = [""; 8];
        for (index, row) in rows.iter_mut().enumerate() {
            let expected = format!("row {} of the board (eight rows, no blank lines between)", 8 - index);
            *row = line(index + 4, &expected)?;
        }
        if let Some((number, extra)) = (1..).zip(&lines).skip(11).find(|(_, line)| !line.is_empty()) {
            return Err(LineError::new(number, extra, "nothing after the eight rows of the board"));
        }
        let position = Diagram::read(rows, turn).map_err(|(row, error)| LineError { line: row + 4, error })?;
        Ok(TurnRequest { mode, left, position, warnings: oddities(&position) })
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

fn seconds(text: &str) -> Result<Duration, ParseError> {
    let wrong = || ParseError::new(text, SECONDS);
    let seconds: f64 = text.parse().map_err(|_| wrong())?;
    if !seconds.is_finite() || seconds <= 0.0 {
        return Err(wrong());
    }
    Ok(Duration::from_secs_f64(seconds.min(LONGEST_SECONDS)))
}

/// Oddities that no game leads to but that are playable, one sentence each.
fn oddities(position: &Position) -> Vec<String> {
    let mut found = Vec::new();
    for color in Color::ALL {
        if position.count(color) > 12 {
            found.push(format!("{color} has {} pieces, more than twelve; played as it stands", position.count(color)));
        }
        let far = if color == Color::Black { 0 } else { 7 };
        for square in Square::all().filter(|square| square.row() == far) {
            if position.at(square) == Some((color, Piece::Man)) {
                found.push(format!("{color}'s man on {square} is on its crowning row; it stays a man and cannot move"));
            }
        }
    }
    found
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.display();
        match &self.problem {
            Problem::Unreadable(error) => {
                write!(f, "cannot read {file}: {error}; expected a file with mode, side, seconds and board")
            }
            Problem::Line(error) => write!(f, "{file}, {error}"),
        }
    }
}

impl std::error::Error for InputError {}

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
    }

    #[test]
    fn odd_boards_are_accepted_with_a_warning() {
        let text = "SINGLE\nWHITE\n1\n.w......\n........\n........\n........\n........\n........\n........\n..b.w...\n";
        let request = TurnRequest::parse(text).unwrap();
        assert_eq!(request.warnings.len(), 2, "{:?}", request.warnings);
    }
}
