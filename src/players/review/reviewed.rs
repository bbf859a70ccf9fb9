use std::fmt;

use serde::{Deserialize, Serialize};

use super::chances::Worth;
use crate::game_name::GameName;
use kingline::game::{Color, Glyph, Outcome};

/// A game judged move by move. It is the same for all games, so that pages, reports and files share it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Review {
    /// The game that was played.
    pub game: GameName,
    /// Names of Black and White; empty if unknown.
    pub players: [String; 2],
    /// Event; empty if unknown.
    pub event: String,
    /// Result as the record has it: `1-0` means that Black won.
    pub result: String,
    /// Nodes spent on each position.
    pub nodes: u64,
    /// The moves.
    pub moves: Vec<ReviewedMove>,
    /// Board after the last move.
    pub last_board: String,
    /// Accuracy of Black and White, 0 to 100; null for a side that never had a choice.
    pub accuracy: [Option<f64>; 2],
    /// Index of the move that decided the game, from 0; null: none did.
    pub turning_point: Option<usize>,
    /// The position, in a record without moves.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub position: Option<ReviewedPosition>,
    /// Notes on the reading of the record, where it is not of the strict form.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<String>,
    /// Error that ended the reading of the record, if one did: found, expected, and where.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub broken: Option<String>,
}

/// A judged move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ReviewedMove {
    /// Side that made it.
    pub side: Color,
    /// The move, in the notation of the settings.
    pub mv: String,
    /// The squares that the piece touches: `c3-b4`, or as agents write them if the settings ask for that.
    pub path: String,
    /// Board before it: rows from the top, a letter for each square, as `draw::compact` writes it.
    pub board: String,
    /// Worth of the position for the side that moves, if it plays its best.
    pub before: Worth,
    /// Worth after the move, for the side that made it.
    pub after: Worth,
    /// Winning chances that the side that moves loses by it, 0 to 1.
    pub loss: f64,
    /// Its mark, if it deserves one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mark: Option<Mark>,
    /// The best move and the expected play after it; empty for a forced move.
    pub best: Vec<String>,
    /// Expected play after the move: how the opponent uses its fault.
    pub reply: Vec<String>,
    /// Remaining time of the mover after the move, in seconds, if the record has it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub clock: Option<f64>,
}

/// A judged position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ReviewedPosition {
    /// Side to move.
    pub side: Color,
    /// Worth for the side to move.
    pub worth: Worth,
    /// The best move and the expected play after it; empty if the game is over.
    pub best: Vec<String>,
}

impl Review {
    /// The result; none if it is unknown.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.result.as_str() {
            "1-0" => Some(Outcome::Win(Color::Black)),
            "0-1" => Some(Outcome::Win(Color::White)),
            "1/2-1/2" => Some(Outcome::Draw),
            _ => None,
        }
    }

    /// Treats moves that the players did not choose, such as those of a random opening, like forced ones: they have no
    /// mark and no part in the accuracy, and none of them is the turning point.
    pub fn keep_chosen(&mut self, is_chosen: impl Fn(usize) -> bool) {
        for (_, mv) in self.moves.iter_mut().enumerate().filter(|(index, _)| !is_chosen(*index)) {
            (mv.loss, mv.mark) = (0.0, None);
            mv.best.clear();
            mv.reply.clear();
        }
        self.accuracy = Color::ALL.map(|side| accuracy_of_side(&self.moves, side));
        self.turning_point = turning_point(&self.moves, self.outcome());
    }

    /// Winning chances of Black before each move and after the last.
    pub fn chances_of_black(&self) -> Vec<f64> {
        let of_black = |side: Color, chances: f64| if side == Color::Black { chances } else { 1.0 - chances };
        let of_moves = self.moves.last().map(|mv| of_black(mv.side, mv.after.chances));
        let last = of_moves.or(self.position.as_ref().map(|place| of_black(place.side, place.worth.chances)));
        self.moves.iter().map(|mv| of_black(mv.side, mv.before.chances)).chain(last).collect()
    }

    /// Number of a move as records count it, with dots: `12.` for Black's, `12...` for White's.
    pub fn number(&self, index: usize) -> String {
        let first_is_white = usize::from(self.moves.first().is_some_and(|mv| mv.side == Color::White));
        let dots = if self.moves[index].side == Color::Black { "." } else { "..." };
        format!("{}{dots}", (index + first_is_white) / 2 + 1)
    }
}

/// Accuracy of a move that loses this part of the winning chances: 100 for none, 0 for all.
pub(crate) fn accuracy_of_loss(loss: f64) -> f64 {
    (103.1668 * (-4.354 * loss).exp() - 3.1669).clamp(0.0, 100.0)
}

