//! The rules of the game and the league, applied to a position.

use std::time::Duration;

use crate::league::League;
use crate::record::{Draw, EndReason, GameVerdict};
use kingline::draw::{Board, Content};
use kingline::game::{Color, DrawReason, Ending, History};

/// Verdict after `moves` moves, with the time left for Black and White; `None` if the game goes on.
pub(crate) fn ruling<G: Board>(
    league: &League,
    history: &History<G>,
    moves: usize,
    left: [Option<Duration>; 2],
) -> Option<GameVerdict> {
    let drawn = |draw| {
        // A side without a clock, such as a person, has no time to compare.
        let more_time = match left {
            [Some(black), Some(white)] if black > white => Some(Color::Black),
            [Some(black), Some(white)] if black < white => Some(Color::White),
            _ => None,
        };
        GameVerdict { winner: None, reason: EndReason::Drawn { draw, more_time } }
    };
    Some(match history.ending() {
        Some(Ending::Win(winner)) => GameVerdict { winner: Some(winner), reason: reason(&history.position()) },
        Some(Ending::Draw(DrawReason::Repetition)) => drawn(Draw::Repetition),
        Some(Ending::Draw(DrawReason::QuietTurns)) => drawn(Draw::QuietTurns),
        Some(Ending::Draw(DrawReason::Position)) => drawn(Draw::Position),
        None if league.longest.is_some_and(|limit| moves >= limit as usize) => drawn(Draw::MoveLimit),
        None => return None,
    })
}

/// Reason for the win in this position.
fn reason<G: Board>(position: &G) -> EndReason {
    match position.outcome() {
        Some(_) => EndReason::Connected,
        None if has_pieces(position, position.turn()) => EndReason::Blocked,
        None => EndReason::Captured,
    }
}

/// Returns true if a side has a piece on the board.
fn has_pieces<G: Board>(position: &G, side: Color) -> bool {
    let owns = |content| matches!(content, Content::Man(owner) | Content::King(owner) if owner == side);
    (0..G::SIZE).any(|row| (0..G::SIZE).any(|column| owns(position.content(column, row))))
}
