use std::num::NonZero;
use std::time::Duration;

use super::loa_player::{LoaPlayer, LoaSettings};
use super::params::LOA_TABLE_BYTES;
use super::solved::{SOLVER_NODES, known_choice, longest_defense, proved_choice};
use crate::protocol::request::{NAME, Request, RequestError, write_answer};
use kingline::clock::Clock;
use kingline::draw;
use kingline::evaluate::loa::Evaluation;
use kingline::game::Game;
use kingline::knowledge::solved;
use kingline::search::Limits;

/// Time from the start of the process after which even the solver stops: the rest of the three seconds is for a machine
/// so busy that a few milliseconds of CPU time take half a second. A proof takes at most 0.1 s of CPU time.
const LAST_STOP: Duration = Duration::from_millis(2300);

/// Returns the answer to `request`, a line with its newline. The solver gets as many nodes as the strategy relies on,
/// whatever `time` is; a search, with `threads`, ends when `start` shows `time`. `show` receives text for people: the
/// board, and the reason for the move.
///
/// # Errors
/// [`RequestError::GameOver`]: there is no legal move.
pub fn answer(
    request: Request,
    (start, time): (Clock, Duration),
    threads: NonZero<usize>,
    show: &mut dyn FnMut(&str),
) -> Result<String, RequestError> {
    let Request::Move { position, .. } = request else { return Ok(format!("{NAME}\n")) };
    show(&draw::framed(&position, &draw::REQUEST));
    let strategy = solved::embedded();
    let is_forced = position.legal_moves().len() == 1;
    let solver = Limits { nodes: Some(SOLVER_NODES), ..Limits::until(start, LAST_STOP) };
    let choice = longest_defense(&position, strategy)
        .or_else(|| longest_defense(&position, solved::embedded_defense()))
        .or_else(|| known_choice(&position, strategy?))
        .or_else(|| if is_forced { None } else { proved_choice(&position, solver) })
        .or_else(|| {
            let settings = LoaSettings { solver: 0.0, ..LoaSettings::default() };
            let player = LoaPlayer::with(Evaluation::default(), settings, LOA_TABLE_BYTES);
            player.with_threads(threads).choose(position, Limits::until(start, time))
        });
    let choice = choice.ok_or(RequestError::GameOver(position))?;
    show(&choice.why.to_string());
    Ok(write_answer(choice.best))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::request;
    use kingline::loa::Position;

    fn answer(request: Request, show: &mut dyn FnMut(&str)) -> Result<String, RequestError> {
        let time = (Clock::wall_of_process(), Duration::ZERO);
        super::answer(request, time, NonZero::<usize>::MIN, show)
    }

    #[test]
    fn a_move_is_answered_and_explained() {
        // The second player's turn, with the colors exchanged.
        let position: Position<6> = "-wwww-/b----b/b-w--b/b----b/b----b/-w-ww- black".parse().unwrap();
        let request = Request::Move { turn: 2, position };
        let mut shown = Vec::new();
        let line = answer(request, &mut |text| shown.push(text.to_owned())).unwrap();
        assert!(request::read_answer(&line, &position).is_ok(), "{line}");
        let [board, why] = &shown[..] else { panic!("{shown:?}") };
        assert!(board.starts_with("  1 | . O O O O .\n  2 | X . . . . X\n"), "{board}");
        assert!(board.ends_with("      A B C D E F     X to move\n"), "{board}");
        assert!(why.contains("; depth "), "{why}");
    }

    #[test]
    fn identify_shows_nothing() {
        let answered = answer(Request::Identify, &mut |text| panic!("{text}"));
        assert_eq!(answered.unwrap(), format!("{NAME}\n"));
    }

    #[test]
    fn without_a_legal_move_the_game_is_over() {
        let position = "bw----/ww----/------/------/------/-----w black".parse().unwrap();
        let error = answer(Request::Move { turn: 9, position }, &mut |_| ()).unwrap_err();
        assert!(error.to_string().starts_with("the game is over: X is to move and has no legal move"), "{error}");
    }
}
