//! Requests from pages, and who answers them.

use tokio::sync::oneshot;

/// A request from a page, with the channel for its answer: nothing, or the reason for a refusal.
#[derive(Debug)]
pub(super) struct PageRequest {
    pub(super) wish: PageWish,
    pub(super) answer: oneshot::Sender<Result<(), String>>,
}

/// The content of a page's request.
#[derive(Debug)]
pub(super) enum PageWish {
    /// A command, on one line.
    Line(String),
    /// A game to continue, as text.
    Game(String),
}

/// The answer to whoever only watches.
pub(super) const ONLY_WATCHES: &str = "this page only watches";

/// Answers the requests of pages.
pub(super) trait Desk: Send + Sync + 'static {
    /// Accepts a request, to be answered now or later.
    ///
    /// # Errors
    /// It is not accepted.
    fn accept(&self, request: PageRequest) -> Result<(), Unaccepted>;
}

/// Why a request is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unaccepted {
    /// Too many others are waiting.
    Busy,
    /// The game has ended.
    Ended,
}
