//! The server: its routes, and their responses.

use std::convert::Infallible;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::sse::{Event as Message, KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Router, middleware};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::timeout;
use tokio_stream::wrappers::WatchStream;
use tokio_stream::{Stream, StreamExt};

use super::frame::ASSETS;
use super::guard::{self, Access};
use super::hub::Hub;
use super::page_request::{Desk, PageRequest, PageWish, Unaccepted};
use super::reviewer::{NoReview, Reviewer};
use crate::terminal::stderr_line;
use kingline::draw::shown::RecordFile;

/// Default port. If it is taken, a free one is used.
const USUAL_PORT: u16 = 6280;
/// Largest request body in bytes. A game of a thousand moves is smaller.
const LONGEST_BODY: usize = 64 << 10;
/// Largest number of open pages.
const MOST_PAGES: usize = 256;
/// Time limit for the desk's answer to a request.
const PATIENCE: Duration = Duration::from_secs(10);
/// Shortest time between two game states sent to a page. Faster changes are not visible. The last state is always
/// sent.
const FRAME: Duration = Duration::from_millis(40);
/// Shortest time between two search states sent to a page. Faster changes are not readable.
const READING: Duration = Duration::from_millis(250);
/// Time for sending the end of the game to the pages.
const FAREWELL: Duration = Duration::from_millis(300);

/// A server in its own thread.
#[derive(Debug)]
pub(super) struct Server {
    address: String,
    stop: oneshot::Sender<()>,
    thread: JoinHandle<()>,
}

/// A site: its page, the updates for it, and the desk that answers its requests.
pub(super) struct Site {
    /// The page as HTML.
    pub(super) page: String,
    /// Format of the game to download, if there is one.
    pub(super) record: Option<RecordFile>,
    pub(super) hub: Hub,
    pub(super) desk: Box<dyn Desk>,
}

/// State shared by all requests.
#[derive(Clone)]
struct Shared {
    site: Arc<Site>,
    pages: Arc<Semaphore>,
    reviewer: Arc<Reviewer>,
}

impl Server {
    /// Listens on this loopback port; with `None`, on the default port or a free one.
    ///
    /// # Errors
    /// The port is taken, or the system does not permit listening.
    pub(super) fn start(port: Option<u16>, site: Site) -> Result<Server> {
        let listener = listen(port)?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let token: Arc<str> = guard::token()?.into();
        let address = format!("http://127.0.0.1:{port}/{token}/");
        let access = Access { port, token };
        let shared = Shared {
            site: Arc::new(site),
            pages: Arc::new(Semaphore::new(MOST_PAGES)),
            reviewer: Arc::new(Reviewer::new()),
        };
        let (stop, stopped) = oneshot::channel();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let thread = thread::spawn(move || {
            runtime.block_on(async {
                let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
                tokio::select! {
                    _ = axum::serve(listener, router(shared, access)).into_future() => {}
                    _ = stopped => tokio::time::sleep(FAREWELL).await,
                }
            });
        });
        Ok(Server { address, stop, thread })
    }

    /// Address of the page.
    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// Stops the server after it has sent the end of the game to the pages.
    pub(super) fn stop(self) {
        let _ = self.stop.send(());
        let _ = self.thread.join();
    }
}

fn listen(port: Option<u16>) -> Result<TcpListener> {
    let bind = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    if let Some(port) = port {
        return bind(port)
            .map_err(|error| anyhow!("cannot listen on port {port}: {error}; help: omit --port to use any free port"));
    }
    bind(USUAL_PORT).or_else(|why| {
        stderr_line(format_args!("Port {USUAL_PORT} is not available ({why}). Using a free one."));
        bind(0).context("cannot listen on any port")
    })
}

fn router(shared: Shared, access: Access) -> Router {
    Router::new()
        .route("/{token}/", get(whole_page))
        .route("/{token}/{file}", get(file))
        .route("/{token}/events", get(events))
        .route("/{token}/review", get(review))
        .route("/{token}/command", post(command))
        .route("/{token}/game", post(game))
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(middleware::from_fn_with_state(access, guard::check))
        .with_state(shared)
}

async fn whole_page(State(shared): State<Shared>) -> Html<String> {
    Html(shared.site.page.clone())
}

