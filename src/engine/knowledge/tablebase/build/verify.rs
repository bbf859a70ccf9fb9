//! Verification of solved values and of their file. It uses the engine's rules, which are slower than the solver's but
//! independent of them.
//!
//! Every value must follow from the values one turn later. In a decided line, each turn reduces the distance by one,
//! down to a zeroing turn or the end, so only one set of values satisfies this.

use std::fmt;

use super::solve::SolvedValues;
use crate::checkers::{Move, Position};
use crate::game::{Game, Progress, Rules, Value, Wdl};
use crate::knowledge::tablebase::board::{Board, Material};
use crate::knowledge::tablebase::file::TableFile;
use crate::knowledge::tablebase::index::Index;
use crate::knowledge::tablebase::probe::{ProbeError, Tablebase};
use crate::knowledge::tablebase::value::{Packed, StoredValue};

/// A position with a wrong value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongValue {
    /// Position with White to move.
    pub position: Position,
    /// Wrong value, and where it was found.
    pub found: String,
    /// Right value.
    pub expected: String,
}

/// Counts of verified positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// All verified positions.
    pub positions: u64,
    /// Positions in which the side to move must jump into a position that the tables lack.
    pub not_tabled: u64,
    /// Positions with a wrong value.
    pub wrong: u64,
}

/// Verifies positions of a solved material, given by their numbers. Calls `report` with every wrong value.
///
/// Derives each value, under both rules, from those of the position's successors, and compares it with `values` and with `file`. If
/// a jump leads to a material that the file lacks, the embedded tables answer.
///
/// Position numbers are below [`numbers`]; some have no position.
pub fn verify<'f>(
    values: &SolvedValues,
    file: Option<&'f TableFile<'f>>,
    material: Material,
    numbers: impl IntoIterator<Item = u32>,
    mut report: impl FnMut(WrongValue),
) -> Verified {
    let index = Index::new(material);
    let bytes = values.bytes(material);
    let mut verified = Verified::default();
    let mut tablebase = Tablebase::with_embedded(file);
    for number in numbers {
        let Some(board) = index.board(number) else { continue };
        let position = board.position();
        let byte = bytes.get(number as usize).map_or(Packed::NONE, |&byte| Packed(byte));
        verified.positions += 1;
        let mut wrong = check_value(values, &position, byte).and_then(|exact| {
            if file.is_some() {
                let tabled = check_tables(&tablebase, board, &position, exact)?;
                verified.not_tabled += u64::from(!tabled);
            }
            Ok(())
        });
        if let Some(broken) = tablebase.broken() {
            wrong = wrong.and_then(|()| Err((format!("{broken}, in the file"), "no broken table".to_owned())));
            // A tablebase ignores a broken file, but a new tablebase reads it again.
            tablebase = Tablebase::with_embedded(file);
        }
        if let Err((found, expected)) = wrong {
            verified.wrong += 1;
            report(WrongValue { position, found, expected });
        }
    }
    verified
}

/// Upper bound, exclusive, of a material's position numbers, for at most 4 pieces a side.
pub fn numbers(material: Material) -> u32 {
    Index::new(material).len()
}

type Mismatch = (String, String);

/// Returns the position's values under the course's rules and the game's, if they follow from those of its successors.
fn check_value(values: &SolvedValues, position: &Position, byte: Packed) -> Result<[Value; 2], Mismatch> {
    let derived = |rules| {
        derived(values, position, rules).map_err(|mv| {
            let after = position.play(mv);
            (format!("no value for {after}"), "a value for every successor".to_owned())
        })
    };
    let expected = derived(Rules::Course)?;
    let in_game = if expected == Value::Draw { derived(Rules::Game)? } else { expected };
    let found = values.exact(position, Rules::Game);
    if found.is_some_and(|found| found != in_game) {
        let describe = |value: Option<Value>| format!("{value:?} without the limit on quiet turns");
        return Err((describe(found), describe(Some(in_game))));
    }
    let describe = |value, must_jump| match must_jump {
        true => format!("{value:?}, by a jump"),
        false => format!("{value:?}"),
    };
    let found = byte.value().map(|value| describe(value, byte.must_jump()));
    let expected_text = describe(expected, position.must_jump());
    match found {
        Some(found) if found == expected_text => Ok([expected, in_game]),
        found => Err((found.unwrap_or_else(|| "no value".to_owned()), expected_text)),
    }
}

