//! The board in a browser: a page on this machine's loopback address, beside the terminal.
//!
//! Page and terminal are two sources of the same commands of one [`Session`]. One thread, the desk,
//! has the game and the terminal; the server's thread passes on what pages ask for, and tells all pages what the desk has
//! published.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `desk` | in which order are commands of page and terminal executed |
//! | `inbox` | what comes, and from where |
//! | `thinking` | what happens to a thought when a command comes |
//! | `terminal` | where do the terminal's lines come from |
//! | `shown` | what does a page show of a game |
//! | `snapshot` | how is that sent |
//! | `hub` | how do all pages learn of it |
//! | `server` | which addresses are there, and what do they answer |
//! | `guard` | who may ask |
//! | `page`, `help` | what is on the page |
//!
//! The page's script and style sheets are in `assets`, and `src/draw` has those of boards.

mod desk;
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
use hub::Hub;
use server::Server;
pub use terminal::Input;

/// Commands that may wait to be executed; more are refused.
const WAITING: usize = 64;

/// Shows the game of a session in the browser, at this port or one that is free, and reads commands to their end.
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
        stderr_line("No browser could be opened: copy the address into one.");
    }
    let ended = desk.run();
    server.stop();
    Ok(ended?)
}

/// Whether a browser would have a window: without, one may be found that takes the terminal.
fn has_windows() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(any(windows, target_os = "macos")) || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}
