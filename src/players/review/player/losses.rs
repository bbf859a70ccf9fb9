//! Where a player loses chances: by pieces, kings, stage, side and clock.

use serde::{Deserialize, Serialize};

use super::super::reviewed::Review;
use crate::game_name::GameName;
use kingline::game::Color;

/// A property of moves by which losses are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LossesBy {
    /// Number of pieces on the board, of both sides.
    Pieces,
    /// Kings on the board, of either side; in checkers only.
    Kings,
    /// Opening, middle game or ending.
    Stage,
    /// The player's side.
    Side,
    /// Time left to the player, if the game's clocks are known.
    Clock,
}

/// Losses by one property.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LossGroup {
    /// The property.
    pub by: LossesBy,
    /// Its ranges, in the order of a game.
    pub parts: Vec<LossPart>,
}

/// Losses in one range of a property.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LossPart {
    /// The range, as it stands after "lost": `with kings on the board`.
    pub place: String,
    /// Number of moves with a choice.
    pub moves: u32,
    /// Sum of the winning chances that they lose, in games.
    pub lost: f64,
}

/// Plies of the opening: ten moves of each side.
const OPENING: usize = 20;
/// Ranges of the number of pieces.
const RANGES: u32 = 4;
/// The clock is low below this part of the first known clock.
const LOW_CLOCK: f64 = 0.1;

/// Facts about a move before it is made.
struct Facts<'a> {
    game: GameName,
    board: &'a str,
    ply: usize,
    side: Color,
    /// Time left as a part of the first known clock, if both are known.
    clock: Option<f64>,
}

impl LossesBy {
    /// All properties, in the order of tables.
    pub(super) const ALL: [LossesBy; 5] =
        [LossesBy::Pieces, LossesBy::Kings, LossesBy::Stage, LossesBy::Side, LossesBy::Clock];

    /// The ranges; none if the game does not have the property.
    fn ranges(self, game: GameName) -> Option<Vec<String>> {
        let words: &[&str] = match self {
            LossesBy::Pieces => return Some((0..RANGES).map(|range| pieces_in_words(game, range)).collect()),
            LossesBy::Kings if game == GameName::Checkers => &["without kings on the board", "with kings on the board"],
            LossesBy::Kings => return None,
            LossesBy::Stage => &["in the opening", "in the middle game", "in the ending"],
            LossesBy::Side => &["as Black", "as White"],
            LossesBy::Clock => &["with enough time left", "with less than a tenth of the time left"],
        };
        Some(words.iter().map(|&words| words.to_owned()).collect())
    }

    /// Index of the range of a move, if it is known.
    fn range_of(self, facts: &Facts<'_>) -> Option<usize> {
        let (pieces, all) = (pieces(facts.board), pieces_at_start(facts.game));
        Some(match self {
            LossesBy::Pieces => (RANGES - (pieces * RANGES).div_ceil(all).clamp(1, RANGES)) as usize,
            LossesBy::Kings => usize::from(facts.board.contains(['B', 'W'])),
            LossesBy::Stage if pieces * 3 <= all => 2,
            LossesBy::Stage => usize::from(facts.ply >= OPENING),
            LossesBy::Side => facts.side.index(),
            LossesBy::Clock => usize::from(facts.clock? < LOW_CLOCK),
        })
    }
}

impl LossGroup {
    /// A group without moves; none if the game does not have the property.
    pub(super) fn new(by: LossesBy, game: GameName) -> Option<LossGroup> {
        let part = |place| LossPart { place, moves: 0, lost: 0.0 };
        Some(LossGroup { by, parts: by.ranges(game)?.into_iter().map(part).collect() })
    }

    /// Adds the moves of one side.
    pub(super) fn add(&mut self, review: &Review, side: Color) {
        let (mut first, mut left) = (None, None);
        for (ply, mv) in review.moves.iter().enumerate().filter(|(_, mv)| mv.side == side) {
            let clock = first.zip(left).map(|(first, left): (f64, f64)| left / first);
            let facts = Facts { game: review.game, board: &mv.board, ply, side, clock };
            if let (false, Some(range)) = (mv.best.is_empty(), self.by.range_of(&facts)) {
                self.parts[range].moves += 1;
                self.parts[range].lost += mv.loss;
            }
            left = mv.clock.or(left);
            first = first.or(mv.clock.filter(|&clock| clock > 0.0));
        }
    }

    /// Ranges with moves, if there are at least two.
    pub(super) fn compared(&self) -> Vec<&LossPart> {
        let parts: Vec<&LossPart> = self.parts.iter().filter(|part| part.moves > 0).collect();
        if parts.len() < 2 { Vec::new() } else { parts }
    }
}

/// Number of pieces on a board in the form of [`draw::compact`](kingline::draw::compact).
fn pieces(board: &str) -> u32 {
    board.bytes().filter(u8::is_ascii_alphabetic).count() as u32
}

fn pieces_at_start(game: GameName) -> u32 {
    match game {
        GameName::Checkers | GameName::Loa => 24,
        GameName::Loa6 => 16,
    }
}

/// A range of the number of pieces: `with 19 to 24 pieces on the board`.
fn pieces_in_words(game: GameName, range: u32) -> String {
    let size = pieces_at_start(game) / RANGES;
    let most = pieces_at_start(game) - range * size;
    if range + 1 == RANGES {
        return format!("with at most {most} pieces on the board");
    }
    format!("with {} to {most} pieces on the board", most - size + 1)
}
