//! Reviews of the game on a page, once it is over.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::StatusCode;
use maud::{DOCTYPE, PreEscaped, html};
use tokio::sync::{Semaphore, watch};
use tokio::task::spawn_blocking;

use super::broadcast::Published;
use crate::review::{RecordFormat, Settings, SquareNames, all_cores, page_head, read_games, section};
use kingline::draw::SHAPES;
use kingline::draw::shown::RecordFile;

/// Seconds for each position: a game of 60 plies takes about three seconds on two cores.
const SECONDS: f64 = 0.1;

/// Makes reviews, one at a time, and keeps the last.
pub(super) struct Reviewer {
    one: Semaphore,
    /// The last reviewed record, with its page.
    last: Mutex<Option<(Arc<str>, Arc<str>)>>,
}

/// Status and text of an answer without the requested content.
pub(super) type Refusal = (StatusCode, &'static str);

/// The game is not over, or has gone on meanwhile.
const GOES_ON: Refusal = (StatusCode::CONFLICT, "A game is reviewed when it is over.\n");
/// Another review is in progress.
const BUSY: Refusal = (StatusCode::TOO_MANY_REQUESTS, "The game is being reviewed. Reload in a few seconds.\n");
/// There is no game, or it has no moves.
pub(super) const NO_GAME: Refusal = (StatusCode::NOT_FOUND, "There is no game to review.\n");

impl Reviewer {
    pub(super) fn new() -> Reviewer {
        Reviewer { one: Semaphore::new(1), last: Mutex::new(None) }
    }

    /// Returns the page with the review of the game that is shown. While a game goes on there is none: nobody gets advice,
    /// and no agent loses time.
    pub(super) async fn page(&self, game: watch::Receiver<Published>, kind: RecordFile) -> Result<Arc<str>, Refusal> {
        let record = finished(&game).ok_or(GOES_ON)?;
        if let Some((_, page)) = self.last().as_ref().filter(|(last, _)| *last == record) {
            return Ok(page.clone());
        }
        let _permit = self.one.try_acquire().map_err(|_| BUSY)?;
        let text = record.clone();
        let page = spawn_blocking(move || document(&text, kind, &|| finished(&game).as_ref() == Some(&text)));
        let page: Arc<str> = page.await.map_err(|_| NO_GAME)??.into();
        *self.last() = Some((record, page.clone()));
        Ok(page)
    }

    fn last(&self) -> std::sync::MutexGuard<'_, Option<(Arc<str>, Arc<str>)>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The record of the shown game, if it is over.
fn finished(game: &watch::Receiver<Published>) -> Option<Arc<str>> {
    let published = game.borrow();
    published.is_over.then(|| published.record.clone())
}

/// Reviews a game as long as `is_wanted` says so, and writes the page.
fn document(record: &str, kind: RecordFile, is_wanted: &dyn Fn() -> bool) -> Result<String, Refusal> {
    let games = read_games(record, RecordFormat::of(Path::new(kind.name), record));
    let Some(Ok(game)) = games.first() else { return Err(NO_GAME) };
    if game.record.plies() == 0 {
        return Err(NO_GAME);
    }
    let settings = Settings { seconds: SECONDS, names: SquareNames::Letters };
    let review = game.record.review(settings, all_cores(), &mut |_| is_wanted()).ok_or(GOES_ON)?;
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                (page_head("Review"))
                link rel="stylesheet" href="board.css";
                link rel="stylesheet" href="review-page.css";
                link rel="stylesheet" href="review.css";
                script src="board.js" defer {}
                script src="review.js" defer {}
            }
            body {
                (PreEscaped(SHAPES))
                main {
                    h1 { "Review of the game" }
                    p { a href="./" { "Back to the game" } }
                    (section(&review, 1))
                }
            }
        }
    };
    Ok(page.into_string())
}
