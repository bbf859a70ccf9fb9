//! Reading records: the main line of the first game in a file, checked move by move.

use std::str::FromStr;
use std::time::Duration;

use super::nodes::{self, Node, Property};
use super::{About, Record};
use crate::game::{Color, Game, LineError, LineNote, Outcome, ParseError, plain};
use crate::loa::{Position, Square};

impl<const N: usize> FromStr for Record<N> {
    type Err = LineError;

    /// Reads the main line of the first game of `text`, up to a resignation if there is one.
    ///
    /// `AB`, `AW` and `AE` change the usual board. They start from an empty board if there is `SU[Custom]`, or if there
    /// is no `SU` and they only add pieces. Unknown properties are ignored.
    fn from_str(text: &str) -> Result<Record<N>, LineError> {
        let game = Tree(nodes::main_line(text)?).read()?;
        game.error.map_or(Ok(game.record), Err)
    }
}

/// A game as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadGame<const N: usize> {
    /// The game, up to its first error.
    pub record: Record<N>,
    /// Notes on unknown values, which were ignored.
    pub notes: Vec<LineNote>,
    /// The first error, if there is one.
    pub error: Option<LineError>,
}

/// The main line of one of the games in a file, not yet checked.
#[derive(Clone, Debug)]
pub struct Tree(Vec<Node>);

/// Reads the games of a file, for any board. Text between them is skipped.
///
/// # Errors
/// A malformed game yields an error and ends the games.
pub fn trees(text: &str) -> impl Iterator<Item = Result<Tree, LineError>> {
    nodes::main_lines(text).map(|nodes| nodes.map(Tree))
}

impl Tree {
    /// Number of columns and rows, as text.
    pub fn size(&self) -> Option<&str> {
        all_named(&self.0, "SZ").next().map(|property| property.values[0].trim())
    }

    /// Checks the game move by move. The moves from its first error on are left out.
    ///
    /// # Errors
    /// The file is for another game or board size.
    pub fn read<const N: usize>(&self) -> Result<ReadGame<N>, LineError> {
        let Tree(nodes) = self;
        let mut record = Record::new(first_board(nodes)?);
        let mut result = None;
        let (mut notes, mut error) = (Vec::new(), None);
        'game: for node in nodes {
            for property in node {
                if let Some(color) = resigns(property) {
                    result = Some(Outcome::Win(!color));
                    break 'game;
                }
                if let Some(text) = unknown_value(property) {
                    notes.push(LineNote { line: property.line, text });
                } else if let Err(wrong) = read_property(&mut record, property) {
                    error = Some(LineError { line: property.line, error: wrong });
                    break 'game;
                }
            }
            // The clock after a move may precede the move in its node.
            node.iter().for_each(|property| read_clock(&mut record, property));
        }
        let written = all_named(nodes, "RE").find_map(|property| read_result(&property.values[0]));
        record.set_result(written.or(result));
        record.set_about(read_about(nodes));
        Ok(ReadGame { record, notes, error })
    }
}

/// Size of the board in a file without `SZ`.
const USUAL_SIZE: usize = 8;

fn all_named<'a>(nodes: &'a [Node], name: &str) -> impl Iterator<Item = &'a Property> {
    nodes.iter().flatten().filter(move |property| property.name == name)
}

/// Returns the board before any property changes it, or an error if the file is for another game or board size.
fn first_board<const N: usize>(nodes: &[Node]) -> Result<Position<N>, LineError> {
    let expect = |name: &str, wanted: [&str; 2], expected: &str| match all_named(nodes, name).next() {
        Some(property) if !wanted.contains(&property.values[0].trim().to_ascii_lowercase().as_str()) => {
            let found = if name == "GM" { game(property.values[0].trim()) } else { property.values[0].clone() };
            Err(LineError::new(property.line, &found, expected))
        }
        found => Ok(found),
    };
    if expect("GM", ["9", "9"], "GM[9], Lines of Action")?.is_none() {
        return Err(LineError::new(1, "no GM", "GM[9], Lines of Action"));
    }
    let size = format!("SZ[{N}], the {N}x{N} board");
    if expect("SZ", [&N.to_string(), &format!("{N}:{N}")], &size)?.is_none() && N != USUAL_SIZE {
        return Err(LineError::new(1, "no SZ", &size));
    }
    let setup = expect("SU", ["standard", "custom"], "SU[Standard] or SU[Custom]")?;
    let has = |name| all_named(nodes, name).next().is_some();
    let is_empty = match setup {
        Some(setup) => setup.values[0].trim().eq_ignore_ascii_case("custom"),
        None => (has("AB") || has("AW")) && !has("AE"),
    };
    Ok(if is_empty { Position::new(Color::Black, []) } else { Position::start() })
}

