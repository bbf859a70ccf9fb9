//! Publishes the game to all pages. Each page gets the newest state as soon as it can receive one. Every state contains all
//! moves.

use std::sync::Arc;

use serde::Serialize;
use tokio::sync::watch;

use super::thoughts::SearchState;

/// The last published state, for all pages.
#[derive(Clone, Debug)]
pub(super) struct Broadcast {
    game: watch::Sender<Published>,
    thought: watch::Sender<Arc<str>>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Published {
    pub(super) snapshot: Arc<str>,
    /// Record of the game, as text.
    pub(super) record: Arc<str>,
    pub(super) is_over: bool,
    /// True if the program ends: nothing changes any more.
    pub(super) is_last: bool,
}

impl Broadcast {
    pub(super) fn new() -> Broadcast {
        Broadcast { game: watch::Sender::default(), thought: watch::Sender::new(json(&None::<SearchState>)) }
    }

    /// Shows the game to all pages, if it has changed.
    pub(super) fn show(&self, snapshot: &impl Serialize, record: &str, is_over: bool) {
        let snapshot = json(snapshot);
        self.game.send_if_modified(|published| {
            let is_new = published.snapshot != snapshot;
            if is_new {
                *published = Published { snapshot, record: record.into(), is_over, is_last: false };
            }
            is_new
        });
    }

    /// Shows the state of the search to all pages; `None` if there is no search.
    pub(super) fn think(&self, thought: Option<&SearchState>) {
        let thought = json(&thought);
        self.thought.send_if_modified(|published| std::mem::replace(published, thought.clone()) != thought);
    }

    /// Notifies all pages that the program ends.
    pub(super) fn end(&self) {
        self.game.send_modify(|published| published.is_last = true);
    }

    pub(super) fn game(&self) -> watch::Receiver<Published> {
        self.game.subscribe()
    }

    pub(super) fn thought(&self) -> watch::Receiver<Arc<str>> {
        self.thought.subscribe()
    }
}

fn json(value: &impl Serialize) -> Arc<str> {
    serde_json::to_string(value).unwrap_or_default().into()
}
