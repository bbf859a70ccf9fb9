//! The desk: the thread that owns the game and executes commands from the pages and the terminal, one at a time.

use std::sync::mpsc::{Receiver, SyncSender};

use super::audience::Audience;
use super::event::{Event, Input};
use super::hub::Hub;
use super::inbox::{Arrival, Inbox, Request, Wish};
use super::terminal::Terminal;
use super::thinking::{Thinking, think};
use crate::play::{AutomaticTurn, Console, ConsoleEnd, Reply, Session, StreamError, Strictness, Thought};

/// The game, its requests, and its audience.
pub(super) struct Desk<'a> {
    session: &'a mut Session,
    inbox: Inbox,
    audience: Audience,
    /// The requested hint, if any.
    wanted: Option<Thought>,
}

impl<'a> Desk<'a> {
    pub(super) fn new(
        session: &'a mut Session,
        (sender, events): (SyncSender<Event>, Receiver<Event>),
        mut console: Console<'static>,
        from: Input,
        hub: Hub,
        strictness: Strictness,
    ) -> Desk<'a> {
        let input = std::mem::replace(&mut console.input, Box::new(&b""[..]));
        let terminal = Terminal::start(input, from, sender.clone());
        let inbox = Inbox::new(session.dialect(), (sender, events), terminal);
        Desk { session, inbox, audience: Audience::new(console, hub, strictness), wanted: None }
    }

    /// Executes commands until the session ends.
    ///
    /// # Errors
    /// A stream of the terminal fails.
    pub(super) fn run(&mut self) -> Result<ConsoleEnd, StreamError> {
        let ended = self.attend();
        self.audience.hub.end();
        self.audience.console.flush()?;
        ended
    }

    fn attend(&mut self) -> Result<ConsoleEnd, StreamError> {
        self.audience.console.print(self.session.dialect().banner)?;
        loop {
            self.show()?;
            let arrival = match self.wanted.take() {
                Some(thought) => self.think_of_hint(&thought)?,
                None => match self.session.parts().0.thought() {
                    Some(thought) => self.think_of_move(&thought)?,
                    None => {
                        self.audience.console.prompt(self.session.prompt())?;
                        Some(self.inbox.next())
                    }
                },
            };
            let ended = match arrival {
                Some(Arrival::Request(request)) => self.execute(request)?,
                Some(Arrival::End(ended)) => {
                    ended?;
                    self.audience.console.leave_prompt()?;
                    Some(ConsoleEnd::Done)
                }
                Some(Arrival::ThoughtOver(_)) | None => None,
            };
            if let Some(end) = ended {
                return Ok(end);
            }
        }
    }

    /// Searches and moves. Returns the arrival that stopped the search, if one did.
    fn think_of_move(&mut self, thought: &Thought) -> Result<Option<Arrival>, StreamError> {
        let choice = match think(self.session, &mut self.inbox, &mut self.audience, thought, Thinking::Move)? {
            Ok(choice) => choice,
            Err(arrival) => return Ok(Some(arrival)),
        };
        let mv = choice.as_ref().map(|choice| choice.best);
        let state = self.session.parts().0;
        let text = state.play_automatic(mv);
        if let Some(choice) = &choice {
            self.audience.keep_choice(thought, choice, state);
        }
        self.audience.console.print_turn(&AutomaticTurn { mv, text })?;
        Ok(None)
    }

    /// Searches and gives a hint. Returns the arrival that stopped the search, if one did.
    fn think_of_hint(&mut self, thought: &Thought) -> Result<Option<Arrival>, StreamError> {
        let choice = match think(self.session, &mut self.inbox, &mut self.audience, thought, Thinking::Hint)? {
            Ok(choice) => choice,
            Err(arrival) => return Ok(Some(arrival)),
        };
        if let Some(choice) = choice {
            self.audience.give_hint(thought, &choice);
        }
        Ok(None)
    }

    fn execute(&mut self, Request { wish, text, from }: Request) -> Result<Option<ConsoleEnd>, StreamError> {
        self.audience.hear(&text, &from)?;
        let reply = wish.and_then(|wish| match wish {
            None => Ok(Reply::Output(String::new())),
            Some(Wish::Command(command)) => self.session.execute(&command),
            Some(Wish::Game(record)) => self.session.take_up(*record).map(Reply::Output),
        });
        if let Ok(Reply::Hint(thought)) = &reply {
            self.wanted = Some(thought.clone());
        }
        self.audience.answer(&reply, from)
    }

    /// Shows the game to the audience.
    fn show(&mut self) -> Result<(), StreamError> {
        let (state, thinker) = self.session.parts();
        let settings = thinker.settings();
        self.audience.show(state, &settings)
    }
}
