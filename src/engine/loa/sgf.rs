//! Game records in the Smart Game Format: `(;FF[4]GM[9]SZ[8];B[b1-b3];W[a2-c2])`.
//!
//! Source: the description of the format at red-bean.com/sgf. Its page loa.html covers Lines of Action.

mod nodes;
mod read;

use std::fmt;
use std::time::Duration;

use super::{Move, Notation, Position};
use crate::game::{Annotation, Color, Game, Glyph, History, Outcome};
pub use read::{ReadGame, Tree, trees};

/// A game on a board of `N` columns and rows, finished or not.
///
/// ```
/// use kingline::game::Game;
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
    /// Positions before the first move and after each; never empty.
    positions: Vec<Position<N>>,
    moves: Vec<Move>,
    /// Remaining time of the mover after each move, if known.
    clocks: Vec<Option<Duration>>,
    result: Option<Outcome>,
}

/// Facts about a game besides its moves. Empty means unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// Name of the event, `EV`.
    pub event: String,
    /// Names of the players, Black's first, `PB` and `PW`.
    pub players: [String; 2],
    /// Any other text, with `\n` between lines, `GC`.
    pub comment: String,
}

impl<const N: usize> Record<N> {
    /// Creates a game from `start`, without moves or a result.
    pub fn new(start: Position<N>) -> Record<N> {
        Record { about: About::default(), positions: vec![start], moves: Vec::new(), clocks: Vec::new(), result: None }
    }

    /// Sets the facts about the game. Control characters become spaces, except the comment's line breaks.
    pub fn set_about(&mut self, about: About) {
        let one_line = |text: &str| text.replace(char::is_control, " ");
        self.about = About {
            event: one_line(&about.event),
            players: about.players.map(|name| one_line(&name)),
            comment: about.comment.split('\n').map(one_line).collect::<Vec<_>>().join("\n"),
        };
    }

    /// Plays a legal move and clears the result.
    pub fn play(&mut self, mv: Move) {
        self.positions.push(self.position().play(mv));
        self.moves.push(mv);
        self.clocks.push(None);
        self.result = None;
    }

    /// Sets the remaining time of the player who made the last move, truncated to microseconds.
    pub fn set_clock(&mut self, left: Duration) {
        let whole = Duration::new(left.as_secs(), left.subsec_micros() * 1000);
        if let Some(clock) = self.clocks.last_mut() {
            *clock = Some(whole);
        }
    }

    /// Undoes all but the first `moves` moves and clears the result.
    pub fn take_back_to(&mut self, moves: usize) {
        self.positions.truncate(moves + 1);
        self.moves.truncate(moves);
        self.clocks.truncate(moves);
        self.result = None;
    }

    /// Sets the result of the game; `None` if it is not over or the result is unknown.
    pub fn set_result(&mut self, result: Option<Outcome>) {
        self.result = result;
    }

    /// Facts about the game.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// Position after the moves so far.
    pub fn position(&self) -> Position<N> {
        self.positions[self.positions.len() - 1]
    }

    /// Positions before the first move and after each.
    pub fn positions(&self) -> &[Position<N>] {
        &self.positions
    }

    /// Moves so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Remaining time of the mover after each move, if known.
    pub fn clocks(&self) -> &[Option<Duration>] {
        &self.clocks
    }

    /// Result of the game, if it is over and the result is known.
    pub fn result(&self) -> Option<Outcome> {
        self.result
    }

    /// Converts the game to the history that a search needs.
    pub fn history(&self) -> History<Position<N>> {
        let mut history = History::new(self.positions[0]);
        self.moves.iter().for_each(|&mv| history.play(mv));
        history
    }
}

const MOVES_A_LINE: usize = 8;

impl<const N: usize> fmt::Display for Record<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, "", &[])
    }
}

