//! Which addresses are there, and what do they answer?

use std::convert::Infallible;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, TrySendError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Context, Result};
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

use super::guard;
use super::hub::Hub;
use super::inbox::{Event, PageRequest, PageWish};
use super::page;
use crate::protocol::commands::Dialect;
use crate::terminal::stderr_line;

/// Where the board is, unless somebody else is there or another port is asked for.
const USUAL_PORT: u16 = 6280;
/// A longer body is refused, in bytes: a game of a thousand moves is shorter.
const LONGEST_BODY: usize = 64 << 10;
/// More pages at once are refused.
const MOST_PAGES: usize = 256;
/// How long a request waits for the desk to take it up.
const PATIENCE: Duration = Duration::from_secs(10);
/// Nobody sees states of a game that follow each other faster; the last one is always sent.
const FRAME: Duration = Duration::from_millis(40);
/// Nobody reads thoughts that do.
const READING: Duration = Duration::from_millis(250);
/// How long the end waits until pages have been sent it.
const FAREWELL: Duration = Duration::from_millis(300);

/// A server that runs in a thread of its own.
pub(super) struct Server {
    address: String,
    stop: oneshot::Sender<()>,
    thread: JoinHandle<()>,
}

/// What all requests share.
#[derive(Clone)]
pub(super) struct Shared {
    pub(super) token: Arc<str>,
    pub(super) port: u16,
    dialect: &'static Dialect,
    hub: Hub,
    desk: SyncSender<Event>,
    pages: Arc<Semaphore>,
}

impl Server {
    /// Listens on this port of loopback; `None`: on the usual one, or one that is free.
    ///
    /// # Errors
    /// The port is taken, or the system does not let anybody listen.
    pub(super) fn start(
        port: Option<u16>,
        hub: Hub,
        desk: SyncSender<Event>,
        dialect: &'static Dialect,
    ) -> Result<Server> {
        let listener = listen(port)?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let token: Arc<str> = guard::token()?.into();
        let address = format!("http://127.0.0.1:{port}/{token}/");
        let shared = Shared { token, port, dialect, hub, desk, pages: Arc::new(Semaphore::new(MOST_PAGES)) };
        let (stop, stopped) = oneshot::channel();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let thread = thread::spawn(move || {
            runtime.block_on(async {
                let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
                tokio::select! {
                    _ = axum::serve(listener, router(shared)).into_future() => {}
                    _ = stopped => tokio::time::sleep(FAREWELL).await,
                }
            });
        });
        Ok(Server { address, stop, thread })
    }

    /// Where the page is.
    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// Ends when the pages have been sent the end.
    pub(super) fn stop(self) {
        let _ = self.stop.send(());
        let _ = self.thread.join();
    }
}

fn listen(port: Option<u16>) -> Result<TcpListener> {
    let bind = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    if let Some(port) = port {
        return bind(port).with_context(|| format!("cannot listen on port {port}; without --port a free one is used"));
    }
    bind(USUAL_PORT).or_else(|why| {
        stderr_line(format_args!("Port {USUAL_PORT} is not available ({why}): another one is used."));
        bind(0).context("cannot listen on any port")
    })
}

fn router(shared: Shared) -> Router {
    Router::new()
        .route("/{token}/", get(whole_page))
        .route("/{token}/{file}", get(file))
        .route("/{token}/game.sgf", get(record))
        .route("/{token}/events", get(events))
        .route("/{token}/command", post(command))
        .route("/{token}/game", post(game))
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(middleware::from_fn_with_state(shared.clone(), guard::check))
        .with_state(shared)
}

async fn whole_page(State(shared): State<Shared>) -> Html<String> {
    Html(page::page(shared.dialect).into_string())
}

/// The game, to be downloaded.
async fn record(State(shared): State<Shared>) -> impl IntoResponse {
    let headers = [
        (CONTENT_TYPE, "application/x-go-sgf; charset=utf-8"),
        (CONTENT_DISPOSITION, "attachment; filename=\"game.sgf\""),
    ];
    (headers, shared.hub.game().borrow().record.to_string())
}

/// A style sheet or a script.
async fn file(Path((_, name)): Path<(String, String)>) -> Response {
    match page::ASSETS.iter().find(|asset| asset.name == name) {
        Some(asset) => ([(CONTENT_TYPE, asset.kind())], asset.text).into_response(),
        None => (StatusCode::NOT_FOUND, "There is no such page.\n").into_response(),
    }
}

/// The game now and whenever it changes, and what the machine thinks.
async fn events(State(shared): State<Shared>) -> Response {
    let Ok(permit) = shared.pages.clone().try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "Too many pages are open: close one and reload.\n").into_response();
    };
    let keep_alive = KeepAlive::new().interval(Duration::from_secs(15));
    Sse::new(messages(&shared.hub, permit)).keep_alive(keep_alive).into_response()
}

fn messages(hub: &Hub, permit: OwnedSemaphorePermit) -> impl Stream<Item = Result<Message, Infallible>> + use<> {
    // Before the desk has shown it, there is none.
    let games = WatchStream::new(hub.game()).throttle(FRAME).filter(|published| !published.snapshot.is_empty());
    let games = games.map(|published| message("game", &published.snapshot));
    let thoughts = WatchStream::new(hub.thought()).throttle(READING).map(|thought| message("thought", &thought));
    games.merge(thoughts).map(move |message| {
        // Held as long as the page listens.
        let _ = &permit;
        Ok(message)
    })
}

fn message(event: &str, data: &str) -> Message {
    Message::default().event(event).data(data)
}

/// A command of the dialect.
async fn command(State(shared): State<Shared>, line: String) -> Response {
    // One line, whatever comes.
    let line: String = line.chars().map(|each| if each.is_control() { ' ' } else { each }).collect();
    pass_on(&shared, PageWish::Line(line)).await
}

/// A game as SGF, to be taken up.
async fn game(State(shared): State<Shared>, text: String) -> Response {
    match text.parse() {
        Ok(record) => pass_on(&shared, PageWish::Game(Box::new(record))).await,
        Err(error) => (StatusCode::UNPROCESSABLE_ENTITY, format!("{error}")).into_response(),
    }
}

/// Lets the desk do something, and answers nothing, or why it is refused.
async fn pass_on(shared: &Shared, wish: PageWish) -> Response {
    let (answer, answered) = oneshot::channel();
    match shared.desk.try_send(Event::Page(PageRequest { wish, answer })) {
        Ok(()) => {}
        Err(TrySendError::Full(_)) => {
            return (StatusCode::TOO_MANY_REQUESTS, "too many requests at once: try again").into_response();
        }
        Err(TrySendError::Disconnected(_)) => return (StatusCode::GONE, "the game has ended").into_response(),
    }
    match timeout(PATIENCE, answered).await {
        Ok(Ok(Ok(()))) => StatusCode::NO_CONTENT.into_response(),
        Ok(Ok(Err(refusal))) => (StatusCode::UNPROCESSABLE_ENTITY, refusal).into_response(),
        Ok(Err(_)) => (StatusCode::GONE, "the game has ended").into_response(),
        Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "the game does not answer").into_response(),
    }
}
