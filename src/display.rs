//! The board in a browser: a page on this machine's loopback address, beside the terminal.
//!
//! Page and terminal give commands to one [`Session`]. One thread, the desk, owns the game and the terminal. The
//! server's thread passes requests from pages to the desk, and sends the desk's updates to the pages.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `event` | what other threads send to the desk |
//! | `desk` | in which order commands from page and terminal are executed |
//! | `inbox` | what the desk does next |
//! | `thinking` | what happens to a search when a command arrives |
//! | `audience` | how the desk answers the terminal and the pages |
//! | `terminal` | where the terminal's lines come from |
//! | `shown` | what a page shows of a game |
//! | `snapshot` | how a game is sent to a page |
//! | `hub` | how all pages learn of changes |
//! | `server` | which addresses exist, and what each returns |
//! | `guard` | which requests are allowed |
//! | `page`, `help`, `drawing` | what is on the page |
//!
//! The page's scripts and style sheet are in `assets`, those for boards in `src/draw`.

mod audience;
mod desk;
mod drawing;
mod event;
mod guard;
mod help;
mod hub;
mod inbox;
mod page;
mod server;
mod shown;
mod snapshot;
mod terminal;
mod thinking;

use std::io::IsTerminal;
use std::sync::mpsc::sync_channel;

use anyhow::Result;

use crate::play::{Console, ConsoleEnd, Session, Strictness};
use crate::terminal::stderr_line;
use desk::Desk;
pub use event::Input;
use hub::Hub;
use server::Server;

/// Largest number of commands waiting to be executed; more are refused.
const WAITING: usize = 64;

/// Shows a session's game in the browser, on `port` or a free port, and executes commands until the session ends.
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
    let hub = Hub::new();
    let server = Server::start(port, hub.clone(), sender.clone(), session.dialect())?;
    let mut desk = Desk::new(session, (sender, events), console, from, hub, strictness);
    stderr_line(format_args!("The board is at {}", server.address()));
    if std::io::stderr().is_terminal() && !(has_windows() && webbrowser::open(server.address()).is_ok()) {
        stderr_line("Cannot open a browser. Copy the address into one.");
    }
    let ended = desk.run();
    server.stop();
    Ok(ended?)
}

/// Returns true if a browser can open a window. Otherwise a text browser might take over the terminal.
fn has_windows() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(any(windows, target_os = "macos")) || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}
