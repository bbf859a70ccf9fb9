//! Opening positions for games: varied, quiet, and not lost.

use kingline::checkers::Position;
use kingline::evaluate::checkers::Evaluation;
use kingline::game::random_opening;
use kingline::score::Depth;
use kingline::search::{Limits, Searcher};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Variety of openings: their distance from the start, and their balance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variety {
    /// Number of random turns from the start.
    plies: usize,
    /// Largest lead of a side, by a short search, in hundredths of a man.
    level: i16,
}

/// Three random turns, as in the three-move ballots of checkers tournaments. Used for figures.
pub(crate) const BALLOTS: Variety = Variety { plies: 3, level: 60 };
/// Openings in which the better player wins more often. Used to tune search parameters.
pub(crate) const SHARP: Variety = Variety { plies: 8, level: 90 };

/// Returns `count` openings, distinct as long as there are enough. The same seed gives the same openings.
pub(crate) fn openings(variety: Variety, count: usize, seed: u64) -> Vec<Position> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut found: Vec<Position> = Vec::with_capacity(count);
    let mut tries = 0;
    while found.len() < count {
        tries += 1;
        let opening = random_opening::<Position>(variety.plies, |moves| rng.random_range(0..moves));
        let Some(position) = opening.map(|opening| opening.history.position()) else { continue };
        let level = !position.must_jump() && value(position).abs() < variety.level;
        if level && (!found.contains(&position) || tries > 50 * count) {
            found.push(position);
        }
    }
    found
}

fn value(position: Position) -> i16 {
    let mut searcher = Searcher::new(Evaluation::default()).with_table_limit(1 << 20);
    searcher.search(position, Limits::depth(Depth(8)), &mut ()).score.value()
}
