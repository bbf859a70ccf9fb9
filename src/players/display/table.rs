//! A table: the page of games that a referee plays. Persons make their moves on it, and others watch.
//!
//! The referee's thread shows each turn and asks for moves. A move from a page is accepted only when the referee asks,
//! and only if it is legal; nothing else that a page sends has an effect on a game.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::Result;

use super::announce;
use super::hub::Hub;
use super::page_request::{Desk, ONLY_WATCHES, PageRequest, PageWish, Unaccepted};
use super::server::{Server, Site};
use super::table_page::table_page;
use super::tabled_game::{Sides, TabledGame};
use kingline::draw::shown::Shown;
use kingline::game::Color;

/// Time between two checks whether the referee still waits.
const PULSE: Duration = Duration::from_millis(100);

/// A table, open to pages until it is dropped.
pub struct Table {
    hub: Hub,
    server: Option<Server>,
    shared: Arc<Shared>,
}

/// The people for whom a table's page is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seats {
    /// Persons, who play and can end the program.
    ForPersons,
    /// Watchers.
    ForWatchers,
}

/// A person's choice after a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// Another game.
    Again,
    /// The end of the program. It may also have been stopped.
    Ended,
}

/// State shared by the referee's thread and the server's.
#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

/// The game on the table, and what persons want.
#[derive(Default)]
struct State {
    /// Sides of the next game.
    next: Sides,
    game: TabledGame,
    asked: Asked,
    /// A person's wish for another game, or to end the program.
    wanted: Option<Rest>,
}

/// State of the referee's request for a person's move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Asked {
    /// There is no request.
    #[default]
    Nothing,
    /// The referee waits for a move.
    Move,
    /// A person has chosen the move of this number.
    Chosen(usize),
}

impl Table {
    /// Opens a table on `port` or a free one, and prints its address. `persons` tells which sides persons play.
    ///
    /// # Errors
    /// The port is taken, or the system does not permit listening.
    pub fn open<G: Shown>(port: Option<u16>, persons: [bool; 2]) -> Result<Table> {
        let (hub, shared) = (Hub::new(), Arc::new(Shared::default()));
        let seats = if persons.contains(&true) { Seats::ForPersons } else { Seats::ForWatchers };
        let page = table_page::<G>(seats).into_string();
        let desk = Box::new(TableDesk { shared: shared.clone(), seats });
        let server = Server::start(port, Site { page, record: Some(G::RECORD), hub: hub.clone(), desk })?;
        announce(server.address());
        Ok(Table { hub, server: Some(server), shared })
    }

    /// Sets the sides of the next game.
    pub fn seat(&self, sides: Sides) {
        self.shared.state().next = sides;
    }

    /// Begins a game after its opening moves.
    pub fn begin<G: Shown>(&self, start: &G, opening: &[G::Move]) {
        let mut state = self.shared.state();
        // A game may be played again by the same sides.
        let sides = state.next.clone();
        state.game.begin(sides, start, opening);
        state.game.publish(&self.hub);
    }

    /// Shows a turn: the side, its move if it made one, the time left to it, and what was wrong, if something was.
    pub fn turned<G: Shown>(&self, side: Color, mv: Option<&str>, left: Option<Duration>, wrong: Option<String>) {
        let mut state = self.shared.state();
        state.game.turned::<G>(side, mv, left, wrong);
        state.game.publish(&self.hub);
    }

    /// Asks a person for a move. Returns its number among the legal moves of the last position; `None` if a person has
    /// left the game, or `goes_on` returns false.
    pub fn choose(&self, goes_on: impl Fn() -> bool) -> Option<usize> {
        let mut state = self.shared.state();
        state.asked = Asked::Move;
        state.game.ask();
        state.game.publish(&self.hub);
        let is_waiting = |state: &State| state.asked == Asked::Move && state.wanted.is_none() && goes_on();
        let mut state = self.shared.wait(state, is_waiting);
        match std::mem::take(&mut state.asked) {
            Asked::Chosen(number) if state.wanted.is_none() => Some(number),
            _ => None,
        }
    }

    /// Shows the end of the game, and offers its record.
    pub fn end_game(&self, result: &str, winner: Option<Color>, record: String) {
        let mut state = self.shared.state();
        state.game.end(result, winner, record);
        state.game.publish(&self.hub);
    }

    /// Waits until a person wants another game, or ends the program, or `goes_on` returns false.
    pub fn rest(&self, goes_on: impl Fn() -> bool) -> Rest {
        let state = self.shared.state();
        let mut state = self.shared.wait(state, |state| state.wanted.is_none() && goes_on());
        let wanted = state.wanted.unwrap_or(Rest::Ended);
        state.wanted = Some(wanted).filter(|wanted| *wanted == Rest::Ended);
        wanted
    }

    /// True if a person has left the game, for another or to end the program.
    pub fn is_left(&self) -> bool {
        self.shared.state().wanted.is_some()
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        self.hub.end();
        self.server.take().into_iter().for_each(Server::stop);
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // A thread that panicked ends the program.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits as long as a condition holds.
    fn wait<'a>(&self, mut state: MutexGuard<'a, State>, holds: impl Fn(&State) -> bool) -> MutexGuard<'a, State> {
        while holds(&state) {
            state = self.changed.wait_timeout(state, PULSE).unwrap_or_else(PoisonError::into_inner).0;
        }
        state
    }
}

/// Answers the requests of pages at once.
struct TableDesk {
    shared: Arc<Shared>,
    seats: Seats,
}

impl Desk for TableDesk {
    fn accept(&self, PageRequest { wish, answer }: PageRequest) -> Result<(), Unaccepted> {
        let done = match wish {
            _ if self.seats == Seats::ForWatchers => Err(ONLY_WATCHES.to_owned()),
            PageWish::Line(line) => self.shared.state().execute(line.trim()),
            PageWish::Game(_) => Err("this page takes no games".to_owned()),
        };
        self.shared.changed.notify_all();
        // The page may have been closed.
        let _ = answer.send(done);
        Ok(())
    }
}

impl State {
    /// Executes a command of a page: a move as squares (`c3-d4`), `again`, or `quit`.
    fn execute(&mut self, line: &str) -> Result<(), String> {
        match line {
            "quit" => self.wanted = Some(Rest::Ended),
            // A person can leave a game in its turn.
            "again" if self.game.is_over() || self.asked == Asked::Move => {
                self.wanted = self.wanted.or(Some(Rest::Again));
            }
            "again" => return Err("a game can be left only in your turn".to_owned()),
            _ if self.asked != Asked::Move => return Err("no move is expected from this page now".to_owned()),
            path => self.asked = Asked::Chosen(self.game.number_of(path)?),
        }
        Ok(())
    }
}
