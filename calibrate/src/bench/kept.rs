//! Time of searches by one searcher that is kept for all of them, as a library user keeps it.

use std::time::Duration;

use kingline::checkers::Position;
use kingline::clock::Clock;
use kingline::evaluate::checkers::Evaluation;
use kingline::game::{History, random_opening};
use kingline::search::{Limits, Searcher};
use kingline_players::figures::Figure;
use kingline_players::terminal::in_thousands;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::progress::Progress;

const MOVES: usize = 5_000;
/// CPU time of a move.
const LIMIT: Duration = Duration::from_millis(20);
/// Largest CPU time of a move: 15 % more.
const MOST: Duration = Duration::from_millis(23);
/// Number of random plies in an opening.
const OPENING: usize = 8;

/// Plays games of the searcher against itself. No move may take much longer than its limit, also when the transposition
/// table grows.
pub(super) fn overshoot() -> Figure {
    let mut rng = StdRng::seed_from_u64(19);
    let mut searcher = Searcher::<Position, _>::new(Evaluation::default());
    let mut progress = Progress::new("kept searcher", MOVES);
    let (mut over, mut longest) = (0, Duration::ZERO);
    let mut game: Option<History<Position>> = None;
    for _ in 0..MOVES {
        let history = loop {
            if let Some(going) = game.take().filter(|game| game.ending().is_none()) {
                break game.insert(going);
            }
            let opening = random_opening(OPENING, |moves| rng.random_range(0..moves));
            game = opening.map(|opening| opening.history);
        };
        let began = Clock::Thread.now();
        let report = searcher.search(&*history, Limits::until(Clock::Thread, began + LIMIT), &mut ());
        let took = Clock::Thread.now() - began;
        over += usize::from(took > MOST);
        longest = longest.max(took);
        if let Some(best) = report.best {
            history.play(best);
        }
        progress.step("");
    }
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    let name = format!("{} moves of {} ms by one searcher", in_thousands(MOVES as u64), LIMIT.as_millis());
    let measured = format!("{over} took more than {} ms; the longest {:.1} ms", MOST.as_millis(), ms(longest));
    Figure::new(name, measured).against("none 15 % longer", over == 0)
}
