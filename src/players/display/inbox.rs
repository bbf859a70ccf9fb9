//! The inbox of the desk: requests from the terminal and from pages, and the ends of searches.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, SyncSender};

use tokio::sync::oneshot;

use super::event::{Event, Input, Line};
use super::page_request::{PageRequest, PageWish};
use super::terminal::Terminal;
use crate::play::{Choice, StreamError};
use crate::protocol::commands::{Command, Dialect, InputLine, Refusal};
use kingline::loa::Position;
use kingline::loa::sgf::Record;

/// A request from the terminal or a page.
#[derive(Debug)]
pub(super) struct Request {
    /// Content of the request; `None` for an empty line.
    pub(super) wish: Result<Option<Wish>, Refusal>,
    /// Text of the request, as typed or as the terminal shows it.
    pub(super) text: String,
    pub(super) from: Origin,
}

/// The content of a request.
#[derive(Debug)]
pub(super) enum Wish {
    Command(Command),
    Game(Box<Record>),
}

/// The origin of a request.
#[derive(Debug)]
pub(super) enum Origin {
    Terminal(Input),
    Page(oneshot::Sender<Result<(), String>>),
}

/// The next thing for the desk to do.
#[derive(Debug)]
pub(super) enum Arrival {
    Request(Request),
    ThoughtOver(Option<Choice<Position<8>>>),
    /// The terminal's input has ended or cannot be read, or a signal ends the session.
    End(Result<(), StreamError>),
}

/// The queue of arrivals.
pub(super) struct Inbox {
    dialect: &'static Dialect,
    events: Receiver<Event>,
    sender: SyncSender<Event>,
    terminal: Terminal,
    deferred: VecDeque<Arrival>,
}

impl Inbox {
    pub(super) fn new(
        dialect: &'static Dialect,
        (sender, events): (SyncSender<Event>, Receiver<Event>),
        terminal: Terminal,
    ) -> Inbox {
        Inbox { dialect, events, sender, terminal, deferred: VecDeque::new() }
    }

    /// Sender for a thread that reports to the desk.
    pub(super) fn sender(&self) -> SyncSender<Event> {
        self.sender.clone()
    }

    /// Defers an arrival until the search is over.
    pub(super) fn defer(&mut self, arrival: Arrival) {
        self.deferred.push_back(arrival);
    }

    /// Takes the deferred arrivals, which come before all new ones.
    pub(super) fn take_deferred(&mut self) -> VecDeque<Arrival> {
        std::mem::take(&mut self.deferred)
    }

    /// Waits for the next arrival. Deferred ones come first.
    pub(super) fn next(&mut self) -> Arrival {
        self.deferred.pop_front().unwrap_or_else(|| self.receive())
    }

    /// Waits for a new arrival.
    pub(super) fn receive(&mut self) -> Arrival {
        // A deferred arrival may be a line, which later lines must not overtake.
        if self.deferred.is_empty() {
            self.terminal.ask();
        }
        match self.events.recv() {
            Ok(Event::Line(Line { read, from })) => {
                self.terminal.answered();
                match read {
                    Err(error) => Arrival::End(Err(StreamError::Input(error))),
                    Ok(InputLine::End) => Arrival::End(Ok(())),
                    Ok(InputLine::TooLong) => Arrival::Request(Request {
                        wish: Err(Refusal::LongLine),
                        text: String::new(),
                        from: Origin::Terminal(from),
                    }),
                    Ok(InputLine::Text(text)) => {
                        let wish = self.dialect.read(&text).map(|command| command.map(Wish::Command));
                        Arrival::Request(Request { wish, text, from: Origin::Terminal(from) })
                    }
                }
            }
            Ok(Event::Page(PageRequest { wish, answer })) => {
                let (wish, text) = match wish {
                    PageWish::Line(text) => (self.read_of_page(&text), text),
                    PageWish::Game(text) => match text.parse::<Record>() {
                        Ok(record) => {
                            let text = format!("# a game of {} moves", record.moves().len());
                            (Ok(Some(Wish::Game(Box::new(record)))), text)
                        }
                        Err(error) => (Err(Refusal::File(error.to_string())), "# not a game".to_owned()),
                    },
                };
                Arrival::Request(Request { wish, text, from: Origin::Page(answer) })
            }
            Ok(Event::ThoughtOver(choice)) => Arrival::ThoughtOver(choice),
            // An error is impossible: the inbox itself holds a sender.
            Ok(Event::Signal) | Err(_) => Arrival::End(Ok(())),
        }
    }

    /// Reads a command from a page. Pages must not read or write files on this machine.
    fn read_of_page(&self, text: &str) -> Result<Option<Wish>, Refusal> {
        match self.dialect.read(text)? {
            Some(Command::Save(_) | Command::Load(_)) => Err(Refusal::File(
                "a page cannot read or write files here; help: use its download and load buttons".to_owned(),
            )),
            command => Ok(command.map(Wish::Command)),
        }
    }
}
