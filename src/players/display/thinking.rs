//! Searching while commands arrive. A command that changes nothing is executed during the search; any other stops it.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use super::audience::Audience;
use super::event::{Event, Input};
use super::hub::Hub;
use super::inbox::{Arrival, Inbox, Origin, Request, Wish};
use super::search_state::SearchState;
use crate::play::{Choice, GameState, Reply, Session, StreamError, Thought};
use crate::protocol::commands::Command;
use kingline::loa::Position;
use kingline::search::{Observer, Report};

/// The purpose of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Thinking {
    /// A move of an automatic side.
    Move,
    /// A hint.
    Hint,
}

/// The choice made by a search, or the arrival that stopped it.
pub(super) type Outcome = Result<Option<Choice<Position<8>>>, Arrival>;

/// Searches to the end, or until an arrival stops the search. The result of a stopped search is discarded.
pub(super) fn think(
    session: &mut Session,
    inbox: &mut Inbox,
    audience: &mut Audience,
    thought: &Thought,
    thinking: Thinking,
) -> Result<Outcome, StreamError> {
    let (state, thinker) = session.parts();
    let stop = AtomicBool::new(false);
    let sender = inbox.sender();
    let mut watcher = Watcher { stop: &stop, hub: &audience.hub.clone(), position: thought.history.position() };
    thread::scope(|scope| {
        scope.spawn(move || {
            let choice = match thinking {
                Thinking::Move => thinker.choose(thought, &mut watcher),
                Thinking::Hint => thinker.hint(thought, &mut watcher),
            };
            // The desk waits for this event.
            let _ = sender.send(Event::ThoughtOver(choice));
        });
        hear_until_over(state, inbox, audience, thinking, &stop)
    })
}

/// Executes commands that change nothing until the search is over or another arrival stops it.
fn hear_until_over(
    state: &mut GameState,
    inbox: &mut Inbox,
    audience: &mut Audience,
    thinking: Thinking,
    stop: &AtomicBool,
) -> Result<Outcome, StreamError> {
    let mut stopped_by = None;
    let mut broken = Ok(());
    // Arrivals deferred by the previous search, which new ones must not overtake.
    let mut earlier = inbox.take_deferred();
    loop {
        let arrival = match earlier.pop_front().unwrap_or_else(|| inbox.receive()) {
            Arrival::ThoughtOver(choice) => {
                broken?;
                return Ok(stopped_by.map_or(Ok(choice), Err));
            }
            arrival if stopped_by.is_some() || waits(&arrival) => {
                inbox.defer(arrival);
                continue;
            }
            arrival => arrival,
        };
        match arrival {
            Arrival::Request(request) if is_harmless(&request, thinking) => {
                if let Err(error) = answer(state, audience, request) {
                    stop.store(true, Relaxed);
                    broken = Err(error);
                }
            }
            arrival => {
                stop.store(true, Relaxed);
                stopped_by = Some(arrival);
            }
        }
    }
}

/// Returns true if the arrival waits for the end of the search, as lines of a replayed file do.
fn waits(arrival: &Arrival) -> bool {
    matches!(arrival, Arrival::Request(Request { from: Origin::Terminal(Input::File), .. }))
}

/// Returns true if the search can go on: the request changes nothing, or is refused while the machine is to move.
fn is_harmless(request: &Request, thinking: Thinking) -> bool {
    match &request.wish {
        Err(_) | Ok(None) => true,
        Ok(Some(Wish::Game(_))) => false,
        Ok(Some(Wish::Command(command))) => match command {
            Command::Move { .. } | Command::Hint => thinking == Thinking::Move,
            command => command.is_query(),
        },
    }
}

fn answer(
    state: &mut GameState,
    audience: &mut Audience,
    Request { wish, text, from }: Request,
) -> Result<(), StreamError> {
    audience.hear(&text, &from)?;
    let reply = match wish {
        Ok(Some(Wish::Command(command))) => state.execute(&command),
        Ok(_) => Ok(Reply::Output(String::new())),
        Err(refusal) => Err(refusal),
    };
    audience.answer(&reply, from)?;
    // No prompt follows during the search, so the output is flushed here.
    audience.console.flush()
}

/// Shows the progress of the search to all pages, and stops the search on demand.
struct Watcher<'a> {
    stop: &'a AtomicBool,
    hub: &'a Hub,
    position: Position<8>,
}

impl Observer<Position<8>> for Watcher<'_> {
    fn poll(&mut self) -> ControlFlow<()> {
        Observer::<Position<8>>::poll(&mut self.stop)
    }

    fn iteration(&mut self, report: &Report<Position<8>>) -> ControlFlow<()> {
        self.hub.think(Some(&SearchState::of(&self.position, report)));
        self.poll()
    }
}