/// Returns the number of a game with its name, if it is a well-known one. Source: the description of the format.
fn game(number: &str) -> String {
    let name = match number {
        "1" => "Go",
        "2" => "Othello",
        "3" => "chess",
        "4" => "Gomoku",
        "5" => "Nine Men's Morris",
        "6" => "Backgammon",
        "7" => "Chinese chess",
        "8" => "Shogi",
        "11" => "Hex",
        "18" => "Amazons",
        _ => return number.to_owned(),
    };
    format!("{number} ({name})")
}

/// Returns a note if the value of a property is none that the format knows, so that it is ignored.
fn unknown_value(property: &Property) -> Option<String> {
    let value = property.values[0].trim();
    let (is_known, expected) = match property.name.as_str() {
        "PL" => (read_side(value).is_some(), "B or W, the side to move"),
        "RE" => {
            let is_open = ["", "?", "void"].contains(&value.to_ascii_lowercase().as_str());
            (is_open || read_result(value).is_some(), "a result like B+, W+Resign or Draw")
        }
        _ => return None,
    };
    (!is_known).then(|| format!("{} {value:?} is unknown, expected {expected}", property.name))
}

fn read_side(text: &str) -> Option<Color> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Color::Black),
        "w" | "white" => Some(Color::White),
        _ => None,
    }
}

fn resigns(property: &Property) -> Option<Color> {
    color(&property.name).filter(|_| property.values[0].trim().eq_ignore_ascii_case("resign"))
}

fn read_property<const N: usize>(record: &mut Record<N>, property: &Property) -> Result<(), ParseError> {
    match property.name.as_str() {
        "AB" => put(record, property, Some(Color::Black)),
        "AW" => put(record, property, Some(Color::White)),
        "AE" => put(record, property, None),
        "PL" => read_side(property.values[0].trim())
            .map_or(Ok(()), |turn| set_up(record, property, record.position().with_turn(turn))),
        name => color(name).map_or(Ok(()), |color| read_move(record, color, &property.values[0])),
    }
}

fn color(name: &str) -> Option<Color> {
    match name {
        "B" => Some(Color::Black),
        "W" => Some(Color::White),
        _ => None,
    }
}

/// Puts `piece` on all squares of the property; `None` clears them.
fn put<const N: usize>(record: &mut Record<N>, property: &Property, piece: Option<Color>) -> Result<(), ParseError> {
    let mut squares = Vec::new();
    for value in &property.values {
        squares.extend(read_squares::<N>(value)?);
    }
    let position = record.position();
    let others = position.placed().filter(|(square, _)| !squares.contains(square));
    let placed = others.chain(piece.into_iter().flat_map(|color| squares.iter().map(move |&square| (square, color))));
    set_up(record, property, Position::new(position.turn(), placed))
}

fn set_up<const N: usize>(
    record: &mut Record<N>,
    property: &Property,
    position: Position<N>,
) -> Result<(), ParseError> {
    if position == record.position() {
        Ok(())
    } else if record.moves().is_empty() {
        *record = Record::new(position);
        Ok(())
    } else {
        Err(ParseError::new(&property.name, "no change to the board after the first move"))
    }
}

/// Reads a square, `a1`, or a rectangle by two corners, `a1:c3`.
fn read_squares<const N: usize>(text: &str) -> Result<Vec<Square>, ParseError> {
    let text = text.trim().to_ascii_lowercase();
    let (first, last) = text.split_once(':').unwrap_or((&text, &text));
    let (first, last) = (first.trim().parse::<Square>()?, last.trim().parse::<Square>()?);
    if [first, last].iter().any(|square| square.column().max(square.row()) >= N) {
        return Err(ParseError::new(&text, format!("a square on the {N}x{N} board")));
    }
    let between = |one: usize, other: usize| one.min(other)..=one.max(other);
    let in_columns = between(first.column(), last.column());
    let in_rows = between(first.row(), last.row());
    let is_in = |square: &Square| in_columns.contains(&square.column()) && in_rows.contains(&square.row());
    Ok(Square::all::<N>().filter(is_in).collect())
}

