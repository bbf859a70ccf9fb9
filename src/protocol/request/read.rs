//! Parser of requests.

use std::io::{BufRead, BufReader, Read};

use super::{Request, RequestError};
use crate::game::{Color, LineError};
use crate::loa::{Position, Square};

/// Longest line of a request in bytes, including its newline.
const LONGEST_LINE: u64 = 1024;

impl Request {
    /// Reads a request (§2). Beyond the contract it accepts CR before LF, trailing blanks and a missing last newline.
    ///
    /// A driver may keep its end of the pipe open, so reading does not wait for anything after the request. Trailing
    /// input that has already arrived must be blank.
    ///
    /// # Errors
    /// A line is wrong, or the input cannot be read.
    pub fn read(input: impl Read) -> Result<Request, RequestError> {
        let mut lines = RequestLines { input: BufReader::new(input), number: 0 };
        let expected = "identify or move";
        let request = match lines.next(expected)?.as_str() {
            "identify" => Request::Identify,
            "move" => {
                let expected = "the turn number, an integer from 1 to 4294967295";
                let text = lines.next(expected)?;
                let turn = turn(&text).ok_or_else(|| lines.wrong(&text, expected))?;
                let expected = "6, the size of the board";
                let size = lines.next(expected)?;
                if size != "6" {
                    return Err(lines.wrong(&size, expected));
                }
                Request::Move { turn, position: lines.board()? }
            }
            other => return Err(lines.wrong(other, expected)),
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

    /// Reads the next line without trailing blanks. Invalid UTF-8 becomes U+FFFD.
    fn next(&mut self, expected: &str) -> Result<String, RequestError> {
        let mut bytes = Vec::new();
        self.number += 1;
        let read = self.input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes);
        let read = read.map_err(RequestError::Unreadable)?;
        let text = String::from_utf8_lossy(&bytes);
        if bytes.is_empty() {
            let missing = LineError::missing(self.number, "the end of the input", expected);
            return Err(RequestError::Line(missing));
        }
        if read as u64 == LONGEST_LINE && !bytes.ends_with(b"\n") {
            return Err(self.wrong(&text, format!("{expected}, in a line of at most {LONGEST_LINE} bytes")));
        }
        Ok(text.trim_end().to_owned())
    }

    /// Reads six rows, the highest first. Black (X) is to move.
    fn board(&mut self) -> Result<Position<6>, RequestError> {
        let mut placed = Vec::new();
        for number in 1..=6 {
            let line = self.next("six rows of the board")?;
            let count = line.chars().count();
            if count != 6 {
                return Err(self.wrong(&line, format!("6 squares in row {number}, not {count}")));
            }
            for (column, letter) in line.chars().enumerate() {
                let color = match letter {
                    '.' => continue,
                    'X' => Color::Black,
                    'O' => Color::White,
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
    use crate::game::Game;

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
    fn crlf_trailing_blanks_and_blank_lines_are_read() {
        for text in [FIRST, "identify\n"] {
            let plain = read(text).unwrap();
            assert_eq!(read(&text.replace('\n', "\r\n")).unwrap(), plain);
            assert_eq!(read(&text.replace('\n', " \t\r\n")).unwrap(), plain);
            assert_eq!(read(text.trim_end()).unwrap(), plain);
            assert_eq!(read(&format!("{text} \r\n\n")).unwrap(), plain);
        }
        read(&FIRST.replacen('1', "4294967295", 1)).unwrap();
    }

    #[test]
    fn an_error_names_its_line() {
        for (text, line) in [("", 1), ("\n", 1), ("moves\n1\n", 1), ("MOVE\n", 1), (" move\n", 1), ("move", 2)] {
            assert_eq!(wrong(text).0, line, "{text:?}");
        }
        for turn in ["0", "-1", "+1", "", "one", "1.0", "4294967296", "99999999999999999999", "1 2"] {
            assert_eq!(wrong(&FIRST.replacen('1', turn, 1)).0, 2, "{turn}");
        }
        for size in ["8", "06", "", "6x6", "six"] {
            assert_eq!(wrong(&FIRST.replacen('6', size, 1)).0, 3, "{size}");
        }
        let cut: String = FIRST.lines().take(8).collect::<Vec<_>>().join("\n");
        assert_eq!(wrong(&cut), (9, "six rows of the board".into()));
        assert_eq!(wrong(&FIRST.replacen(".XXXX.", ".XXX.", 1)), (4, "6 squares in row 1, not 5".into()));
        assert_eq!(wrong(&FIRST.replacen("O....O", "O.....O", 1)), (5, "6 squares in row 2, not 7".into()));
        assert_eq!(wrong(&FIRST.replacen("O....O", "", 1)), (5, "6 squares in row 2, not 0".into()));
        for letter in ["x", "o", "0", "b", "\u{e9}", "\0", " "] {
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
        Request::read(Open(vec!["identify\n"])).unwrap();
        for (endless, line) in [(&b"m"[..], 1), (b"move\n", 2), (b"move\n1\n6\nX.....     ", 4)] {
            match Request::read(endless.chain(std::io::repeat(b' '))) {
                Err(RequestError::Line(LineError { line: number, error })) => {
                    assert_eq!(number, line);
                    assert!(error.expected.ends_with("in a line of at most 1024 bytes"), "{error}");
                }
                other => panic!("{other:?}"),
            }
        }
    }
}
