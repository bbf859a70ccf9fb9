//! Reads games: the main line of a file's first game, move by legal move.

use std::fmt;
use std::str::FromStr;

use super::nodes::{self, Node, Property};
use super::{GameResult, Record};
use crate::game::{Color, Game, ParseError, parse_move};
use crate::loa::{Position, Square};

/// Text that is no game in the Smart Game Format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordError {
    /// The line, from 1 on.
    pub line: usize,
    /// What was found there, and what was expected.
    pub error: ParseError,
}

impl FromStr for Record {
    type Err = RecordError;

    /// Reads the first game of `text` along its main line, up to a resignation if there is one. Whatever
    /// else is no setup, move or result is passed over.
    ///
    /// `AB`, `AW` and `AE` change the usual board; but with `SU[Custom]`, and where pieces are only added and no `SU`
    /// is given, the board is empty before.
    fn from_str(text: &str) -> Result<Record, RecordError> {
        let nodes = nodes::main_line(text)?;
        let mut record = Record::new(first_board(&nodes)?);
        let mut result = None;
        for property in nodes.iter().flatten() {
            if let Some(color) = resigns(property) {
                result = Some(GameResult::Win(!color));
                break;
            }
            read_property(&mut record, property).map_err(|error| RecordError { line: property.line, error })?;
        }
        let told = all_named(&nodes, "RE").find_map(|property| read_result(&property.values[0]));
        record.set_result(told.or(result));
        Ok(record)
    }
}

/// The properties called `name`, in any node.
fn all_named<'a>(nodes: &'a [Node], name: &str) -> impl Iterator<Item = &'a Property> {
    nodes.iter().flatten().filter(move |property| property.name == name)
}

/// The board before any property changes it; an error if it is not one of this game.
fn first_board(nodes: &[Node]) -> Result<Position<8>, RecordError> {
    let expect = |name: &str, wanted: &[&str], expected: &str| match all_named(nodes, name).next() {
        Some(property) if !wanted.contains(&property.values[0].trim().to_ascii_lowercase().as_str()) => {
            Err(RecordError::new(property.line, &property.values[0], expected))
        }
        found => Ok(found),
    };
    if expect("GM", &["9"], "GM[9], Lines of Action")?.is_none() {
        return Err(RecordError::new(1, "no GM", "GM[9], Lines of Action"));
    }
    expect("SZ", &["8", "8:8"], "SZ[8], a board of 8x8")?;
    let setup = expect("SU", &["standard", "custom"], "SU[Standard] or SU[Custom]")?;
    let has = |name| all_named(nodes, name).next().is_some();
    let is_empty = match setup {
        Some(setup) => setup.values[0].trim().eq_ignore_ascii_case("custom"),
        None => (has("AB") || has("AW")) && !has("AE"),
    };
    Ok(if is_empty { Position::new(Color::Black, []) } else { Position::start() })
}

/// The side that gives up by this property.
fn resigns(property: &Property) -> Option<Color> {
    color(&property.name).filter(|_| property.values[0].trim().eq_ignore_ascii_case("resign"))
}

fn read_property(record: &mut Record, property: &Property) -> Result<(), ParseError> {
    match property.name.as_str() {
        "AB" => put(record, property, Some(Color::Black)),
        "AW" => put(record, property, Some(Color::White)),
        "AE" => put(record, property, None),
        "PL" => {
            let value = property.values[0].trim().to_ascii_lowercase();
            let turn = match value.as_str() {
                "b" | "black" => Color::Black,
                "w" | "white" => Color::White,
                _ => return Err(ParseError::new(&value, "B or W, the side to move")),
            };
            set_up(record, property, record.position().with_turn(turn))
        }
        name => color(name).map_or(Ok(()), |color| read_move(record, color, &property.values[0])),
    }
}

/// The side whose moves are called `name`.
fn color(name: &str) -> Option<Color> {
    match name {
        "B" => Some(Color::Black),
        "W" => Some(Color::White),
        _ => None,
    }
}

/// Puts `piece` on all squares of the property.
fn put(record: &mut Record, property: &Property, piece: Option<Color>) -> Result<(), ParseError> {
    let mut squares = Vec::new();
    for value in &property.values {
        squares.extend(read_squares(value)?);
    }
    let position = record.position();
    let others = position.placed().filter(|(square, _)| !squares.contains(square));
    let placed = others.chain(piece.into_iter().flat_map(|color| squares.iter().map(move |&square| (square, color))));
    set_up(record, property, Position::new(position.turn(), placed))
}

fn set_up(record: &mut Record, property: &Property, position: Position<8>) -> Result<(), ParseError> {
    if record.moves().is_empty() {
        *record = Record::new(position);
        Ok(())
    } else {
        Err(ParseError::new(&property.name, "no change of the board after the first move"))
    }
}

/// A square `a1`, or all from one corner to the other, `a1:c3`.
fn read_squares(text: &str) -> Result<Vec<Square>, ParseError> {
    let text = text.trim().to_ascii_lowercase();
    let (first, last) = text.split_once(':').unwrap_or((&text, &text));
    let (first, last) = (first.trim().parse::<Square>()?, last.trim().parse::<Square>()?);
    let between = |one: usize, other: usize| one.min(other)..=one.max(other);
    let in_columns = between(first.column(), last.column());
    let in_rows = between(first.row(), last.row());
    let is_in = |square: &Square| in_columns.contains(&square.column()) && in_rows.contains(&square.row());
    Ok(Square::all::<8>().filter(is_in).collect())
}

/// A move like `b1-b3`, `B1:B3++` or `b1b3`.
fn read_move(record: &mut Record, color: Color, text: &str) -> Result<(), ParseError> {
    let position = match record.position() {
        // Some files only tell by their first move who begins.
        start if record.moves().is_empty() => start.with_turn(color),
        position => position,
    };
    if color != position.turn() {
        return Err(ParseError::new(text, format!("a move of {}", position.turn())));
    }
    if !record.moves().is_empty() && position.outcome().is_some() {
        return Err(ParseError::new(text, "no move: the game is over"));
    }
    let lower = text.trim().to_ascii_lowercase();
    let written = (|| {
        let (from, rest) = lower.split_at_checked(2)?;
        let (to, note) = rest.strip_prefix(['-', ':', 'x']).unwrap_or(rest).split_at_checked(2)?;
        (!note.starts_with(char::is_alphanumeric)).then(|| format!("{from}-{to}"))
    })();
    let written = written.ok_or_else(|| ParseError::new(text, "a move like b1-b3"))?;
    let mv = parse_move(&position, &written)?;
    if record.moves().is_empty() {
        *record = Record::new(position);
    }
    record.play(mv);
    Ok(())
}

/// `B+`, `W+Resign`, `Draw`; `None`: not over, or not known.
fn read_result(text: &str) -> Option<GameResult> {
    let text = text.trim().to_ascii_lowercase();
    match text.as_str() {
        "0" | "draw" => Some(GameResult::Draw),
        _ if text.starts_with("b+") => Some(GameResult::Win(Color::Black)),
        _ if text.starts_with("w+") => Some(GameResult::Win(Color::White)),
        _ => None,
    }
}

impl RecordError {
    pub(super) fn new(line: usize, found: &str, expected: &str) -> RecordError {
        RecordError { line, error: ParseError::new(found, expected) }
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.error)
    }
}

impl std::error::Error for RecordError {}