/// Reads and plays a move like `b1-b3`, `B1:B3++` or `b1b3`.
fn read_move<const N: usize>(record: &mut Record<N>, color: Color, text: &str) -> Result<(), ParseError> {
    let position = match record.position() {
        // In some files only the first move shows which side starts.
        start if record.moves().is_empty() => start.with_turn(color),
        position => position,
    };
    if color != position.turn() {
        return Err(ParseError::new(text, format!("a move by {}", position.turn())));
    }
    if !record.moves().is_empty() && position.outcome().is_some() {
        return Err(ParseError::new(text, "no move: the game is over"));
    }
    // Annotations such as `!` or words may follow.
    let text = plain(text.trim());
    let end = text.find(|letter: char| !letter.is_alphanumeric() && !"-:".contains(letter)).unwrap_or(text.len());
    let mv = position.parse_move(&text[..end])?;
    if record.moves().is_empty() {
        *record = Record::new(position);
    }
    record.play(mv);
    Ok(())
}

/// Sets the remaining seconds of the player who made the last move. Other values are ignored.
fn read_clock<const N: usize>(record: &mut Record<N>, property: &Property) {
    let mover = match property.name.as_str() {
        "BL" => Color::Black,
        "WL" => Color::White,
        _ => return,
    };
    let seconds = property.values[0].trim().parse().ok().filter(|seconds| (0.0..1e9).contains(seconds));
    if let Some(seconds) = seconds.filter(|_: &f64| record.position().turn() == !mover) {
        record.set_clock(Duration::from_micros((seconds * 1e6).round() as u64));
    }
}

/// Reads the event, the players and the comment from any node.
fn read_about(nodes: &[Node]) -> About {
    let text = |name| all_named(nodes, name).next().map(|property| property.values[0].replace("\r\n", "\n"));
    let [event, black, white, comment] = ["EV", "PB", "PW", "GC"].map(|name| text(name).unwrap_or_default());
    About { event, players: [black, white], comment }
}