impl<const N: usize> Record<N> {
    /// Writes the record with comments: `opening` in the root, and one annotation for each of the first moves. Better
    /// play is a variation after the game's own moves. The properties for judgments are `BM[1]` (a mistake), `BM[2]` (a
    /// blunder), `DO[]` (dubious) and `TE[1]` (the only good move).
    pub fn annotated(&self, opening: &str, notes: &[Annotation<Move>]) -> String {
        let mut text = String::new();
        // Writing to a string never fails.
        let _ = self.write(&mut text, opening, notes);
        text
    }

    fn write(&self, f: &mut impl fmt::Write, opening: &str, notes: &[Annotation<Move>]) -> fmt::Result {
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
        write_text(f, "\nC", opening)?;
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
        // A variation is a tree beside that of the move that it replaces and of all later ones.
        let mut variations = Vec::new();
        for (index, (position, &mv)) in self.positions.iter().zip(&self.moves).enumerate() {
            let note = notes.get(index);
            let variation = note.map_or(&[][..], |note| &note.variation);
            if !variation.is_empty() {
                variations.push((*position, variation));
                f.write_str("\n(")?;
            } else if index % MOVES_A_LINE == 0 {
                f.write_str("\n")?;
            }
            write_move(f, position, mv)?;
            if let Some(left) = self.clocks[index] {
                write!(f, "{}L[{}.{:06}]", letter(position.turn()), left.as_secs(), left.subsec_micros())?;
            }
            if let Some(note) = note {
                f.write_str(note.glyph.map_or("", property))?;
                write_text(f, "C", &note.comment)?;
            }
        }
        for (mut position, moves) in variations.into_iter().rev() {
            f.write_str(")\n(")?;
            for &mv in moves {
                write_move(f, &position, mv)?;
                position = position.play(mv);
            }
            f.write_str(")")?;
        }
        f.write_str(")\n")
    }
}

fn write_move<const N: usize>(f: &mut impl fmt::Write, position: &Position<N>, mv: Move) -> fmt::Result {
    write!(f, ";{}[{}]", letter(position.turn()), position.notation_in(mv, Notation::Sgf))
}

/// Returns the property for a judgment; SGF has none for forced moves.
fn property(glyph: Glyph) -> &'static str {
    match glyph {
        Glyph::Mistake => "BM[1]",
        Glyph::Blunder => "BM[2]",
        Glyph::Dubious => "DO[]",
        Glyph::Singular => "TE[1]",
        Glyph::Forced => "",
    }
}

/// Writes a property with any text as its value, or nothing if the text is empty.
fn write_text(f: &mut impl fmt::Write, name: &str, value: &str) -> fmt::Result {
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
    fn annotations_and_variations_are_written_and_the_main_line_is_read_back() {
        let mut record = Record::<8>::new(Position::start());
        for text in ["b1-b3", "a2-c2", "c1-e3"] {
            record.play(record.position().parse_move(text).unwrap());
        }
        record.set_clock(Duration::from_secs(2));
        let [first, second, _] = record.positions()[..3] else { panic!("three positions") };
        let instead = |position: Position<8>, text| vec![position.parse_move(text).unwrap()];
        let notes = [
            Annotation {
                glyph: Some(Glyph::Blunder),
                comment: "a ] and \\".to_owned(),
                variation: instead(first, "d1-d3"),
            },
            Annotation { glyph: Some(Glyph::Singular), comment: String::new(), variation: instead(second, "h2-f2") },
            Annotation { glyph: Some(Glyph::Dubious), ..Annotation::default() },
        ];
        let text = record.annotated("Reviewed.", &notes);
        let expected = "C[Reviewed.]\n(;B[b1-b3]BM[2]C[a \\] and \\\\]\n(;W[a2-c2]TE[1];B[c1-e3]BL[2.000000]DO[])\n\
                        (;W[h2-f2]))\n(;B[d1-d3]))\n";
        assert!(text.ends_with(expected), "{text}");
        assert_eq!(text.parse(), Ok(record));
    }

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
