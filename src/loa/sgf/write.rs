//! Writing records.

use std::fmt;

use super::record::{About, Record};
use crate::game::{Color, Game, Outcome};
use crate::loa::{Notation, Position};

/// Number of moves per line of the file.
const MOVES_A_LINE: usize = 8;

impl<const N: usize> fmt::Display for Record<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.positions[0];
        write!(f, "(;FF[4]GM[9]CA[UTF-8]AP[kingline:{}]SZ[{N}]", env!("CARGO_PKG_VERSION"))?;
        let About { event, players: [black, white], comment } = &self.about;
        for (name, value) in [("EV", event), ("PB", black), ("PW", white)] {
            write_text(f, name, value)?;
        }
        match self.result {
            Some(Outcome::Win(color)) => write!(f, "RE[{}+]", letter(color))?,
            Some(Outcome::Draw) => f.write_str("RE[Draw]")?,
            None => {}
        }
        write_text(f, "\nGC", comment)?;
        if start.with_turn(Color::Black) != Position::start() {
            // Custom setup starts from an empty board.
            f.write_str("SU[Custom]")?;
            for color in Color::ALL {
                let mut property = format!("A{}", letter(color));
                for (square, _) in start.placed().filter(|&(_, owner)| owner == color) {
                    write!(f, "{property}[{square}]")?;
                    property.clear();
                }
            }
            write!(f, "PL[{}]", letter(start.turn()))?;
        } else if start.turn() == Color::White {
            f.write_str("PL[W]")?;
        }
        for (index, (position, mv)) in self.positions.iter().zip(&self.moves).enumerate() {
            let line = if index % MOVES_A_LINE == 0 { "\n" } else { "" };
            let mover = letter(position.turn());
            write!(f, "{line};{mover}[{}]", position.notation_in(*mv, Notation::Sgf))?;
            if let Some(left) = self.clocks[index] {
                write!(f, "{mover}L[{}.{:06}]", left.as_secs(), left.subsec_micros())?;
            }
        }
        f.write_str(")\n")
    }
}

/// Writes a property with any text as its value, or nothing if the text is empty.
fn write_text(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    if value.is_empty() {
        return Ok(());
    }
    write!(f, "{name}[{}]", value.replace('\\', "\\\\").replace(']', "\\]"))
}

fn letter(color: Color) -> char {
    match color {
        Color::Black => 'B',
        Color::White => 'W',
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn names_clocks_and_comments_round_trip() {
        let mut record = Record::<6>::new(Position::start());
        record.set_about(About {
            event: "a\nb".into(),
            players: ["[x]\\".into(), ";W[a2-c2]".into()],
            comment: "one: (\r\n\ntwo\\]".into(),
        });
        record.play(record.position().parse_move("b1-b3").unwrap());
        record.set_clock(Duration::from_nanos(2_930_001_999));
        record.play(record.position().parse_move("a2-c2").unwrap());
        record.set_result(Some(Outcome::Draw));
        let text = record.to_string();
        assert!(
            text.contains("SZ[6]EV[a b]PB[[x\\]\\\\]PW[;W[a2-c2\\]]RE[Draw]\nGC[one: ( \n\ntwo\\\\\\]]\n"),
            "{text}"
        );
        assert!(text.ends_with(";B[b1-b3]BL[2.930001];W[a2-c2])\n"), "{text}");
        assert_eq!(text.parse(), Ok(record.clone()));
        assert_eq!(text.replace('\n', "\r\n").parse(), Ok(record.clone()));
        record.take_back_to(1);
        assert_eq!(record.clocks(), [Some(Duration::from_micros(2_930_001))]);
    }

    #[test]
    fn files_of_another_board_size_are_refused() {
        let text = "(;GM[9]SZ[6];B[b1-b3])";
        assert_eq!(
            text.parse::<Record<6>>().unwrap().position().to_string(),
            "-bbbb-/w----w/w----w/wb---w/w----w/--bbb- white"
        );
        assert!(text.parse::<Record>().unwrap_err().to_string().contains("found \"6\", expected SZ[8]"));
        for (text, wanted) in [
            ("(;GM[9];B[b1-b3])", "found \"no SZ\", expected SZ[6], the 6x6 board"),
            ("(;GM[9]SZ[6]AB[g1])", "found \"g1\", expected a square on the 6x6 board"),
            ("(;GM[9]SZ[6]AB[a1:a7])", "found \"a1:a7\", expected a square"),
        ] {
            let error = text.parse::<Record<6>>().unwrap_err();
            assert!(error.to_string().contains(wanted), "{error}");
        }
    }
}
