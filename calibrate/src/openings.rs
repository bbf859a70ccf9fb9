//! Opening positions for games: varied, quiet, and not lost.

use anyhow::{Result, ensure};
use kingline::checkers::Position;
use kingline::evaluate::checkers::Evaluation;
use kingline::game::{Game, random_opening};
use kingline::score::Score;
use kingline::search::{Limits, Searcher};
use kingline_players::exit::BadInput;
use kingline_players::progress::Progress;
use kingline_players::threads::Threads;
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
    let mut list = Openings::new(variety, seed);
    let mut found: Vec<Position> = Vec::with_capacity(count);
    let mut tries = 0;
    while found.len() < count {
        tries += 1;
        let Some(position) = list.draw() else { continue };
        if !found.contains(&position) || tries > 50 * count {
            found.push(position);
        }
    }
    found
}

/// Endless list of openings, some of them equal.
pub(crate) struct Openings {
    variety: Variety,
    rng: StdRng,
}

impl Openings {
    /// The same seed gives the same list.
    pub(crate) fn new(variety: Variety, seed: u64) -> Openings {
        Openings { variety, rng: StdRng::seed_from_u64(seed) }
    }

    /// Draws an opening; `None` if it is not quiet or not balanced.
    pub(crate) fn draw(&mut self) -> Option<Position> {
        let opening = random_opening::<Position>(self.variety.plies, |moves| self.rng.random_range(0..moves));
        let position = opening?.history.position();
        (!position.must_jump() && value(position).abs() < self.variety.level).then_some(position)
    }
}

/// Largest lead of a side that an opening may have, by a search of each player.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Level {
    /// In men, or in units of the evaluation.
    pub(crate) men: f64,
    /// Nodes of each search.
    pub(crate) nodes: u64,
}

impl Level {
    /// Returns the first `count` of these endless openings that are level by all `scores`.
    ///
    /// # Errors
    /// Fails if level openings are too rare.
    pub(crate) fn choose<G: Game + Sync + Send>(
        self,
        count: usize,
        threads: Threads,
        mut openings: impl Iterator<Item = G>,
        scores: impl Fn(G, u64) -> Vec<Score> + Sync,
    ) -> Result<Vec<G>> {
        /// Number of openings to try for each wanted one.
        const MOST_TRIES: usize = 200;
        /// Number of openings that are searched at once.
        const BATCH: usize = 64;
        let most = 100.0 * self.men;
        let is_level =
            |opening: G| scores(opening, self.nodes).iter().all(|score| f64::from(score.value()).abs() <= most);
        let mut progress = Progress::new("level openings", count);
        let (mut found, mut tries) = (Vec::new(), 0);
        while found.len() < count {
            ensure!(
                tries < MOST_TRIES * count.max(10),
                BadInput::new(format!(
                    "only {} of {tries} openings are within {} men, expected {count}; help: raise --level",
                    found.len(),
                    self.men
                ))
            );
            let batch: Vec<G> = openings.by_ref().take(BATCH).collect();
            tries += batch.len();
            let levels = threads.map(&batch, |&opening| Ok(is_level(opening)))?;
            for (opening, _) in batch.into_iter().zip(levels).filter(|&(_, is_level)| is_level) {
                found.push(opening);
                progress.step("");
            }
        }
        found.truncate(count);
        Ok(found)
    }
}

fn value(position: Position) -> i16 {
    let mut searcher = Searcher::new(Evaluation::default()).with_table_limit(1 << 20);
    searcher.search(position, Limits::depth(8), &mut ()).score.value()
}
