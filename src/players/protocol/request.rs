//! Protocol of the 6x6 Lines of Action agent: one request on standard input, one answer on standard output.
//!
//! Sections (§) are those of the contract that the README summarizes. The agent plays X, which is Black here. The
//! protocol counts rows from the top, this library from the bottom.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `read` | what a request asks for |
//! | `answer` | how an answer states a move |

use std::io::{BufReader, Read};
use std::{fmt, io};

use thiserror::Error;

use super::slip::repair_blanks;
use crate::exit::ExitStatus;
use kingline::game::{Color, Game, LineError, ParseError};
use kingline::loa::{Move, Position, Square};

/// Answer to `identify`: 1 to 80 printable ASCII characters (§2).
pub const NAME: &str = concat!("kingline ", env!("CARGO_PKG_VERSION"));

/// Request to the agent (§2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// Request for the agent's name.
    Identify,
    /// Request for a move.
    Move {
        /// Turn number, 1-based.
        turn: u32,
        /// Board with Black (X) to move.
        position: Position<6>,
    },
}

/// Reason why there is no answer.
#[derive(Debug, Error)]
pub enum RequestError {
    /// Standard input could not be read.
    #[error("cannot read standard input: {0}; expected a request, identify or move")]
    Unreadable(io::Error),
    /// A line is wrong.
    #[error("{0}")]
    Line(LineError),
    /// X has no legal move in this position.
    #[error("the game is over: X is to move and has {}, so O has won", missing(.0))]
    GameOver(Position<6>),
    /// Standard output could not be written.
    #[error("cannot write the answer to standard output: {0}")]
    Output(io::Error),
}

fn missing(position: &Position<6>) -> &'static str {
    if position.count(Color::Black) == 0 { "no checkers" } else { "no legal move" }
}

/// Position as the agent sees it: the side to move is X, which is Black (§2). Moves keep their squares.
pub fn as_x(position: &Position<6>) -> Position<6> {
    if position.turn() == Color::Black { *position } else { position.exchanged() }
}

/// Rows of the board as in a request, the top row first.
pub fn rows(position: &Position<6>) -> [String; 6] {
    std::array::from_fn(|row| {
        let squares = position.row(5 - row).map(|letter| match letter {
            'b' => 'X',
            'w' => 'O',
            _ => '.',
        });
        squares.collect()
    })
}

impl fmt::Display for Request {
    /// Writes the lines of the request.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Request::Identify => writeln!(f, "identify"),
            Request::Move { turn, position } => writeln!(f, "move\n{turn}\n6\n{}", rows(position).join("\n")),
        }
    }
}

impl RequestError {
    /// Exit status of a program without an answer.
    pub fn exit_status(&self) -> ExitStatus {
        match self {
            RequestError::Output(_) => ExitStatus::Failed,
            RequestError::Unreadable(_) | RequestError::Line(_) => ExitStatus::BadInput,
            RequestError::GameOver(_) => ExitStatus::GameOver,
        }
    }
}

/// Longest line of a request in bytes, including its newline.
const LONGEST_LINE: usize = 1024;
/// Most lines of a request, blank ones included.
const MOST_LINES: usize = 1024;

impl Request {
    /// Reads a request (§2). Beyond the contract it accepts a byte order mark, blank lines, blanks at both ends of a line,
    /// CR before LF, small letters and a missing last newline.
    ///
    /// A driver may keep its end of the pipe open, so reading ends with the last square, whether or not its newline has
    /// arrived. Trailing input that has arrived with it must be blank.
    ///
    /// # Errors
    /// A line is wrong, or the input cannot be read.
    pub fn read(input: impl Read) -> Result<Request, RequestError> {
        let mut lines = RequestLines { input: BufReader::new(input), number: 0 };
        let expected = "identify or move";
        let first = lines.next(expected, |text| text.eq_ignore_ascii_case("identify"))?;
        let request = match first.to_ascii_lowercase().as_str() {
            "identify" => Request::Identify,
            "move" => {
                let expected = "the turn number, an integer from 1 to 4294967295";
                let text = lines.next(expected, |_| false)?;
                let turn = turn(&text).ok_or_else(|| lines.wrong(&text, expected))?;
                let expected = "6, the size of the board";
                let size = lines.next(expected, |_| false)?;
                if size != "6" {
                    return Err(lines.wrong(&size, expected));
                }
                Request::Move { turn, position: lines.board()? }
            }
            _ => return Err(lines.wrong(&first, expected)),
        };
        lines.end()?;
        Ok(request)
    }
}

