//! Games in the Smart Game Format: `(;FF[4]GM[9]SZ[8];B[b1-b3];W[a2-c2])`.
//!
//! Source: the format's description at red-bean.com/sgf, of which loa.html is about this game.

mod nodes;
mod read;

use std::fmt;
use std::time::Duration;

use super::moves::Move;
use super::notation::Notation;
use super::position::Position;
use crate::game::{Color, Game, History, Outcome};

/// A game on a board of `N` columns and rows, whole or in part.
///
/// ```
/// use kingline::game::{Game};
/// use kingline::loa::{Position, sgf};
///
/// let mut record = sgf::Record::new(Position::<8>::start());
/// record.play(record.position().parse_move("b1-b3")?);
/// let text = record.to_string();
/// assert!(text.starts_with("(;FF[4]GM[9]") && text.ends_with("\n;B[b1-b3])\n"));
/// assert_eq!(text.parse(), Ok(record));
/// # Ok::<(), kingline::game::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<const N: usize = 8> {
    about: About,
    /// Before the first move, and after each; never empty.
    positions: Vec<Position<N>>,
    moves: Vec<Move>,
    /// What the mover had left after each move, where that is known.
    clocks: Vec<Option<Duration>>,
    result: Option<Outcome>,
}

/// What is told about a game apart from its moves; what is empty is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// Where it was played, `EV`.
    pub event: String,
    /// Black's and White's player, `PB` and `PW`.
    pub players: [String; 2],
    /// Anything else, lines with `\n` between them, `GC`.
    pub comment: String,
}

/// Moves on a line of the file.
const MOVES_A_LINE: usize = 8;

impl<const N: usize> Record<N> {
    /// A game from `start`, without moves or a result.
    pub fn new(start: Position<N>) -> Record<N> {
        Record { about: About::default(), positions: vec![start], moves: Vec::new(), clocks: Vec::new(), result: None }
    }

    /// Sets what is told about the game. Control characters become blanks, apart from the ends of the comment's lines.
    pub fn set_about(&mut self, about: About) {
        let one_line = |text: &str| text.replace(char::is_control, " ");
        self.about = About {
            event: one_line(&about.event),
            players: about.players.map(|name| one_line(&name)),
            comment: about.comment.split('\n').map(one_line).collect::<Vec<_>>().join("\n"),
        };
    }

    /// Plays a legal move; the game has no result then.
    pub fn play(&mut self, mv: Move) {
        self.positions.push(self.position().play(mv));
        self.moves.push(mv);
        self.clocks.push(None);
        self.result = None;
    }

    /// Sets what the player of the last move had left after it, in whole microseconds.
    pub fn set_clock(&mut self, left: Duration) {
        let whole = Duration::new(left.as_secs(), left.subsec_micros() * 1000);
        if let Some(clock) = self.clocks.last_mut() {
            *clock = Some(whole);
        }
    }

    /// Takes all moves back but the first `moves`; the game has no result then.
    pub fn take_back_to(&mut self, moves: usize) {
        self.positions.truncate(moves + 1);
        self.moves.truncate(moves);
        self.clocks.truncate(moves);
        self.result = None;
    }

    /// Sets how the game ended; `None`: it has not, or nobody knows.
    pub fn set_result(&mut self, result: Option<Outcome>) {
        self.result = result;
    }

    /// What is told about the game.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// The position after the moves so far.
    pub fn position(&self) -> Position<N> {
        self.positions[self.positions.len() - 1]
    }

    /// The position before the first move, and those after each.
    pub fn positions(&self) -> &[Position<N>] {
        &self.positions
    }

    /// The moves so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// What the mover had left after each of the moves, where that is known.
    pub fn clocks(&self) -> &[Option<Duration>] {
        &self.clocks
    }

    /// How the game ended, if it has.
    pub fn result(&self) -> Option<Outcome> {
        self.result
    }

    /// The game as a search must know it.
    pub fn history(&self) -> History<Position<N>> {
        let mut history = History::new(self.positions[0]);
        self.moves.iter().for_each(|&mv| history.play(mv));
        history
    }
}

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
            // The board is empty before the pieces are put on it.
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

/// A property whose value is any text; nothing where it is empty.
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
    use super::*;

    #[test]
    fn names_clocks_and_comments_go_there_and_back() {
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
    fn six_columns_and_rows_are_another_game() {
        let text = "(;GM[9]SZ[6];B[b1-b3])";
        assert_eq!(
            text.parse::<Record<6>>().unwrap().position().to_string(),
            "-bbbb-/w----w/w----w/wb---w/w----w/--bbb- white"
        );
        assert!(text.parse::<Record>().unwrap_err().to_string().contains("found \"6\", expected SZ[8]"));
        for (text, told) in [
            ("(;GM[9];B[b1-b3])", "found \"no SZ\", expected SZ[6], a board of 6x6"),
            ("(;GM[9]SZ[6]AB[g1])", "found \"g1\", expected a square of a board of 6x6"),
            ("(;GM[9]SZ[6]AB[a1:a7])", "found \"a1:a7\", expected a square"),
        ] {
            let error = text.parse::<Record<6>>().unwrap_err();
            assert!(error.to_string().contains(told), "{error}");
        }
    }
}