/// Mean accuracy of a side over the moves at which it had a choice, 0 to 100; none if it never had one.
pub(crate) fn accuracy_of_side(moves: &[ReviewedMove], side: Color) -> Option<f64> {
    let choices = moves.iter().filter(|mv| mv.side == side && !mv.best.is_empty());
    let (count, sum) = choices.fold((0, 0.0), |(count, sum), mv| (count + 1, sum + accuracy_of_loss(mv.loss)));
    (count > 0).then(|| (sum / f64::from(count) * 10.0).round() / 10.0)
}

/// Losses this close count as equal.
const CLOSE: f64 = 0.02;

/// Index of the move that lost the most chances, among the faults of the loser, or of both sides if nobody has lost; of
/// about equal losses the last. None if no such move has a mark.
pub(super) fn turning_point(moves: &[ReviewedMove], result: Option<Outcome>) -> Option<usize> {
    let loser: Option<Color> = match result {
        Some(Outcome::Win(winner)) => Some(!winner),
        _ => None,
    };
    let is_candidate = |mv: &ReviewedMove| mv.mark >= Some(Mark::Mistake) && loser.is_none_or(|loser| mv.side == loser);
    let largest = moves.iter().filter(|mv| is_candidate(mv)).map(|mv| mv.loss).fold(0.0, f64::max);
    moves.iter().rposition(|mv| is_candidate(mv) && mv.loss >= largest - CLOSE)
}

/// A mark of a move, by the winning chances that it loses, or by the choice that the player had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// The only legal move.
    Forced,
    /// The best move, and every other loses at least as much as a blunder.
    OnlyMove,
    /// Loses at least 5 points of a hundred.
    Inaccuracy,
    /// Loses at least 10 points.
    Mistake,
    /// Loses at least 20 points.
    Blunder,
}

impl Mark {
    /// Smallest loss of chances that is a blunder.
    pub(super) const BLUNDER: f64 = 0.2;
    /// Marks for lost chances with the smallest loss, the worst first.
    const FAULTS: [(Mark, f64); 3] = [(Mark::Blunder, Mark::BLUNDER), (Mark::Mistake, 0.1), (Mark::Inaccuracy, 0.05)];

    /// Returns the mark of a move that loses this part of the chances, if it loses enough.
    pub(crate) fn of_loss(loss: f64) -> Option<Mark> {
        Mark::FAULTS.into_iter().find(|&(_, least)| loss >= least).map(|(mark, _)| mark)
    }

    /// Returns `true` for moves that lose chances.
    pub fn is_fault(self) -> bool {
        self >= Mark::Inaccuracy
    }

    /// Name, sign after a move in text, class in the style sheet, and glyph in game records.
    const fn about(self) -> (&'static str, &'static str, &'static str, Glyph) {
        match self {
            Mark::Forced => ("forced", "", "unmarked", Glyph::Forced),
            Mark::OnlyMove => ("only move", "!", "only-move", Glyph::Singular),
            Mark::Inaccuracy => ("inaccuracy", "?!", "inaccuracy", Glyph::Dubious),
            Mark::Mistake => ("mistake", "?", "mistake", Glyph::Mistake),
            Mark::Blunder => ("blunder", "??", "blunder", Glyph::Blunder),
        }
    }

    pub(super) fn glyph(self) -> Glyph {
        self.about().3
    }

    /// Class of a mark, or of none, in the style sheet.
    pub fn class(mark: Option<Mark>) -> &'static str {
        mark.map_or("unmarked", |mark| mark.about().2)
    }

    /// Sign after a move in text: `?!`, `?`, `??`, `!` for the only move, nothing for a forced one.
    pub fn sign(self) -> &'static str {
        self.about().1
    }
}

impl fmt::Display for Mark {
    /// `blunder`, `only move`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.about().0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accuracy_falls_from_100_to_0() {
        assert!(accuracy_of_loss(0.0) > 99.99 && accuracy_of_loss(1.0) == 0.0);
        assert!(
            (0..100)
                .all(|loss| accuracy_of_loss(f64::from(loss) / 100.0) >= accuracy_of_loss(f64::from(loss + 1) / 100.0))
        );
        assert!((accuracy_of_loss(0.1) - 63.58).abs() < 0.01, "{}", accuracy_of_loss(0.1));
    }

    #[test]
    fn the_worst_mark_applies() {
        for (loss, mark) in [
            (0.0, None),
            (0.0499, None),
            (0.05, Some(Mark::Inaccuracy)),
            (0.1, Some(Mark::Mistake)),
            (0.2, Some(Mark::Blunder)),
            (1.0, Some(Mark::Blunder)),
        ] {
            assert_eq!(Mark::of_loss(loss), mark, "{loss}");
        }
    }
}
