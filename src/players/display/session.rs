//! A session that page and terminal share. One thread owns the game and executes all commands, one at a time.

use std::ops::ControlFlow;
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};

use anyhow::Result;

use super::broadcast::Broadcast;
use super::inbox::{Action, Arrival, Event, Inbox, Input, Origin, Request};
use super::page::page;
use super::server::{BUSY, ENDED, Server, Site};
use super::snapshot::{Clocks, Known, Snapshot};
use super::thoughts::{Choices, Hint, SearchState};
use crate::play::{
    AutomaticTurn, Choice, Console, ConsoleEnd, GameState, Reply, Session, Shown as Drawn, StreamError, Strictness,
    Thought,
};
use crate::protocol::commands::{Command, Control, Phase, Refusal};
use crate::terminal::escaped;
use kingline::draw::shown::Shown;
use kingline::game::{Color, Game};
use kingline::loa::Position;
use kingline::search::{Observer, Report};

/// Largest number of commands waiting to be executed; more are refused.
const WAITING: usize = 64;

/// Shows a session's game in the browser, on `port` or a free port, and executes commands until the session ends. Must be
/// called before other threads start, because signal masks are per thread.
///
/// # Errors
/// The port is taken, or a stream fails.
pub fn run(
    mut console: Console<'static>,
    session: &mut Session,
    strictness: Strictness,
    from: Input,
    port: Option<u16>,
) -> Result<ConsoleEnd> {
    let (sender, events) = sync_channel(WAITING);
    end_on_signals(sender.clone())?;
    let (broadcast, requests) = (Broadcast::new(), sender.clone());
    let site = Site {
        page: page::<Position<8>>(Some(session.state.dialect()), true).into_string(),
        record: Some(Position::<8>::RECORD),
        broadcast: broadcast.clone(),
        handler: Box::new(move |request| {
            requests.try_send(Event::Page(request)).map_err(|error| match error {
                TrySendError::Full(_) => BUSY,
                TrySendError::Disconnected(_) => ENDED,
            })
        }),
    };
    let _server = Server::start(port, site)?;
    let input = std::mem::replace(&mut console.input, Box::new(&b""[..]));
    let inbox = Inbox::new(session.state.dialect(), (sender, events), input, from);
    let views = Views {
        console,
        broadcast,
        strictness,
        drawn: None,
        hint: None,
        choices: Choices::default(),
        clocks: Clocks::default(),
        notices: Vec::new(),
    };
    let mut shared = SharedSession { session, inbox, views, hinted: None };
    let ended = shared.execute_all();
    shared.views.console.flush()?;
    Ok(ended?)
}

/// Makes SIGINT and SIGTERM end the session as `quit` does, so that the pages hear of it.
#[cfg(unix)]
fn end_on_signals(session: SyncSender<Event>) -> Result<()> {
    use crate::process::end_on;
    use nix::sys::signal::Signal;

    // The session has ended if it does not take the event.
    Ok(end_on([Signal::SIGINT, Signal::SIGTERM], move |_| _ = session.send(Event::Signal))?)
}

#[cfg(not(unix))]
fn end_on_signals(_: SyncSender<Event>) -> Result<()> {
    Ok(())
}

struct SharedSession<'a> {
    session: &'a mut Session,
    inbox: Inbox,
    views: Views,
    /// Position of the requested hint, if any.
    hinted: Option<Thought>,
}

/// The purpose of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Move,
    Hint,
}

