//! The server: its routes, their responses, and the requests that it passes on.

use std::convert::Infallible;
use std::io::IsTerminal;
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
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::timeout;
use tokio_stream::wrappers::WatchStream;
use tokio_stream::{Stream, StreamExt};

use super::broadcast::Broadcast;
use super::frame::ASSETS;
use super::guard::{self, Access};
use super::reviewer::{NO_GAME, Refusal, Reviewer};
use crate::terminal::stderr_line;
use kingline::draw::shown::RecordFile;

/// Default port. If it is taken, a free one is used.
const USUAL_PORT: u16 = 6280;
/// Largest request body in bytes. A game of a thousand moves is smaller.
const LONGEST_BODY: usize = 64 << 10;
/// Largest number of connections at once. Others wait: the program needs descriptors for its games.
const MOST_CONNECTIONS: usize = 128;
/// Largest number of open pages; each holds a connection.
const MOST_PAGES: usize = 112;
/// Time in which the next request must come over a connection.
const REQUEST_WITHIN: Duration = Duration::from_secs(10);
/// Time limit for the answer to a request.
const PATIENCE: Duration = Duration::from_secs(10);
/// Shortest time between two game states sent to a page. Faster changes are not visible. The last state is always
/// sent.
const FRAME: Duration = Duration::from_millis(40);
/// Shortest time between two search states sent to a page. Faster changes are not readable.
const READING: Duration = Duration::from_millis(250);
/// Time for sending the end of the game to the pages.
const FAREWELL: Duration = Duration::from_millis(300);

/// Reasons why a request is not accepted.
pub(super) const BUSY: Refusal = (StatusCode::TOO_MANY_REQUESTS, "too many requests at once; help: try again");
pub(super) const ENDED: Refusal = (StatusCode::GONE, "the game has ended");

/// The answer to requests of spectators.
pub(super) const ONLY_WATCHES: &str = "this page only watches";

/// A site: its page, the updates for it, and the handler of its requests.
pub(super) struct Site {
    pub(super) page: String,
    /// Format of the game to download, if there is one.
    pub(super) record: Option<RecordFile>,
    pub(super) broadcast: Broadcast,
    pub(super) handler: Handler,
}

/// Accepts a request, to be answered now or later.
pub(super) type Handler = Box<dyn Fn(PageRequest) -> Result<(), Refusal> + Send + Sync>;

#[derive(Debug)]
pub(super) struct PageRequest {
    pub(super) content: Content,
    /// Channel for the answer: nothing, or the reason for a refusal.
    pub(super) answer: oneshot::Sender<Result<(), String>>,
}

#[derive(Debug)]
pub(super) enum Content {
    /// A command, on one line.
    Line(String),
    /// A game to continue, as text.
    Game(String),
}

/// A server in its own thread. When it is dropped, it sends the end of the game to the pages and stops.
#[derive(Debug)]
pub(super) struct Server {
    broadcast: Broadcast,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Clone)]
struct Shared {
    site: Arc<Site>,
    pages: Arc<Semaphore>,
    reviewer: Arc<Reviewer>,
}

impl Server {
    /// Listens on this loopback port; with `None`, on the default port or a free one. Announces the address.
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
        let broadcast = site.broadcast.clone();
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
                    () = serve(listener, router(shared, access)) => {}
                    _ = stopped => tokio::time::sleep(FAREWELL).await,
                }
            });
        });
        announce(&address);
        Ok(Server { broadcast, stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.broadcast.end();
        drop(self.stop.take());
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// Answers the requests of at most [`MOST_CONNECTIONS`] connections, and closes those without one.
async fn serve(listener: tokio::net::TcpListener, router: Router) {
    let connections = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(REQUEST_WITHIN);
    while let Ok(permit) = connections.clone().acquire_owned().await {
        let Ok((stream, _)) = listener.accept().await else {
            // The process may have no descriptor left for it.
            tokio::time::sleep(FAREWELL).await;
            continue;
        };
        let service = TowerToHyperService::new(router.clone());
        let connection = http.serve_connection(TokioIo::new(stream), service);
        tokio::spawn(async move {
            // A connection that breaks is the browser's affair.
            let _ = connection.await;
            drop(permit);
        });
    }
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

/// Opens an address in a browser. Returns true if it is open.
fn open(address: &str) -> bool {
    #[cfg(unix)]
    return crate::process::unblocked(|| webbrowser::open(address)).is_ok_and(|opened| opened.is_ok());
    #[cfg(not(unix))]
    webbrowser::open(address).is_ok()
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
        return (headers, shared.site.broadcast.game().borrow().record.to_string()).into_response();
    }
    let kind = if name.ends_with(".css") { "text/css; charset=utf-8" } else { "text/javascript; charset=utf-8" };
    match ASSETS.iter().find(|(asset, _)| *asset == name) {
        Some((_, text)) => ([(CONTENT_TYPE, kind)], *text).into_response(),
        None => (StatusCode::NOT_FOUND, "There is no such page.\n").into_response(),
    }
}

/// The review of a game that is over.
async fn review(State(shared): State<Shared>) -> Result<Html<String>, Refusal> {
    let kind = shared.site.record.ok_or(NO_GAME)?;
    Ok(Html(shared.reviewer.page(shared.site.broadcast.game(), kind).await?.to_string()))
}

async fn events(State(shared): State<Shared>) -> Response {
    let Ok(permit) = shared.pages.clone().try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "Too many pages are open. Close one and reload.\n").into_response();
    };
    let keep_alive = KeepAlive::new().interval(Duration::from_secs(15));
    Sse::new(messages(&shared.site.broadcast, permit)).keep_alive(keep_alive).into_response()
}

fn messages(
    broadcast: &Broadcast,
    permit: OwnedSemaphorePermit,
) -> impl Stream<Item = Result<Message, Infallible>> + use<> {
    // The snapshot is empty before a game has been shown.
    let games = WatchStream::new(broadcast.game()).throttle(FRAME).filter(|published| !published.snapshot.is_empty());
    let games = games.map(|published| message(if published.is_last { "last" } else { "game" }, &published.snapshot));
    let thoughts = WatchStream::new(broadcast.thought()).throttle(READING).map(|thought| message("thought", &thought));
    games.merge(thoughts).map(move |message| {
        // The permit is held as long as the page listens.
        let _ = &permit;
        Ok(message)
    })
}

fn message(event: &str, data: &str) -> Message {
    Message::default().event(event).data(data)
}

async fn command(State(shared): State<Shared>, line: String) -> Response {
    // A request is always one line.
    let line: String = line.chars().map(|each| if each.is_control() { ' ' } else { each }).collect();
    pass_on(&shared, Content::Line(line)).await
}

/// A game to continue.
async fn game(State(shared): State<Shared>, text: String) -> Response {
    pass_on(&shared, Content::Game(text)).await
}

/// Passes a request to the site's handler. The answer is empty, or the reason why the request was refused.
async fn pass_on(shared: &Shared, content: Content) -> Response {
    let (answer, answered) = oneshot::channel();
    if let Err(refusal) = (shared.site.handler)(PageRequest { content, answer }) {
        return refusal.into_response();
    }
    match timeout(PATIENCE, answered).await {
        Ok(Ok(Ok(()))) => StatusCode::NO_CONTENT.into_response(),
        Ok(Ok(Err(refusal))) => (StatusCode::UNPROCESSABLE_ENTITY, refusal).into_response(),
        Ok(Err(_)) => ENDED.into_response(),
        Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "the game does not answer").into_response(),
    }
}