/// Returns true if the tables have the position, or an error if they have other values.
fn check_tables(
    tablebase: &Tablebase,
    board: Board,
    position: &Position,
    [exact, in_game]: [Value; 2],
) -> Result<bool, Mismatch> {
    let wrong = |found: String, expected: String| Err((format!("{found} in the file"), expected));
    if position.must_jump() {
        let expected = [exact.outcome(), in_game.outcome()];
        let course = tablebase.outcome(position, Rules::Course);
        return match course.and_then(|course| Ok([course, tablebase.outcome(position, Rules::Game)?])) {
            Ok(outcomes) if outcomes == expected => Ok(true),
            Ok(outcomes) => wrong(format!("{outcomes:?}"), format!("{expected:?}")),
            Err(ProbeError::NotTabled) => Ok(false),
            Err(error) => wrong(error.to_string(), format!("{expected:?}")),
        };
    }
    let is_cursed = exact.outcome() == Wdl::Draw;
    let expected =
        StoredValue::from_code(if is_cursed { StoredValue::cursed_code(in_game) } else { StoredValue::code(exact) });
    match tablebase.probe_board(board) {
        Ok(stored) if Some(stored) == expected => Ok(true),
        Ok(stored) => wrong(format!("{stored:?}"), format!("{expected:?}")),
        Err(error) => wrong(error.to_string(), format!("{expected:?}")),
    }
}

/// Returns the value that follows from a position's successors, or the turn to a successor that is not solved.
fn derived(values: &SolvedValues, position: &Position, rules: Rules) -> Result<Value, Move> {
    let list = position.legal_moves();
    let mut best: Option<Value> = None;
    for &mv in &list {
        let value = by_turn(values, position, mv, rules).ok_or(mv)?;
        best = best.filter(|&best| rank(best) >= rank(value)).or(Some(value));
    }
    Ok(best.unwrap_or(Value::Loss(0)))
}

/// Value of a position for the side to move if it makes this turn; `None` if the position after it is not solved.
fn by_turn(values: &SolvedValues, position: &Position, mv: Move, rules: Rules) -> Option<Value> {
    let after = position.play(mv);
    let value = if after.count(after.turn()) == 0 { Value::Loss(0) } else { values.exact(&after, rules)? };
    let plies = if position.progress(mv) == Progress::Zeroing {
        // The count restarts, so the distance after the turn does not matter.
        1
    } else {
        match value {
            Value::Win(plies) | Value::Loss(plies) => plies + 1,
            Value::Draw => 0,
        }
    };
    let is_in_time = rules.quiet_limit::<Position>().is_none_or(|limit| plies <= limit);
    Some(match value {
        Value::Loss(_) if is_in_time => Value::Win(plies),
        Value::Win(_) if is_in_time => Value::Loss(plies),
        _ => Value::Draw,
    })
}

/// Rank of a value: early wins are best, early losses worst.
fn rank(value: Value) -> i32 {
    match value {
        Value::Win(plies) => 1000 - i32::from(plies),
        Value::Draw => 0,
        Value::Loss(plies) => i32::from(plies) - 1000,
    }
}

impl fmt::Display for WrongValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: found {}, expected {}", self.position, self.found, self.expected)
    }
}

impl Verified {
    /// Adds the counts.
    #[must_use]
    pub fn and(self, other: Verified) -> Verified {
        Verified {
            positions: self.positions + other.positions,
            not_tabled: self.not_tabled + other.not_tabled,
            wrong: self.wrong + other.wrong,
        }
    }
}

