//! Answers of the 6x6 Lines of Action agent.

use std::num::NonZero;

use super::loa_player::{LoaPlayer, LoaSettings};
use super::params::LOA_TABLE_BYTES;
use super::solved::{longest_defense, solved_choice};
use crate::draw;
use crate::evaluate::loa::Evaluation;
use crate::knowledge::solved;
use crate::protocol::request::{NAME, Request, RequestError, write_answer};
use crate::search::Limits;

/// Returns the answer to `request`, a line with its newline. `threads` search, after the solver has tried. `show` receives text for people: the board, and the reason
/// for the move.
///
/// # Errors
/// [`RequestError::GameOver`]: there is no legal move.
pub fn answer(
    request: Request,
    limits: Limits,
    threads: NonZero<usize>,
    show: &mut dyn FnMut(&str),
) -> Result<String, RequestError> {
    let Request::Move { position, .. } = request else { return Ok(format!("{NAME}\n")) };
    show(&draw::framed(&position, &draw::REQUEST));
    let limits = limits.started();
    let half = limits.part(0.5);
    let strategy = solved::embedded();
    let known = longest_defense(&position, strategy)
        .or_else(|| longest_defense(&position, solved::embedded_defense()))
        .or_else(|| solved_choice(&position, strategy, half));
    let choice = known.or_else(|| {
        // The solver has already used its share.
        let limits = Limits { nodes: half.nodes, ..limits };
        let settings = LoaSettings { solver: 0.0, ..LoaSettings::default() };
        let player = LoaPlayer::with(Evaluation::default(), settings, LOA_TABLE_BYTES);
        player.with_threads(threads).choose(position, limits)
    });
    let choice = choice.ok_or(RequestError::GameOver(position))?;
    show(&choice.why.to_string());
    Ok(write_answer(choice.best))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loa::Position;
    use crate::protocol::request;

    const ONE: NonZero<usize> = NonZero::<usize>::MIN;

    #[test]
    fn a_move_is_answered_and_explained() {
        // The second player's turn, with the colors exchanged.
        let position: Position<6> = "-wwww-/b----b/b-w--b/b----b/b----b/-w-ww- black".parse().unwrap();
        let request = Request::Move { turn: 2, position };
        let mut shown = Vec::new();
        let line = answer(request, Limits::nodes(2000), ONE, &mut |text| shown.push(text.to_owned())).unwrap();
        assert!(request::read_answer(&line, &position).is_ok(), "{line}");
        let [board, why] = &shown[..] else { panic!("{shown:?}") };
        assert!(board.starts_with("  1 | . O O O O .\n  2 | X . . . . X\n"), "{board}");
        assert!(board.ends_with("      A B C D E F     X to move\n"), "{board}");
        assert!(why.contains("; depth "), "{why}");
    }

    #[test]
    fn identify_shows_nothing() {
        let answered = answer(Request::Identify, Limits::nodes(1), ONE, &mut |text| panic!("{text}"));
        assert_eq!(answered.unwrap(), format!("{NAME}\n"));
    }

    #[test]
    fn without_a_legal_move_the_game_is_over() {
        let position = "bw----/ww----/------/------/------/-----w black".parse().unwrap();
        let error = answer(Request::Move { turn: 9, position }, Limits::nodes(1), ONE, &mut |_| ()).unwrap_err();
        assert!(error.to_string().starts_with("the game is over: X is to move and has no legal move"), "{error}");
    }
}