impl SharedSession<'_> {
    fn execute_all(&mut self) -> Result<ConsoleEnd, StreamError> {
        self.views.console.print(self.session.state.dialect().banner)?;
        loop {
            let Session { state, thinker } = &mut *self.session;
            self.views.show(state, &thinker.settings())?;
            let arrival = match (self.hinted.take(), state.thought()) {
                (Some(thought), _) => self.think(&thought, Purpose::Hint)?,
                (None, Some(thought)) => self.think(&thought, Purpose::Move)?,
                (None, None) => {
                    self.views.console.prompt(self.session.state.prompt())?;
                    Some(self.inbox.next())
                }
            };
            let ended = match arrival {
                Some(Arrival::Request(request)) => self.execute(request)?,
                Some(Arrival::End(ended)) => {
                    ended?;
                    self.views.console.leave_prompt()?;
                    Some(ConsoleEnd::Done)
                }
                None => None,
            };
            if let Some(end) = ended {
                return Ok(end);
            }
        }
    }

    /// Searches, and makes the move or gives the hint. Returns the arrival that stopped the search, if one did; its result
    /// is then discarded.
    fn think(&mut self, thought: &Thought, purpose: Purpose) -> Result<Option<Arrival>, StreamError> {
        let position = thought.history.position();
        let Session { state, thinker } = &mut *self.session;
        let (inbox, views) = (&mut self.inbox, &mut self.views);
        let mut listener = Listener { state, inbox, views, purpose, position, stopped_by: None };
        // A short search may end without a poll.
        let choice = match (listener.poll(), purpose) {
            (ControlFlow::Break(()), _) => None,
            (_, Purpose::Move) => thinker.choose(thought, &mut listener),
            (_, Purpose::Hint) => thinker.hint(thought, &mut listener),
        };
        let Listener { state, views, stopped_by, .. } = listener;
        match (stopped_by, purpose, choice) {
            (Some(stopped_by), ..) => return stopped_by.map(Some),
            (None, Purpose::Move, choice) => {
                let mv = choice.as_ref().map(|choice| choice.best);
                let text = state.play_automatic(mv);
                if let Some(choice) = &choice {
                    views.choices.add(state, SearchState::of_choice(&position, choice));
                }
                views.console.print_turn(&AutomaticTurn { mv, text })?;
            }
            (None, Purpose::Hint, Some(choice)) => views.give_hint(&position, &choice),
            (None, Purpose::Hint, None) => {}
        }
        Ok(None)
    }

    fn execute(&mut self, Request { action, text, from }: Request) -> Result<Option<ConsoleEnd>, StreamError> {
        self.views.report(&text, &from)?;
        let reply = action.and_then(|action| match action {
            None => Ok(Reply::Output(String::new())),
            Some(Action::Command(command)) => self.session.execute(&command),
            Some(Action::Game(record)) => self.session.take_up(*record).map(Reply::Output),
        });
        if let Ok(Reply::Hint(thought)) = &reply {
            self.hinted = Some(thought.clone());
        }
        self.views.answer(&reply, from)
    }
}

/// Hears commands during a search: executes those that change nothing, and stops the search at any other. Shows the
/// progress of the search to all pages.
struct Listener<'a> {
    state: &'a mut GameState,
    inbox: &'a mut Inbox,
    views: &'a mut Views,
    purpose: Purpose,
    position: Position<8>,
    stopped_by: Option<Result<Arrival, StreamError>>,
}

impl Listener<'_> {
    /// Returns true if the search can go on: the request changes nothing, or is refused while the machine is to move.
    fn is_harmless(&self, request: &Request) -> bool {
        match &request.action {
            Err(_) | Ok(None) => true,
            Ok(Some(Action::Game(_))) => false,
            Ok(Some(Action::Command(Command::Move { .. } | Command::Hint))) => self.purpose == Purpose::Move,
            Ok(Some(Action::Command(command))) => command.is_query(),
        }
    }

    fn answer(&mut self, Request { action, text, from }: Request) -> Result<(), StreamError> {
        self.views.report(&text, &from)?;
        let reply = match action {
            Ok(Some(Action::Command(command))) => self.state.execute(&command),
            Ok(_) => Ok(Reply::Output(String::new())),
            Err(refusal) => Err(refusal),
        };
        self.views.answer(&reply, from)?;
        // No prompt follows during the search, so the output is flushed here.
        self.views.console.flush()
    }
}

