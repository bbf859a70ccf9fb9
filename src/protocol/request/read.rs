use std::io::{BufRead, BufReader, Read};

use super::{Request, RequestError};
use crate::game::{Color, ParseError};
use crate::loa::{Position, Square};

/// No line of a request is longer, in bytes, its end included.
const LONGEST_LINE: u64 = 1024;

impl Request {
    /// Reads a request (§2). Accepted beyond the contract: CR before LF, trailing blanks, a missing
    /// last newline.
    ///
    /// It waits for no more than the request's own lines, since a driver may keep its end open; of
    /// what follows them only what has come with them is looked at, and must be blank.
    ///
    /// # Errors
    /// The number of the line, what was found there and what was expected; or that nothing can be
    /// read.
    pub fn read(input: impl Read) -> Result<Request, RequestError> {
        let mut lines = Lines { input: BufReader::new(input), number: 0 };
        let expected = "identify or move";
        let request = match lines.next(expected)?.as_str() {
            "identify" => Request::Identify,
            "move" => {
                let expected = "the number of the turn, a whole number from 1 to 4294967295";
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

/// The lines of a request as they come.
struct Lines<R> {
    input: BufReader<R>,
    /// Lines read so far.
    number: usize,
}

impl<R: Read> Lines<R> {
    /// The last line read is not what it should be.
    fn wrong(&self, found: &str, expected: impl Into<String>) -> RequestError {
        RequestError::Line(self.number, ParseError::new(found, expected))
    }

    /// The next line without trailing blanks; bytes that are no UTF-8 become U+FFFD.
    fn next(&mut self, expected: &str) -> Result<String, RequestError> {
        let mut bytes = Vec::new();
        self.number += 1;
        let read = self.input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes);
        let read = read.map_err(RequestError::Unreadable)?;
        let text = String::from_utf8_lossy(&bytes);
        if bytes.is_empty() {
            return Err(self.wrong("", format!("{expected}, not the end of the input")));
        }
        if read as u64 == LONGEST_LINE && !bytes.ends_with(b"\n") {
            return Err(self.wrong(&text, format!("{expected}, in a line of at most {LONGEST_LINE} bytes")));
        }
        Ok(text.trim_end().to_owned())
    }

    /// Six rows, the highest first; X is Black and to move.
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

    /// Nothing but blanks has come with the last line.
    fn end(self) -> Result<(), RequestError> {
        let rest = String::from_utf8_lossy(self.input.buffer());
        match (self.number + 1..).zip(rest.lines()).find(|(_, line)| !line.trim().is_empty()) {
            Some((number, line)) => {
                Err(RequestError::Line(number, ParseError::new(line, "nothing after the end of the request")))
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

    /// The number of the line that is wrong, and what was expected.
    fn wrong(text: &str) -> (usize, String) {
        match read(text) {
            Err(RequestError::Line(number, error)) => (number, error.expected),
            other => panic!("{text:?}: {other:?}"),
        }
    }

    #[test]
    fn requests_are_read_as_they_are_written() {
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
    fn the_forms_of_the_wild_are_read() {
        for text in [FIRST, "identify\n"] {
            let plain = read(text).unwrap();
            assert_eq!(read(&text.replace('\n', "\r\n")).unwrap(), plain);
            assert_eq!(read(&text.replace('\n', " \t\r\n")).unwrap(), plain);
            assert_eq!(read(text.trim_end()).unwrap(), plain);
            assert_eq!(read(&format!("{text} \r\n\n")).unwrap(), plain);
        }
        assert!(read(&FIRST.replacen('1', "4294967295", 1)).is_ok());
    }

    #[test]
    fn what_is_no_request_is_refused_with_its_line() {
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
        assert_eq!(wrong(&cut), (9, "six rows of the board, not the end of the input".into()));
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
    fn no_more_is_read_than_a_request_needs() {
        /// Text that comes line by line; to ask for more than there is is a mistake.
        struct Open<'a>(Vec<&'a str>);
        impl Read for Open<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
                let line = self.0.remove(0).as_bytes();
                buffer[..line.len()].copy_from_slice(line);
                Ok(line.len())
            }
        }
        assert!(Request::read(Open(FIRST.split_inclusive('\n').collect())).is_ok());
        assert!(Request::read(Open(vec!["identify\n"])).is_ok());
        for (endless, line) in [(&b"m"[..], 1), (b"move\n", 2), (b"move\n1\n6\nX.....     ", 4)] {
            match Request::read(endless.chain(std::io::repeat(b' '))) {
                Err(RequestError::Line(number, error)) => {
                    assert_eq!(number, line);
                    assert!(error.expected.ends_with("in a line of at most 1024 bytes"), "{error}");
                }
                other => panic!("{other:?}"),
            }
        }
    }
}
