//! Boards in a browser: pages on this machine's loopback address.
//!
//! Three commands have pages:
//!
//! - `loa --display`: page and terminal give commands to one [`Session`]. One thread, the desk, owns the game and the
//!   terminal.
//! - `master play --display`: a referee plays the games, and asks a [`Table`] for the moves of persons.
//! - `master tournament --display`: a [`Hall`] shows the games in progress.
//!
//! The server's thread passes requests from pages on, and sends updates to the pages.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `server` | which addresses exist, and what each returns |
//! | `guard` | which requests are allowed |
//! | `page_request` | what pages ask, and who answers |
//! | `hub` | how all pages learn of changes |
//! | `snapshot`, `search_state` | how a game and the machine's thoughts are sent to a page |
//! | `reviewer` | how a game that is over gets its review |
//! | `frame`, `drawing` | what is on all pages |
//! | `table`, `tabled_game`, `table_page` | how persons play against a referee's agents |
//! | `hall`, `hall_page` | how many games are watched at once |
//! | `page`, `help` | what is on the page of a session |
//! | `event` | what other threads send to the desk |
//! | `desk` | in which order commands from page and terminal are executed |
//! | `inbox` | what the desk does next |
//! | `thinking` | what happens to a search when a command arrives |
//! | `audience` | how the desk answers the terminal and the pages |
//! | `choices` | why the machine made its moves |
//! | `clocks` | how much time each side has used |
//! | `terminal` | where the terminal's lines come from |
//!
//! The scripts and the style sheet of pages are in `assets`, those for boards in `src/engine/draw`.

mod audience;
mod choices;
mod clocks;
mod desk;
mod drawing;
mod event;
mod frame;
mod guard;
mod hall;
mod hall_page;
mod help;
mod hub;
mod inbox;
mod page;
mod page_request;
mod reviewer;
mod search_state;
mod server;
mod snapshot;
mod table;
mod table_page;
mod tabled_game;
mod terminal;
mod thinking;

use std::io::IsTerminal;
use std::sync::mpsc::{SyncSender, sync_channel};

use anyhow::Result;

use crate::play::{Console, ConsoleEnd, Session, Strictness};
use crate::terminal::stderr_line;
use desk::Desk;
use event::Event;
pub use event::Input;
pub use hall::{Hall, Row};
use hub::Hub;
pub use kingline::draw::shown::Shown;
use kingline::loa::Position;
use server::{Server, Site};
pub use table::{Rest, Table};
pub use tabled_game::Sides;

/// Largest number of commands waiting to be executed; more are refused.
const WAITING: usize = 64;

/// Shows a session's game in the browser, on `port` or a free port, and executes commands until the session ends. Must be
/// called before other threads start, because signal masks are per thread.
///
/// # Errors
/// The port is taken, or a stream fails.
pub fn run(
    console: Console<'static>,
    session: &mut Session,
    strictness: Strictness,
    from: Input,
    port: Option<u16>,
) -> Result<ConsoleEnd> {
    let (sender, events) = sync_channel(WAITING);
    end_on_signals(sender.clone())?;
    let hub = Hub::new();
    let site = Site {
        page: page::page(session.dialect()).into_string(),
        record: Some(Position::<8>::RECORD),
        hub: hub.clone(),
        desk: Box::new(sender.clone()),
    };
    let server = Server::start(port, site)?;
    let mut desk = Desk::new(session, (sender, events), console, from, hub, strictness);
    announce(server.address());
    let ended = desk.run();
    server.stop();
    Ok(ended?)
}

/// Makes SIGINT and SIGTERM end the session as `quit` does, so that the pages hear of it.
#[cfg(unix)]
fn end_on_signals(desk: SyncSender<Event>) -> Result<()> {
    use crate::terminal::signals::end_on;
    use nix::sys::signal::Signal;

    // The desk has ended if it does not take the event.
    Ok(end_on([Signal::SIGINT, Signal::SIGTERM], move |_| _ = desk.send(Event::Signal))?)
}

#[cfg(not(unix))]
fn end_on_signals(_: SyncSender<Event>) -> Result<()> {
    Ok(())
}

/// Opens an address in a browser. Returns true if it is open.
fn open(address: &str) -> bool {
    #[cfg(unix)]
    return crate::terminal::signals::unblocked(|| webbrowser::open(address)).is_ok_and(|opened| opened.is_ok());
    #[cfg(not(unix))]
    webbrowser::open(address).is_ok()
}

/// Prints the address of the page, and opens it for a person.
fn announce(address: &str) {
    stderr_line(format_args!("The board is at {address}"));
    if std::io::stderr().is_terminal() && !(has_windows() && open(address)) {
        stderr_line("Cannot open a browser. Copy the address into one.");
    }
}

/// Returns true if a browser can open a window. Otherwise a text browser might take over the terminal.
fn has_windows() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(any(windows, target_os = "macos")) || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}
