//! Events that the terminal's thread and the server send to the desk.

use std::io;
use std::sync::mpsc::{SyncSender, TrySendError};

use super::page_request::{Desk, PageRequest, Unaccepted};
use crate::play::Choice;
use crate::protocol::commands::InputLine;
use kingline::loa::Position;

/// An event for the desk.
#[derive(Debug)]
pub(super) enum Event {
    /// A line from the terminal.
    Line(Line),
    /// A request from a page.
    Page(PageRequest),
    /// A signal that ends the session.
    #[cfg_attr(not(unix), expect(dead_code, reason = "other systems end the program themselves"))]
    Signal,
    /// The end of a search, with its choice if there is a legal move.
    ThoughtOver(Option<Choice<Position<8>>>),
}

/// A line from the terminal, or from the file replayed first.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) read: io::Result<InputLine>,
    pub(super) from: Input,
}

/// The kind of console input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// A file to replay. A line is read only after all earlier lines and the machine's moves have been executed.
    File,
    /// A person, who may give commands at any time.
    Terminal,
}

/// The pages' requests become events.
impl Desk for SyncSender<Event> {
    fn accept(&self, request: PageRequest) -> Result<(), Unaccepted> {
        self.try_send(Event::Page(request)).map_err(|error| match error {
            TrySendError::Full(_) => Unaccepted::Busy,
            TrySendError::Disconnected(_) => Unaccepted::Ended,
        })
    }
}
