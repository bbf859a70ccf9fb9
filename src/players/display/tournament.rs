//! The page of many games at once, for watching a tournament. Nothing that it sends has an effect.
//!
//! Threads that play games note each turn, which costs microseconds. Another thread sends what has changed to the pages, a
//! few times a second.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::Result;
use maud::{Markup, PreEscaped, html};
use serde::Serialize;

use super::broadcast::Broadcast;
use super::frame::{board, document};
use super::server::{ONLY_WATCHES, Server, Site};
use super::snapshot::name;
use kingline::draw::shown::Shown;
use kingline::draw::{SHAPES, compact};
use kingline::game::Color;

/// Time between two updates of the pages.
const PACE: Duration = Duration::from_millis(250);
/// Largest number of boards shown; further games are counted only.
const MOST_BOARDS: usize = 64;

const COLUMNS: [&str; 8] = ["Rank", "Agent", "Points", "Games", "Won", "Drawn", "Lost", "Faults"];

/// A page, open until it is dropped.
#[derive(Debug)]
pub struct TournamentPage {
    shared: Arc<Shared>,
    publisher: Option<JoinHandle<()>>,
    // Dropped after the last state has been published.
    _server: Server,
}

#[derive(Debug, Default)]
struct Shared {
    scene: Mutex<Scene>,
    has_closed: AtomicBool,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Scene {
    /// Games in progress, by the number of their place.
    boards: BTreeMap<usize, Playing>,
    /// Games that have ended, and all games of this run so far planned.
    done: usize,
    planned: usize,
    standings: Vec<Row>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Playing {
    names: [String; 2],
    /// As [`compact`] writes it.
    board: String,
    /// Squares of the last move.
    path: Vec<String>,
    turn: &'static str,
    /// Number of turns so far, with the opening.
    turns: usize,
    /// Seconds left to Black and White, if the game is timed.
    left: [Option<f64>; 2],
}

/// An agent's place in the standings.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Row {
    /// Rank, starting at 1.
    pub rank: usize,
    /// Name of the agent.
    pub name: String,
    /// Points, one per win.
    pub points: f64,
    /// Games played, won, drawn and lost.
    pub games: [u32; 4],
    /// Faults in all games.
    pub faults: u32,
}

impl TournamentPage {
    /// Opens a page for games of `G` on `port` or a free one, and prints its address.
    ///
    /// # Errors
    /// The port is taken, or the system does not permit listening.
    pub fn open<G: Shown>(port: Option<u16>) -> Result<TournamentPage> {
        let (broadcast, shared) = (Broadcast::new(), Arc::<Shared>::default());
        let site = Site {
            page: page::<G>().into_string(),
            record: None,
            broadcast: broadcast.clone(),
            handler: Box::new(|request| {
                // The page may have been closed.
                let _ = request.answer.send(Err(ONLY_WATCHES.to_owned()));
                Ok(())
            }),
        };
        let server = Server::start(port, site)?;
        let published = shared.clone();
        let publisher = thread::Builder::new().name("display".into()).spawn(move || publish(&published, &broadcast))?;
        Ok(TournamentPage { shared, publisher: Some(publisher), _server: server })
    }

    /// Begins a game at a free place, whose number it returns.
    pub fn begin<G: Shown>(&self, names: [String; 2], left: [Option<Duration>; 2]) -> usize {
        let mut scene = self.shared.scene();
        let place = (0..).find(|place| !scene.boards.contains_key(place)).unwrap_or_default();
        let (board, turn) = (compact(&G::start()), name(G::start().turn()));
        let left = left.map(|left| left.map(|left| left.as_secs_f64()));
        scene.boards.insert(place, Playing { names, board, path: Vec::new(), turn, turns: 0, left });
        place
    }

    /// Shows a position: the number of turns that led to it, and the last move.
    pub fn show<G: Shown>(&self, place: usize, turns: usize, before: &G, mv: Option<G::Move>) {
        let step = mv.and_then(|mv| before.steps(mv).into_iter().next());
        let after = mv.map_or(*before, |mv| before.play(mv));
        if let Some(playing) = self.shared.scene().boards.get_mut(&place) {
            playing.board = compact(&after);
            playing.path = step.map_or_else(Vec::new, |step| step.path);
            playing.turn = name(after.turn());
            playing.turns = turns;
        }
    }

    /// Shows the time left to a side.
    pub fn set_left(&self, place: usize, side: Color, left: Option<Duration>) {
        if let Some(playing) = self.shared.scene().boards.get_mut(&place) {
            playing.left[side.index()] = left.map(|left| left.as_secs_f64());
        }
    }

    /// Ends the game at a place.
    pub fn end(&self, place: usize) {
        self.shared.scene().boards.remove(&place);
    }

    /// Adds games to those planned.
    pub fn plan(&self, games: usize) {
        self.shared.scene().planned += games;
    }

    /// Counts a game that has ended.
    pub fn count(&self) {
        self.shared.scene().done += 1;
    }

    /// Shows standings.
    pub fn set_standings(&self, standings: Vec<Row>) {
        self.shared.scene().standings = standings;
    }
}

impl Drop for TournamentPage {
    fn drop(&mut self) {
        self.shared.has_closed.store(true, Relaxed);
        let _ = self.publisher.take().map(JoinHandle::join);
    }
}

impl Shared {
    fn scene(&self) -> MutexGuard<'_, Scene> {
        self.scene.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Publishes the scene until the page closes. The last scene is always sent.
fn publish(shared: &Shared, broadcast: &Broadcast) {
    loop {
        let is_last = shared.has_closed.load(Relaxed);
        // A page that connects later gets the last scene, so it is kept up to date without pages as well.
        let mut scene = shared.scene().clone();
        let hidden: Vec<usize> = scene.boards.keys().copied().skip(MOST_BOARDS).collect();
        hidden.iter().for_each(|place| drop(scene.boards.remove(place)));
        broadcast.show(&scene, "", false);
        if is_last {
            return;
        }
        thread::sleep(PACE);
    }
}

/// The page for games of `G`. The script fills in everything that changes.
fn page<G: Shown>() -> Markup {
    let body = html! {
        body {
            link rel="stylesheet" href="tournament.css";
            (PreEscaped(SHAPES))
            header {
                h1 { (G::TITLE) }
                p #progress role="status" { "Loading" }
            }
            p #lost role="alert" hidden {
                "The tournament has ended, or its program cannot be reached. These are the last results."
            }
            main {
                section aria-labelledby="boards-heading" {
                    h2 #boards-heading { "Games in progress" }
                    p #none { "No game is in progress." }
                    ol #boards {}
                }
                section aria-labelledby="standings-heading" {
                    h2 #standings-heading { "Standings" }
                    div #results tabindex="0" role="group" aria-label="Table of standings" {
                        table {
                            thead { tr { @for title in COLUMNS { th scope="col" { (title) } } } }
                            tbody #standings {}
                        }
                    }
                }
            }
            template #board-template { (PreEscaped(board(&G::start(), "", "The board"))) }
        }
    };
    document(G::TITLE, "tournament.js", &body)
}