impl Observer<Position<8>> for Listener<'_> {
    /// Takes one request at a time, so that many requests do not use up the time of the search.
    fn poll(&mut self) -> ControlFlow<()> {
        if self.stopped_by.is_none() {
            self.stopped_by = match self.inbox.next_during_search() {
                None => None,
                Some(Arrival::Request(request)) if self.is_harmless(&request) => self.answer(request).err().map(Err),
                Some(arrival) => Some(Ok(arrival)),
            };
        }
        if self.stopped_by.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn iteration(&mut self, report: &Report<Position<8>>) -> ControlFlow<()> {
        self.views.broadcast.think(Some(&SearchState::of(&self.position, report)));
        self.poll()
    }
}

/// The terminal and the pages, which show the game.
struct Views {
    console: Console<'static>,
    broadcast: Broadcast,
    strictness: Strictness,
    /// The board last drawn in the terminal.
    drawn: Option<Drawn>,
    /// The last hint, kept while the game stays at its position.
    hint: Option<Hint>,
    choices: Choices,
    clocks: Clocks,
    /// Errors in the replayed file, for the pages.
    notices: Vec<String>,
}

impl Views {
    /// Logs a request. Prints requests from pages in the terminal.
    fn report(&mut self, text: &str, from: &Origin) -> Result<(), StreamError> {
        self.console.log(text)?;
        if let (Origin::Page(_), true) = (from, self.console.viewer.is_person()) {
            self.console.flush()?;
            // The cursor is after a prompt.
            self.console.print_error(&format!("\npage: {}\n", escaped(text.trim())));
        }
        Ok(())
    }

    /// Answers a request. Returns how the session ends, if it does; an error from a page never ends it.
    fn answer(&mut self, reply: &Result<Reply, Refusal>, from: Origin) -> Result<Option<ConsoleEnd>, StreamError> {
        match from {
            Origin::Terminal(input) => {
                if let (Err(refusal), Input::File) = (reply, input) {
                    self.notices.push(format!("In the input file: {refusal}"));
                }
                self.console.print_reply(reply, self.strictness)
            }
            Origin::Page(page) => {
                // The page may have been closed.
                let _ = page.send(reply.as_ref().map(|_| ()).map_err(ToString::to_string));
                if reply.is_err() { Ok(None) } else { self.console.print_reply(reply, Strictness::GoOn) }
            }
        }
    }

    /// Shows the game in the terminal and on all pages.
    fn show(&mut self, state: &GameState, settings: &crate::play::Settings) -> Result<(), StreamError> {
        self.hint = self.hint.take().filter(|hint| hint.position == state.position());
        self.choices.settle(state);
        self.clocks.update(state.serial(), timed(state));
        let (hint, choices, clocks) = (self.hint.as_ref(), &self.choices, &self.clocks);
        let known = Known { hint, choices, clocks, notices: &self.notices };
        let snapshot = Snapshot::of(state, settings, &known);
        self.broadcast.show(&snapshot, &state.record().to_string(), state.phase() == Phase::Over);
        // Nothing is being searched now. The pages know the chosen move before they forget its search.
        self.broadcast.think(None);
        self.console.draw(state.shown(), &mut self.drawn)
    }

    /// Prints a hint, and keeps it for the pages.
    fn give_hint(&mut self, position: &Position<8>, choice: &Choice<Position<8>>) {
        self.console.print_error(&(choice.in_words(position) + "\n"));
        self.hint = Some(Hint::of(position, choice));
    }
}

/// Side whose clock runs. A person's first move of a game is not timed, since a board may wait for its player.
fn timed(state: &GameState) -> Option<Color> {
    let turn = state.position().turn();
    let is_timed = !state.record().moves().is_empty() || state.control(turn) == Control::Automatic;
    (state.phase() == Phase::Playing && is_timed).then_some(turn)
}