/// The win of a material with the longest distance to its zeroing turn under the course's rules, played out.
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
            let value = by_turn(values, &position, mv, Rules::Course)?;
            best = best.filter(|&(best, _)| rank(best) >= rank(value)).or(Some((value, mv)));
        }
        // If a value does not follow from the values of its successors, the line might never end.
        let (_, mv) = best.filter(|&(value, _)| values.exact(&position, Rules::Course) == Some(value))?;
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
    use crate::knowledge::tablebase::build::{file, section};
    use crate::knowledge::tablebase::{TableFile, Trust};

    const KING_EACH: Material = Material { men: 0, kings: 1, their_men: 0, their_kings: 1 };

    fn all(pieces: u8) -> Vec<Material> {
        (2..=pieces).flat_map(|pieces| Material::all(pieces, 3)).collect()
    }

    fn verify_all<'f>(
        values: &SolvedValues,
        file: Option<&'f TableFile<'f>>,
        material: Material,
    ) -> (Verified, Vec<WrongValue>) {
        let mut faults = Vec::new();
        let verified = verify(values, file, material, 0..numbers(material), |fault| faults.push(fault));
        assert_eq!(verified.wrong, faults.len() as u64);
        (verified, faults)
    }

    #[test]
    fn solved_values_and_their_file_pass_verification() {
        let values = SolvedValues::up_to(3);
        let sections: Vec<_> = all(3).into_iter().map(|material| (material, section(&values, material))).collect();
        let bytes = file(&sections);
        let opened = TableFile::open(&bytes, Trust::CheckPages).unwrap();
        let mut sum = Verified::default();
        for material in all(3) {
            let (verified, faults) = verify_all(&values, Some(&opened), material);
            assert_eq!(faults, [], "{material}");
            sum = sum.and(verified);
        }
        assert_eq!(sum, Verified { positions: 3_488 + 196_032, not_tabled: 0, wrong: 0 });
    }

    /// Tests each kind of wrong value in many positions: a wrong distance, a wrong outcome, a jump where there is none.
    #[test]
    fn every_altered_value_is_found() {
        let right = SolvedValues::up_to(2);
        let bytes = right.bytes(KING_EACH);
        let altered = [
            Packed::new(Value::Win(7)),
            Packed::new(Value::Draw),
            Packed::new(Value::Loss(2)),
            Packed::jumping(Value::Win(1)),
            Packed::NONE,
        ];
        let mut values = SolvedValues::up_to(2);
        for place in (0..bytes.len()).step_by(7) {
            for byte in altered.into_iter().filter(|byte| byte.0 != bytes[place]) {
                let mut spoiled = bytes.to_vec();
                spoiled[place] = byte.0;
                values.insert(KING_EACH, spoiled).unwrap();
                let (_, faults) = verify_all(&values, None, KING_EACH);
                let position = Index::new(KING_EACH).board(place as u32).unwrap().position();
                assert!(faults.iter().any(|fault| fault.position == position), "{position}: {byte:?} is not found");
            }
        }
    }

    #[test]
    fn a_file_with_other_values_is_found() {
        let values = SolvedValues::up_to(2);
        let mut spoiled = SolvedValues::up_to(2);
        let swap = |&byte: &u8| match Packed(byte).value() {
            Some(Value::Draw) if !Packed(byte).must_jump() => Packed::new(Value::Win(9)).0,
            _ => byte,
        };
        spoiled.insert(KING_EACH, values.bytes(KING_EACH).iter().map(swap).collect()).unwrap();
        let bytes = file(&[(KING_EACH, section(&spoiled, KING_EACH))]);
        let opened = TableFile::open(&bytes, Trust::CheckPages).unwrap();
        let (verified, faults) = verify_all(&values, Some(&opened), KING_EACH);
        assert!(verified.wrong > 500, "{verified:?}");
        assert!(faults[0].found.ends_with("in the file"), "{}", faults[0]);
        assert!(faults[0].expected.contains("Draw"), "{}", faults[0]);
    }

    #[test]
    fn an_unsolved_successor_is_reported() {
        let mut values = SolvedValues::new();
        let man_first = Material { men: 1, kings: 0, their_men: 0, their_kings: 1 };
        values.insert(man_first, SolvedValues::up_to(2).bytes(man_first).to_vec()).unwrap();
        let (_, faults) = verify_all(&values, None, man_first);
        assert!(faults[0].found.starts_with("no value for B:"), "{}", faults[0]);
    }

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
