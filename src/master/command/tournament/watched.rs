//! The page of `--display`: the games in progress, and the standings as they change.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::Watched;
use crate::league::League;
use crate::record::{GameRecord, Turn};
use crate::referee::{AnyGameObserver, GameObserver};
use crate::tournament::TournamentObserver;
use crate::tournament::arena::GameWatcher;
use crate::tournament::schedule::PlannedGame;
use crate::tournament::standings::{Standing, standings};
use crate::tournament::store::{Store, StoreError};
use kingline_players::display::{Row, Shown, TournamentPage};
use kingline_players::of_game;

/// Shortest time between two readings of the standings.
const PACE: Duration = Duration::from_secs(1);
/// Share of time that may be spent reading them: one part in this number.
const SHARE: u32 = 50;

struct Watch {
    page: Arc<TournamentPage>,
    store: PathBuf,
    /// Time at which the standings may be read again.
    next: Instant,
    /// Games still to be played.
    missing: usize,
}

/// Opens the page, and prints its address. Returns it with the watcher of the games.
///
/// # Errors
/// The port is taken, or the system does not permit listening.
pub(super) fn open(league: &League, store: &Path, port: Option<u16>) -> Result<Watched> {
    let page = Arc::new(of_game!(league.game, G => TournamentPage::open::<G>(port))?);
    let watch = Watch { page: Arc::clone(&page), store: store.to_owned(), next: Instant::now(), missing: 0 };
    Ok((Box::new(watch), Arc::new(Watcher(page))))
}

impl Watch {
    fn rank(&mut self) {
        let start = Instant::now();
        // The page is only watched: if the store cannot be read now, its last standings stay.
        if let Ok(rows) = rows(&self.store) {
            self.page.set_standings(rows);
        }
        self.next = Instant::now() + PACE.max(start.elapsed() * SHARE);
    }
}

fn rows(path: &Path) -> Result<Vec<Row>, StoreError> {
    let store = Store::open(path)?;
    let (state, agents) = (store.schedule(&|_| true)?, store.agents()?);
    let row = |standing: Standing| Row {
        rank: standing.rank,
        name: agents[standing.agent].name.clone(),
        points: f64::from(standing.half_points) / 2.0,
        games: [standing.played, standing.wins, standing.draws, standing.losses],
        faults: standing.faults,
    };
    Ok(standings(&state.done, &state.out).into_iter().map(row).collect())
}

impl TournamentObserver for Watch {
    fn begin(&mut self, games: usize) {
        self.page.plan(games);
        self.missing = games;
        self.rank();
    }

    fn ended(&mut self, _: &PlannedGame, _: &GameRecord) {
        self.page.count();
        self.missing = self.missing.saturating_sub(1);
        if self.missing == 0 || Instant::now() >= self.next {
            self.rank();
        }
    }
}

#[derive(Debug)]
struct Watcher(Arc<TournamentPage>);

impl GameWatcher for Watcher {
    fn watch(&self, names: [String; 2], budgets: [Option<Duration>; 2]) -> Box<dyn AnyGameObserver> {
        Box::new(WatchedGame { page: Arc::clone(&self.0), names, budgets, place: None, turns: 0 })
    }
}

/// A game that is shown until it is dropped.
struct WatchedGame {
    page: Arc<TournamentPage>,
    names: [String; 2],
    budgets: [Option<Duration>; 2],
    /// Place on the page, once the game has begun.
    place: Option<usize>,
    turns: usize,
}

impl WatchedGame {
    fn leave(&mut self) {
        self.place.take().into_iter().for_each(|place| self.page.end(place));
    }
}

impl<G: Shown> GameObserver<G> for WatchedGame {
    fn begun(&mut self, opening: &[G::Move]) {
        // A game that the machine has spoiled begins again.
        self.leave();
        let place = self.page.begin::<G>(self.names.clone(), self.budgets);
        self.place = Some(place);
        self.turns = 0;
        let mut position = G::start();
        for &mv in opening {
            self.turns += 1;
            self.page.show(place, self.turns, &position, Some(mv));
            position = position.play(mv);
        }
    }

    fn turned(&mut self, before: &G, _: &G, turn: &Turn) {
        let Some(place) = self.place else { return };
        self.turns += 1;
        self.page.set_left(place, turn.side, turn.left);
        let mv = turn.mv.as_ref().and_then(|mv| before.parse_move(mv).ok());
        self.page.show(place, self.turns, before, mv);
    }
}

impl Drop for WatchedGame {
    fn drop(&mut self) {
        self.leave();
    }
}
