//! The longest win of a material.

use std::fmt;

use super::values::SolvedValues;
use super::verify::{by_turn, rank};
use crate::checkers::{Move, Position};
use crate::game::{Game, Value};
use crate::knowledge::tablebase::index::Index;
use crate::knowledge::tablebase::material::Material;
use crate::knowledge::tablebase::value::Packed;

/// The win of a material with the longest distance to its zeroing turn, played out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LongestWin {
    /// Material as the winner sees it.
    pub material: Material,
    /// Position in which White is to move and wins.
    pub start: Position,
    /// Distance to the first zeroing turn, in plies.
    pub distance: u16,
    /// Turns to the end of the game. The winner makes a turn with the smallest distance, the loser one with the
    /// largest. The first in the order of [`Game::moves`] breaks ties.
    pub line: Vec<Move>,
}

/// Returns the first longest win among a material's positions; `None` if none is won, a successor is not solved, or
/// values contradict each other.
pub fn longest(values: &SolvedValues, material: Material) -> Option<LongestWin> {
    let won = |byte: &u8| match Packed(*byte).value() {
        Some(Value::Win(plies)) => plies,
        _ => 0,
    };
    let bytes = values.bytes(material);
    let distance = bytes.iter().map(won).max().filter(|&plies| plies > 0)?;
    let number = bytes.iter().position(|byte| won(byte) == distance)?;
    let start = Index::new(material).board(number as u32)?.position();
    let mut line = Vec::new();
    let mut position = start;
    loop {
        let list = position.legal_moves();
        if list.is_empty() {
            return Some(LongestWin { material, start, distance, line });
        }
        let mut best: Option<(Value, Move)> = None;
        for &mv in &list {
            let value = by_turn(values, &position, mv)?;
            best = best.filter(|&(best, _)| rank(best) >= rank(value)).or(Some((value, mv)));
        }
        // If a value does not follow from the values of its successors, the line might never end.
        let (_, mv) = best.filter(|&(value, _)| values.exact(&position) == Some(value))?;
        position = position.play(mv);
        line.push(mv);
    }
}

impl fmt::Display for LongestWin {
    /// Writes `mK-K  W:WK1,5:BK9  7 plies to the zeroing turn, 11 to the end: 1-5 ...`, with moves in PDN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LongestWin { material, start, distance, line } = self;
        let plies = if *distance == 1 { "ply" } else { "plies" };
        write!(f, "{material}  {start}  {distance} {plies} to the zeroing turn, {} to the end:", line.len())?;
        let mut position = *start;
        for &mv in line {
            write!(f, " {}", position.notation(mv))?;
            position = position.play(mv);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KING_EACH: Material = Material { men: 0, kings: 1, their_men: 0, their_kings: 1 };

    #[test]
    fn king_against_king_takes_at_most_eleven_plies() {
        let mut values = SolvedValues::new();
        assert_eq!(longest(&values, KING_EACH), None, "it is not solved");
        values.solve(KING_EACH, 1, &mut |_| ()).unwrap();
        let win = longest(&values, KING_EACH).unwrap();
        assert_eq!((win.distance, win.line.len()), (11, 11));
        let text = win.to_string();
        assert!(text.starts_with("K-K  W:WK29:BK4  11 plies to the zeroing turn, 11 to the end: 29-25 "), "{text}");
    }

    #[test]
    fn contradicting_values_have_no_line() {
        let mut values = SolvedValues::new();
        values.solve(KING_EACH, 1, &mut |_| ()).unwrap();
        let bytes = values.bytes(KING_EACH).iter();
        let altered = bytes.map(|&byte| if byte == Packed::new(Value::Win(9)).0 { byte + 20 } else { byte }).collect();
        values.insert(KING_EACH, altered).unwrap();
        assert_eq!(longest(&values, KING_EACH), None);
    }
}