fn turn(text: &str) -> Option<u32> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|&turn| digits && turn > 0)
}

struct RequestLines<R> {
    input: BufReader<R>,
    number: usize,
}

impl<R: Read> RequestLines<R> {
    fn wrong(&self, found: &str, expected: impl Into<String>) -> RequestError {
        RequestError::Line(LineError::new(self.number, found, expected))
    }

    /// Reads the next line that is not blank, without blanks at its ends. Invalid UTF-8 becomes U+FFFD. A text that
    /// `is_whole` needs no newline.
    fn next(&mut self, expected: &str, is_whole: impl Fn(&str) -> bool) -> Result<String, RequestError> {
        loop {
            let bytes = self.line(&is_whole)?;
            let text = String::from_utf8_lossy(&bytes);
            let text = text.trim_start_matches('\u{feff}').trim();
            if bytes.is_empty() || self.number > MOST_LINES {
                let found = if bytes.is_empty() { "the end of the input" } else { "nothing but blank lines" };
                return Err(RequestError::Line(LineError::missing(self.number, found, expected)));
            }
            if bytes.len() == LONGEST_LINE && !bytes.ends_with(b"\n") {
                return Err(self.wrong(text, format!("{expected}, in a line of at most {LONGEST_LINE} bytes")));
            }
            if !text.is_empty() {
                return Ok(text.to_owned());
            }
        }
    }

    /// Reads to the end of the line or of the input, or until everything that has arrived is a whole text.
    fn line(&mut self, is_whole: impl Fn(&str) -> bool) -> Result<Vec<u8>, RequestError> {
        let mut bytes = Vec::new();
        self.number += 1;
        while bytes.len() < LONGEST_LINE {
            let Some(byte) = self.input.by_ref().bytes().next() else { break };
            bytes.push(byte.map_err(RequestError::Unreadable)?);
            let is_all = || self.input.buffer().is_empty() && is_whole(String::from_utf8_lossy(&bytes).trim());
            if bytes.ends_with(b"\n") || is_all() {
                break;
            }
        }
        Ok(bytes)
    }

    /// Reads six rows, the highest first. Black (X) is to move.
    fn board(&mut self) -> Result<Position<6>, RequestError> {
        let mut placed = Vec::new();
        for number in 1..=6 {
            let line = self.next("six rows of the board", |text| number == 6 && text.chars().count() >= 6)?;
            let count = line.chars().count();
            if count != 6 {
                return Err(self.wrong(&line, format!("6 squares in row {number}, not {count}")));
            }
            for (column, letter) in line.chars().enumerate() {
                let color = match letter {
                    '.' => continue,
                    'X' | 'x' => Color::Black,
                    'O' | 'o' => Color::White,
                    _ => return Err(self.wrong(&line, format!("only . X and O in row {number}"))),
                };
                placed.extend(Square::at(column, 6 - number).map(|square| (square, color)));
            }
        }
        Ok(Position::new(Color::Black, placed))
    }

    /// Checks that trailing input that has already arrived is blank.
    fn end(self) -> Result<(), RequestError> {
        let rest = String::from_utf8_lossy(self.input.buffer());
        match (self.number + 1..).zip(rest.lines()).find(|(_, line)| !line.trim().is_empty()) {
            Some((number, line)) => {
                Err(RequestError::Line(LineError::new(number, line, "nothing after the end of the request")))
            }
            None => Ok(()),
        }
    }
}

/// Line that answers a request with this move, including the newline: `D1B3`, with rows counted from the top (§2).
pub fn write_answer(mv: Move) -> String {
    format!("{}{}\n", name(mv.from()), name(mv.to()))
}

fn name(square: Square) -> String {
    format!("{}{}", char::from(b'A' + square.column() as u8), 6 - square.row())
}

