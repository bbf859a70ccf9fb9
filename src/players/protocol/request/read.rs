//! Parser of requests.

use std::io::{BufReader, Read};

use super::{Request, RequestError};
use kingline::game::{Color, LineError};
use kingline::loa::{Position, Square};

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

/// Lines of a request, read one by one.
struct RequestLines<R> {
    input: BufReader<R>,
    /// Number of lines read so far.
    number: usize,
}

impl<R: Read> RequestLines<R> {
    /// Error in the last line read.
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

#[cfg(test)]
mod tests {
    use super::*;
    use kingline::game::Game;

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
}