/// Reads a result such as `B+`, `W+Resign` or `Draw`; `None` if the game is not over or the result is unknown.
fn read_result(text: &str) -> Option<Outcome> {
    let text = text.trim().to_ascii_lowercase();
    match text.as_str() {
        "0" | "draw" => Some(Outcome::Draw),
        _ if text.starts_with("b+") => Some(Outcome::Win(Color::Black)),
        _ if text.starts_with("w+") => Some(Outcome::Win(Color::White)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Record {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn moves(record: &Record) -> String {
        record.moves().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn all_games_of_a_file_are_read_each_up_to_its_first_error() {
        let text = "(;GM[9]SZ[6];B[b1-b3]) text (;GM[9];B[b1-b3];W[a2-a9];B[c1-c3]RE[W+])(;GM[1]SZ[19])";
        let trees: Vec<Tree> = trees(text).collect::<Result<_, _>>().unwrap();
        assert_eq!(trees.iter().map(Tree::size).collect::<Vec<_>>(), [Some("6"), None, Some("19")]);
        assert_eq!(trees[0].read::<6>().unwrap().record.moves().len(), 1);
        let ReadGame { record, error, .. } = trees[1].read::<8>().unwrap();
        assert_eq!((record.moves().len(), record.result()), (1, Some(Outcome::Win(Color::White))));
        assert!(error.unwrap().to_string().starts_with("line 1: found \"a2-a9\""));
        let other = trees[2].read::<8>().unwrap_err().to_string();
        assert_eq!(other, "line 1: found \"1 (Go)\", expected GM[9], Lines of Action");
        assert!(super::trees("(;GM[9];B[b1-b3]) (;GM[9] (;GM[9])").nth(1).is_some_and(|tree| tree.is_err()));
    }

    #[test]
    fn files_of_other_programs_are_read() {
        let text = "(;\r\nGM[9]VV[1]\r\nSU[STANDARD]SZ[8]PB[Anna \\[1\\]]PW[Bo;(b)]C[A game\nof two lines :\\\\]\r\nAS[None]\r\n\
            ; B[B1-b3]C[(;W[a2-c2\\])] BL[12.5]\r\n;W[a2:C2++]MN[2]PL[B]\r\n(;B[e1c3!];W[H2xf2](;B[resign])(;B[d1-d3]))\r\n\
            (;B[c1-c1];W[nonsense]))\r\n(;GM[1];B[aa])\n";
        let record = read(text);
        assert_eq!(moves(&record), "b1-b3 a2-c2 e1-c3 h2-f2");
        assert_eq!(record.result(), Some(Outcome::Win(Color::White)), "Black resigned");
    }

    #[test]
    fn setup_properties_change_the_board() {
        let start = |text: &str| read(text).positions()[0].to_string();
        let two = "--------/--------/--------/--------/--------/--------/--------/bb-----w white";
        for text in [
            "(;GM[9]SU[Custom]AB[a1][B1]AW[h1]PL[W])",
            "(;GM[9]AW[h1]AB[a1:b1]PL[white])",
            "(;PL[w]AB[b1:a1]GM[9]AW[a1:h1]AE[c1:g1]AB[a1:b1]SU[custom])",
            "(;GM[9];AW[h1];AB[a1][b1];W[h1-e1])",
        ] {
            assert_eq!(start(text), two, "{text}");
        }
        let usual = "-bbbbbb-/w------w/w------w/w------w/w------w/w------w/w------w/-bbbbbb- white";
        for text in
            ["(;GM[9]PL[W])", "(;GM[9];W[a2-c2])", "(;GM[9]AE[b1]AB[b1]PL[W])", "(;GM[9]SU[Standard]AB[b1]PL[W])"]
        {
            assert_eq!(start(text), usual, "{text}");
        }
    }

    #[test]
    fn results_are_read_in_all_forms() {
        for (text, result) in [
            ("B+", Some(Outcome::Win(Color::Black))),
            ("w+Resign", Some(Outcome::Win(Color::White))),
            ("0", Some(Outcome::Draw)),
            ("Draw", Some(Outcome::Draw)),
            ("?", None),
            ("Void", None),
        ] {
            assert_eq!(read(&format!("(;GM[9]RE[{text}])")).result(), result, "{text}");
        }
    }

    #[test]
    fn unknown_values_are_noted_and_typographic_signs_are_read() {
        let text = "(;GM[9]\nPL[green]RE[maybe];B[b1\u{2013}b3];W[a2\u{2212}c2])";
        let game = Tree(nodes::main_line(text).unwrap()).read::<8>().unwrap();
        assert_eq!((moves(&game.record).as_str(), game.error), ("b1-b3 a2-c2", None));
        let notes: Vec<String> = game.notes.iter().map(ToString::to_string).collect();
        let expected = [
            "line 2: PL \"green\" is unknown, expected B or W, the side to move",
            "line 2: RE \"maybe\" is unknown, expected a result like B+, W+Resign or Draw",
        ];
        assert_eq!(notes, expected);
        for text in ["(;GM[9]RE[?])", "(;GM[9]RE[Void])", "(;GM[9]RE[B+Time]PL[White])"] {
            assert_eq!(Tree(nodes::main_line(text).unwrap()).read::<8>().unwrap().notes, [], "{text}");
        }
    }

    #[test]
    fn a_connected_setup_may_be_played_but_a_won_game_is_over() {
        let record = read("(;GM[9]AB[a1][a2]AW[e5][h8];B[a1-b1])");
        assert_eq!(moves(&record), "a1-b1");
        let error = "(;GM[9]AB[a1][a2]AW[e5][h8];B[a1-b1];W[e5-g5])".parse::<Record>().unwrap_err();
        assert!(error.to_string().contains("the game is over"), "{error}");
    }

    #[test]
    fn errors_name_their_line() {
        for (text, line, message) in [
            ("(;FF[4])", 1, "expected GM[9]"),
            ("\n(;\nGM[1])", 3, "found \"1 (Go)\", expected GM[9], Lines of Action"),
            ("(;GM[9]\nSZ[6])", 2, "found \"6\", expected SZ[8]"),
            ("(;GM[9]\nSU[Parachute])", 2, "found \"Parachute\", expected SU[Standard] or SU[Custom]"),
            ("(;GM[9]\nAB[a9])", 2, "found \"a9\", expected a square"),
            ("(;GM[9]\nAE[a1:])", 2, "found \"\", expected a square"),
            ("(;GM[9];B[b1-b3]\n;B[c1-c3])", 2, "found \"c1-c3\", expected a move by White"),
            ("(;GM[9];B[b1-b3]\n;W[a2-a4])", 2, "found \"a2-a4\", expected a legal move: "),
            ("(;GM[9]\n;B[b1-])", 2, "found \"b1-\", expected a move like b1-b3"),
            ("(;GM[9]\n;B[\u{e9}\u{e9}\u{e9}\u{e9}])", 2, "expected a move like b1-b3"),
            ("(;GM[9]\n;B[b1-b31])", 2, "expected a move like b1-b3"),
            ("(;GM[9]\n;B[])", 2, "found \"\", expected a move like b1-b3"),
            ("(;GM[9];B[b1-b3]\n;AE[b3])", 2, "found \"AE\", expected no change to the board"),
        ] {
            let error = text.parse::<Record>().unwrap_err();
            assert_eq!(error.line, line, "{text}");
            assert!(error.to_string().contains(message), "{error}");
        }
    }
}