/// Finds the legal move in `position` that an answer names in exactly the form of [`write_answer`].
///
/// # Errors
/// The text names no legal move.
pub fn read_answer(text: &str, position: &Position<6>) -> Result<Move, ParseError> {
    let list = position.legal_moves();
    let found = list.iter().copied().find(|&mv| write_answer(mv) == text);
    found.ok_or_else(|| ParseError::new(text, "a line with a legal move like D1B3"))
}

/// Returns true if a line, without its newline, is a well-formed answer, legal or not.
pub fn is_answer(line: &str) -> bool {
    matches!(line.as_bytes(), [b'A'..=b'F', b'1'..=b'6', b'A'..=b'F', b'1'..=b'6'])
}

/// Small mistake that makes an answer ill-formed, such as blanks or letter case: `ends in a blank`, to follow "the
/// answer". `None` if the answer is well-formed or wrong in another way.
pub fn line_slip(line: &str) -> Option<String> {
    let repaired = repair_blanks(line);
    let (capitals, joined) = (repaired.text.to_uppercase(), repaired.text.to_uppercase().replace([' ', '-'], ""));
    let repaired = repaired.with(capitals, "has lowercase letters").with(joined, "has something between its squares");
    is_answer(&repaired.text).then(|| repaired.in_words()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// §2.
    const FIRST: &str = "move\n1\n6\n.XXXX.\nO....O\nO....O\nO....O\nO....O\n.XXXX.\n";

    fn read(text: &str) -> Result<Request, RequestError> {
        Request::read(text.as_bytes())
    }

    /// Number of the wrong line, and what was expected.
    fn wrong(text: &str) -> (usize, String) {
        match read(text) {
            Err(RequestError::Line(LineError { line, error })) => (line, error.expected),
            other => panic!("{text:?}: {other:?}"),
        }
    }

    #[test]
    fn requests_round_trip() {
        let first = Request::Move { turn: 1, position: Position::start() };
        assert_eq!((read(FIRST).unwrap(), first.to_string().as_str()), (first, FIRST));
        assert_eq!(read(&Request::Identify.to_string()).unwrap(), Request::Identify);
        // Row 1 is the highest here, and the lowest in the library's own notation.
        let text = "move\n17\n6\nX.....\n......\n..O...\n......\n......\n.....O\n";
        let Request::Move { turn, position } = read(text).unwrap() else { panic!("a move is asked for") };
        assert_eq!((turn, position.to_string().as_str()), (17, "b-----/------/--w---/------/------/-----w black"));
        assert_eq!(Request::Move { turn, position }.to_string(), text);
    }

    #[test]
    fn the_forms_that_drivers_send_are_read() {
        for text in [FIRST, "identify\n"] {
            let plain = read(text).unwrap();
            for form in [
                text.replace('\n', "\r\n"),
                text.replace('\n', " \t\r\n"),
                text.replace('\n', "\n\n"),
                text.trim_end().to_owned(),
                text.to_lowercase(),
                text.to_uppercase(),
                format!("{text} \r\n\n"),
                format!("\n{text}"),
                format!("\u{feff}{text}"),
                format!("\u{feff}\r\n \t{text}"),
                format!("{}{text}", "\n".repeat(900)),
            ] {
                assert_eq!(read(&form).unwrap(), plain, "{form:?}");
            }
        }
        read(&FIRST.replacen('1', "4294967295", 1)).unwrap();
    }

    #[test]
    fn an_error_names_its_line() {
        for (text, line) in [("", 1), ("\n", 2), ("moves\n1\n", 1), ("\n\nmov\n", 3), ("mo ve\n", 1), ("move", 2)] {
            assert_eq!(wrong(text).0, line, "{text:?}");
        }
        for turn in ["0", "-1", "+1", "one", "1.0", "4294967296", "99999999999999999999", "1 2"] {
            assert_eq!(wrong(&FIRST.replacen('1', turn, 1)).0, 2, "{turn}");
        }
        for size in ["8", "06", "6x6", "six"] {
            assert_eq!(wrong(&FIRST.replacen('6', size, 1)).0, 3, "{size}");
        }
        let cut: String = FIRST.lines().take(8).collect::<Vec<_>>().join("\n");
        assert_eq!(wrong(&cut), (9, "six rows of the board".into()));
        assert_eq!(wrong(&FIRST.replacen(".XXXX.", ".XXX.", 1)), (4, "6 squares in row 1, not 5".into()));
        assert_eq!(wrong(&FIRST.replacen("O....O", "O.....O", 1)), (5, "6 squares in row 2, not 7".into()));
        assert_eq!(wrong(&FIRST.replacen("O....O", "", 1)), (10, "six rows of the board".into()));
        for letter in ["0", "b", "\u{e9}", "\0", " "] {
            let text = FIRST.replacen("O....O", &format!("O..{letter}.O"), 1);
            assert_eq!(wrong(&text), (5, "only . X and O in row 2".into()), "{letter}");
        }
        for (text, line) in [("......\n", 10), ("\nmove\n", 11), ("X", 10)] {
            assert_eq!(wrong(&format!("{FIRST}{text}")), (line, "nothing after the end of the request".into()));
        }
        assert_eq!(wrong("identify\nidentify\n").0, 2);
    }

    #[test]
    fn a_request_is_read_without_waiting_for_more() {
        /// Text that arrives line by line. Reading past its end panics.
        struct Open<'a>(Vec<&'a str>);
        impl Read for Open<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
                let line = self.0.remove(0).as_bytes();
                buffer[..line.len()].copy_from_slice(line);
                Ok(line.len())
            }
        }
        Request::read(Open(FIRST.split_inclusive('\n').collect())).unwrap();
        for last in [FIRST.trim_end(), "identify"] {
            let bytes: Vec<&str> = last.split("").filter(|byte| !byte.is_empty()).collect();
            assert_eq!(Request::read(Open(bytes)).unwrap(), read(last).unwrap());
        }
        let mut squares = FIRST.trim_end().to_owned() + "X";
        assert_eq!(wrong(&squares), (9, "6 squares in row 6, not 7".into()));
        squares.truncate(squares.len() - 2);
        assert_eq!(wrong(&squares), (9, "6 squares in row 6, not 5".into()));
        for (endless, line) in [(&b"m"[..], 1), (b"move\n", 2), (b"move\n1\n6\nX.....     ", 4)] {
            match Request::read(endless.chain(std::io::repeat(b' '))) {
                Err(RequestError::Line(LineError { line: number, error })) => {
                    assert_eq!(number, line);
                    assert!(error.expected.ends_with("in a line of at most 1024 bytes"), "{error}");
                }
                other => panic!("{other:?}"),
            }
        }
        let error = Request::read(std::io::repeat(b'\n')).unwrap_err().to_string();
        assert!(error.contains("found nothing but blank lines"), "{error}");
    }

    #[test]
    fn rows_count_from_the_top() {
        let position = Position::start();
        // §2: two squares down and left from the top row.
        let mv = position.parse_move("d6-b4").unwrap();
        assert_eq!(write_answer(mv), "D1B3\n");
        assert_eq!(read_answer("D1B3\n", &position), Ok(mv));
    }

    #[test]
    fn small_mistakes_in_a_line_are_named() {
        for (line, slip) in [
            ("D1B3", None),
            ("D1B3 ", Some("ends in a blank")),
            ("D1B3\r", Some("ends in CR")),
            ("d1b3", Some("has lowercase letters")),
            ("D1-B3", Some("has something between its squares")),
            ("D1 b3", Some("has lowercase letters and has something between its squares")),
            ("", None),
            ("D1B9 ", None),
            ("my move: D1B3", None),
        ] {
            assert_eq!(line_slip(line).as_deref(), slip, "{line:?}");
        }
    }

    #[test]
    fn only_legal_moves_are_accepted() {
        for text in ["", "\n", "D1B3", "D1B3 \n", "d1b3\n", "D1-B3\n", "D6B4\nD1B3\n", "A1B2\n", "D1D2\n"] {
            let error = read_answer(text, &Position::start()).unwrap_err();
            assert_eq!(error.expected, "a line with a legal move like D1B3", "{text:?}");
        }
    }
}
