//! In which order are the commands of page and terminal executed?

use std::sync::mpsc::{Receiver, SyncSender};

use super::hub::Hub;
use super::inbox::{Arrival, Event, Inbox, Origin, Request, Wish};
use super::snapshot::{Hint, Snapshot};
use super::terminal::{Input, Terminal};
use super::thinking::Thinking;
use crate::loa::Position;
use crate::play::{
    AutomaticTurn, Choice, Console, ConsoleEnd, GameState, Reply, Session, Settings, StreamError, Strictness, Thought,
};
use crate::protocol::commands::Refusal;
use crate::terminal::escaped;

/// The game, and those who see it.
pub(super) struct Desk<'a> {
    pub(super) session: &'a mut Session,
    pub(super) inbox: Inbox,
    pub(super) audience: Audience,
    /// A hint that is wanted.
    wanted: Option<Thought>,
}

/// The terminal and the pages.
pub(super) struct Audience {
    pub(super) console: Console<'static>,
    pub(super) hub: Hub,
    strictness: Strictness,
    /// The board that the terminal shows.
    drawn: Option<Position<8>>,
    /// The last hint, as long as the position is its own.
    hint: Option<Hint>,
    /// Errors of the file that was replayed.
    notices: Vec<String>,
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
        let audience = Audience { console, hub, strictness, drawn: None, hint: None, notices: Vec::new() };
        Desk { session, inbox, audience, wanted: None }
    }

    /// Executes commands to their end.
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
                        self.audience.prompt(self.session.prompt())?;
                        Some(self.inbox.next())
                    }
                },
            };
            let ended = match arrival {
                Some(Arrival::Request(request)) => self.execute(request)?,
                Some(Arrival::End(ended)) => ended.map(|()| Some(ConsoleEnd::Done))?,
                Some(Arrival::ThoughtOver(_)) | None => None,
            };
            if let Some(end) = ended {
                return Ok(end);
            }
        }
    }

    /// Thinks and moves; or what has come in between.
    fn think_of_move(&mut self, thought: &Thought) -> Result<Option<Arrival>, StreamError> {
        let choice = match self.think(thought, Thinking::Move)? {
            Ok(choice) => choice,
            Err(arrival) => return Ok(Some(arrival)),
        };
        let mv = choice.map(|choice| choice.best);
        let text = self.session.parts().0.play_automatic(mv);
        self.audience.console.print_turn(&AutomaticTurn { mv, text })?;
        Ok(None)
    }

    /// Thinks and gives a hint; or what has come in between.
    fn think_of_hint(&mut self, thought: &Thought) -> Result<Option<Arrival>, StreamError> {
        let choice = match self.think(thought, Thinking::Hint)? {
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

    /// Shows the game to all.
    fn show(&mut self) -> Result<(), StreamError> {
        let (state, thinker) = self.session.parts();
        let settings = thinker.settings();
        self.audience.show(state, &settings)
    }
}

impl Audience {
    /// Logs what somebody wants, and tells the terminal what a page does.
    pub(super) fn hear(&mut self, text: &str, from: &Origin) -> Result<(), StreamError> {
        self.console.log(text)?;
        if let (Origin::Page(_), true) = (from, self.console.draws_board) {
            self.console.flush()?;
            // The cursor stands after a prompt.
            self.console.print_error(&format!("\npage: {}\n", escaped(text.trim())));
        }
        Ok(())
    }

    /// Says what has come of a request; the end, if it is that. An error of a page ends nothing.
    pub(super) fn answer(
        &mut self,
        reply: &Result<Reply, Refusal>,
        from: Origin,
    ) -> Result<Option<ConsoleEnd>, StreamError> {
        match from {
            Origin::Terminal(input) => {
                if let (Err(refusal), Input::File) = (reply, input) {
                    self.notices.push(refusal.to_string());
                }
                self.console.print_reply(reply, self.strictness)
            }
            Origin::Page(page) => {
                // It may be gone.
                let _ = page.send(reply.as_ref().map(|_| ()).map_err(ToString::to_string));
                if reply.is_err() { Ok(None) } else { self.console.print_reply(reply, Strictness::GoOn) }
            }
        }
    }

    fn show(&mut self, state: &GameState, settings: &Settings) -> Result<(), StreamError> {
        self.hint = self.hint.take().filter(|hint| hint.is_of(&state.position()));
        let snapshot = Snapshot::of(state, settings, self.hint.as_ref(), &self.notices);
        self.hub.show(&snapshot, &state.record().to_string());
        self.console.draw(state.position(), &mut self.drawn)
    }

    fn give_hint(&mut self, thought: &Thought, choice: &Choice<Position<8>>) {
        let position = thought.history.position();
        self.console.print_error(&(choice.in_words(&position) + "\n"));
        self.hint = Some(Hint::of(&position, choice));
    }

    fn prompt(&mut self, prompt: &str) -> Result<(), StreamError> {
        self.console.print(prompt)?;
        self.console.flush()
    }
}
