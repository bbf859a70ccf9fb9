//! What happens to a thought when a command comes? One that changes nothing is executed beside it, any other stops it.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use super::desk::{Audience, Desk};
use super::hub::Hub;
use super::inbox::{Arrival, Event, Inbox, Origin, Request, Wish};
use super::snapshot::Thinks;
use super::terminal::Input;
use crate::loa::Position;
use crate::play::{Choice, GameState, Reply, StreamError, Thought};
use crate::protocol::commands::Command;
use crate::search::{Observer, Report};

/// What is thought about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Thinking {
    /// The move of an automatic side.
    Move,
    /// A hint.
    Hint,
}

/// The choice that a thought has led to, or what stopped it.
type Outcome = Result<Option<Choice<Position<8>>>, Arrival>;

impl Desk<'_> {
    /// Thinks to the end, or until something comes that stops it: then what was thought is given up.
    pub(super) fn think(&mut self, thought: &Thought, thinking: Thinking) -> Result<Outcome, StreamError> {
        let Desk { session, inbox, audience, .. } = self;
        let (state, thinker) = session.parts();
        let stop = AtomicBool::new(false);
        let sender = inbox.sender();
        let mut watcher = Watcher { stop: &stop, hub: &audience.hub.clone(), position: thought.history.position() };
        let outcome = thread::scope(|scope| {
            scope.spawn(move || {
                let choice = match thinking {
                    Thinking::Move => thinker.choose(thought, &mut watcher),
                    Thinking::Hint => thinker.hint(thought, &mut watcher),
                };
                // The desk waits for it.
                let _ = sender.send(Event::ThoughtOver(choice));
            });
            hear_until_over(state, inbox, audience, thinking, &stop)
        });
        self.audience.hub.think(None);
        outcome
    }
}

/// Executes what changes nothing until the thought is over, by itself or stopped by something else.
fn hear_until_over(
    state: &mut GameState,
    inbox: &mut Inbox,
    audience: &mut Audience,
    thinking: Thinking,
    stop: &AtomicBool,
) -> Result<Outcome, StreamError> {
    let mut stopped_by = None;
    let mut broken = Ok(());
    loop {
        let arrival = match inbox.receive() {
            Arrival::ThoughtOver(choice) => {
                broken?;
                return Ok(stopped_by.map_or(Ok(choice), Err));
            }
            arrival if stopped_by.is_some() || waits(&arrival) => {
                inbox.put_off(arrival);
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

/// Whether this waits for the end of the thought: what is replayed from a file.
fn waits(arrival: &Arrival) -> bool {
    matches!(arrival, Arrival::Request(Request { from: Origin::Terminal(Input::File), .. }))
}

/// Whether the thought can go on beside it: it changes nothing, or is refused while the machine is to move.
fn is_harmless(request: &Request, thinking: Thinking) -> bool {
    match &request.wish {
        Err(_) | Ok(None) => true,
        Ok(Some(Wish::Game(_))) => false,
        Ok(Some(Wish::Command(command))) => match command {
            Command::Dump | Command::Board | Command::Print | Command::Help | Command::Save(_) => true,
            Command::Move { .. } | Command::Hint => thinking == Thinking::Move,
            _ => false,
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
    // No prompt follows as long as the machine thinks.
    audience.console.flush()
}

/// Tells all pages what the search has found so far, and stops it.
struct Watcher<'a> {
    stop: &'a AtomicBool,
    hub: &'a Hub,
    position: Position<8>,
}

impl Observer<Position<8>> for Watcher<'_> {
    fn poll(&mut self) -> ControlFlow<()> {
        if self.stop.load(Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn iteration(&mut self, report: &Report<Position<8>>) -> ControlFlow<()> {
        self.hub.think(Some(&Thinks::of(&self.position, report)));
        self.poll()
    }
}
