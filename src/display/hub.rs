//! How do all pages learn of the game? Each sees the newest state as soon as it can; the moves before are in it.

use std::sync::Arc;

use serde::Serialize;
use tokio::sync::watch;

use super::snapshot::{Snapshot, Thinks};

/// What is published last, for all pages.
#[derive(Clone, Debug)]
pub(super) struct Hub {
    game: watch::Sender<Published>,
    thought: watch::Sender<Arc<str>>,
}

/// The game as pages get it.
#[derive(Clone, Debug, Default)]
pub(super) struct Published {
    /// As JSON.
    pub(super) snapshot: Arc<str>,
    /// As SGF.
    pub(super) record: Arc<str>,
}

impl Hub {
    pub(super) fn new() -> Hub {
        Hub { game: watch::Sender::default(), thought: watch::Sender::new(json(&None::<Thinks>)) }
    }

    /// Shows the game to all pages, if they do not see it already.
    pub(super) fn show(&self, snapshot: &Snapshot, record: &str) {
        let snapshot = json(snapshot);
        self.game.send_if_modified(|published| {
            let is_new = published.snapshot != snapshot;
            if is_new {
                *published = Published { snapshot, record: record.into() };
            }
            is_new
        });
    }

    /// Tells all pages what the machine thinks; `None`: nothing.
    pub(super) fn think(&self, thought: Option<&Thinks>) {
        self.thought.send_replace(json(&thought));
    }

    /// Tells all pages that this was all.
    pub(super) fn end(&self) {
        self.game.send_modify(|published| published.snapshot = "null".into());
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
