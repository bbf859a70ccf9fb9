//! The review of a game, as plain data.

use serde::{Deserialize, Serialize};

use super::accuracy;
use super::mark::Mark;
use super::turning_point::turning_point;
use super::worth::Worth;
use crate::game_name::GameName;
use kingline::game::{Color, Outcome};

/// A game judged move by move. It is the same for all games, so that pages, reports and files share it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// Accuracy of Black and White, 0 to 100; none for a side that never had a choice.
    pub accuracy: [Option<f64>; 2],
    /// Index of the move that decided the game, if one did.
    pub turning_point: Option<usize>,
    /// Error that ended the reading of the record, if one did: found, expected, and where.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub broken: Option<String>,
}

/// A judged move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReviewedMove {
    /// Side that made it.
    pub side: Color,
    /// The move, in the notation of the settings.
    pub mv: String,
    /// The squares that the piece touches, as [`Drawing`](kingline::draw::Drawing) reads them: `c3-b4`, or as agents write
    /// them if the settings ask for that.
    pub path: String,
    /// Board before it, in the form of [`draw::compact`](kingline::draw::compact).
    pub board: String,
    /// Worth of the position for the mover, if it plays its best.
    pub before: Worth,
    /// Worth after the move, for the mover.
    pub after: Worth,
    /// Winning chances that it loses, 0 to 1.
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
        self.accuracy = Color::ALL.map(|side| accuracy::of_side(&self.moves, side));
        self.turning_point = turning_point(&self.moves, self.outcome());
    }

    /// Winning chances of Black before each move and after the last.
    pub fn chances_of_black(&self) -> Vec<f64> {
        let of_black = |side: Color, chances: f64| if side == Color::Black { chances } else { 1.0 - chances };
        let last = self.moves.last().map(|mv| of_black(mv.side, mv.after.chances));
        self.moves.iter().map(|mv| of_black(mv.side, mv.before.chances)).chain(last).collect()
    }

    /// Number of a move as records count it, with dots: `12.` for Black's, `12...` for White's.
    pub fn number(&self, index: usize) -> String {
        let first_is_white = usize::from(self.moves.first().is_some_and(|mv| mv.side == Color::White));
        let dots = if self.moves[index].side == Color::Black { "." } else { "..." };
        format!("{}{dots}", (index + first_is_white) / 2 + 1)
    }
}