/// A style sheet, a script, or the game as a download.
async fn file(State(shared): State<Shared>, Path((_, name)): Path<(String, String)>) -> Response {
    if let Some(RecordFile { name: record, kind }) = shared.site.record.filter(|record| record.name == name) {
        let headers =
            [(CONTENT_TYPE, kind.to_owned()), (CONTENT_DISPOSITION, format!("attachment; filename=\"{record}\""))];
        return (headers, shared.site.hub.game().borrow().record.to_string()).into_response();
    }
    match ASSETS.iter().find(|asset| asset.name == name) {
        Some(asset) => ([(CONTENT_TYPE, asset.kind())], asset.text).into_response(),
        None => (StatusCode::NOT_FOUND, "There is no such page.\n").into_response(),
    }
}

/// The review of a game that is over.
async fn review(State(shared): State<Shared>) -> Response {
    let page = match shared.site.record {
        Some(kind) => shared.reviewer.page(shared.site.hub.game(), kind).await,
        None => Err(NoReview::NoGame),
    };
    match page {
        Ok(page) => Html(page.to_string()).into_response(),
        Err(NoReview::GoesOn) => (StatusCode::CONFLICT, "A game is reviewed when it is over.\n").into_response(),
        Err(NoReview::Busy) => {
            (StatusCode::TOO_MANY_REQUESTS, "The game is being reviewed. Reload in a few seconds.\n").into_response()
        }
        Err(NoReview::NoGame) => (StatusCode::NOT_FOUND, "There is no game to review.\n").into_response(),
    }
}

/// A stream of game states and search states.
async fn events(State(shared): State<Shared>) -> Response {
    let Ok(permit) = shared.pages.clone().try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "Too many pages are open. Close one and reload.\n").into_response();
    };
    let keep_alive = KeepAlive::new().interval(Duration::from_secs(15));
    Sse::new(messages(&shared.site.hub, permit)).keep_alive(keep_alive).into_response()
}

fn messages(hub: &Hub, permit: OwnedSemaphorePermit) -> impl Stream<Item = Result<Message, Infallible>> + use<> {
    // The snapshot is empty before a game has been shown.
    let games = WatchStream::new(hub.game()).throttle(FRAME).filter(|published| !published.snapshot.is_empty());
    let games = games.map(|published| message(if published.is_last { "last" } else { "game" }, &published.snapshot));
    let thoughts = WatchStream::new(hub.thought()).throttle(READING).map(|thought| message("thought", &thought));
    games.merge(thoughts).map(move |message| {
        // The permit is held as long as the page listens.
        let _ = &permit;
        Ok(message)
    })
}

fn message(event: &str, data: &str) -> Message {
    Message::default().event(event).data(data)
}

/// A command.
async fn command(State(shared): State<Shared>, line: String) -> Response {
    // A request is always one line.
    let line: String = line.chars().map(|each| if each.is_control() { ' ' } else { each }).collect();
    pass_on(&shared, PageWish::Line(line)).await
}

/// A game to continue.
async fn game(State(shared): State<Shared>, text: String) -> Response {
    pass_on(&shared, PageWish::Game(text)).await
}

/// Passes a request to the desk. The answer is empty, or the reason why the request was refused.
async fn pass_on(shared: &Shared, wish: PageWish) -> Response {
    let (answer, answered) = oneshot::channel();
    match shared.site.desk.accept(PageRequest { wish, answer }) {
        Ok(()) => {}
        Err(Unaccepted::Busy) => {
            return (StatusCode::TOO_MANY_REQUESTS, "too many requests at once; help: try again").into_response();
        }
        Err(Unaccepted::Ended) => return (StatusCode::GONE, "the game has ended").into_response(),
    }
    match timeout(PATIENCE, answered).await {
        Ok(Ok(Ok(()))) => StatusCode::NO_CONTENT.into_response(),
        Ok(Ok(Err(refusal))) => (StatusCode::UNPROCESSABLE_ENTITY, refusal).into_response(),
        Ok(Err(_)) => (StatusCode::GONE, "the game has ended").into_response(),
        Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "the game does not answer").into_response(),
    }
}
