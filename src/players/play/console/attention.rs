//! Attention to the lines that arrive while the machine thinks.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::{Console, StreamError, Strictness};
use crate::play::game_state::GameState;
use crate::play::reply::{Reply, Shown, Thought};
use crate::play::session::Session;
use crate::play::thinker::Spectators;
use crate::protocol::commands::{Command, InputLine, Refusal, read_line};

/// Longest pause between the lines of a script. A line of a program that arrives so soon, and before the first move, counts
/// as already there, so that a script means the same however it is written to a pipe.
const SCRIPT_PAUSE: Duration = Duration::from_millis(100);

/// How the last command before automatic turns was read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// After a prompt, while nobody thought.
    Prompted,
    /// While the machine thought.
    Heard,
}

/// Attention during a sequence of automatic turns, or during a hint.
pub(super) struct Attention {
    strictness: Strictness,
    spectators: Spectators,
    hears: bool,
    /// End of the time in which a line counts as already there.
    settles: Option<Instant>,
    /// Line to execute next; it has not been logged.
    held: Option<InputLine>,
    failed: Option<StreamError>,
}

impl Attention {
    /// A line of a program that is already there waits until the turns are over.
    fn new(console: &Console, strictness: Strictness, origin: Origin) -> Attention {
        let is_script = origin == Origin::Prompted && !console.viewer.is_person();
        let is_waiting = console.input.is_waiting() && origin == Origin::Prompted;
        Attention {
            strictness,
            spectators: if is_waiting { Spectators::Absent } else { Spectators::Present },
            hears: !(is_script && is_waiting),
            settles: is_script.then(|| Instant::now() + SCRIPT_PAUSE),
            held: None,
            failed: None,
        }
    }

    /// Reads the next line, if it has arrived, and executes it if the search can go on. Otherwise holds it and stops the
    /// search.
    ///
    /// A program hears only while it plays both sides: an opponent that sends its next lines early gets the answers in
    /// the order of the lines.
    fn listen(&mut self, console: &mut Console, state: &mut GameState) -> ControlFlow<()> {
        let is_person = console.viewer.is_person();
        if !(self.hears && (is_person || state.plays_alone()) && console.input.is_waiting()) {
            return ControlFlow::Continue(());
        }
        if self.settles.is_some_and(|settled| Instant::now() < settled) {
            return self.turn_away();
        }
        let before = state.thought();
        match console.hear(state, self.strictness, is_person) {
            Ok(Heard::Nothing) if state.thought() == before => ControlFlow::Continue(()),
            Ok(Heard::Nothing) => ControlFlow::Break(()),
            Ok(Heard::End) => self.turn_away(),
            Ok(Heard::Line(line)) => {
                let is_move = |text| matches!(state.read(text), Ok(Some(Command::Move { .. } | Command::Hint)));
                // A person who knows the answer may type the next move.
                let waits = !state.plays_alone() && matches!(&line, InputLine::Text(text) if is_move(text));
                self.held = Some(line);
                if waits && before.is_some() { self.turn_away() } else { ControlFlow::Break(()) }
            }
            Err(error) => {
                self.failed = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    /// The rest of the turns is taken without listening.
    fn turn_away(&mut self) -> ControlFlow<()> {
        (self.hears, self.spectators) = (false, Spectators::Absent);
        ControlFlow::Continue(())
    }

    fn end(self) -> Result<Option<InputLine>, StreamError> {
        self.failed.map_or(Ok(self.held), Err)
    }
}

/// Result of listening to a line.
enum Heard {
    /// The line has been answered.
    Nothing,
    /// The line must wait, or stops the search.
    Line(InputLine),
    /// The input of a program has ended, which does not end its game.
    End,
}

impl Console<'_> {
    /// Takes the automatic turns that are due. Returns the line to execute next, if one was held meanwhile.
    pub(super) fn take_turns(
        &mut self,
        session: &mut Session,
        strictness: Strictness,
        origin: Origin,
        drawn: &mut Option<Shown>,
    ) -> Result<Option<InputLine>, StreamError> {
        let mut attention = Attention::new(self, strictness, origin);
        loop {
            let spectators = attention.spectators;
            let turn = session.automatic_turn(spectators, &mut |state| attention.listen(self, state));
            if let Some(turn) = &turn {
                self.print_turn(turn)?;
                self.draw(session.shown(), drawn)?;
                attention.settles = None;
            } else if attention.failed.is_some() || attention.held.is_some() || !session.is_machines_turn() {
                return attention.end();
            }
        }
    }

    /// Prints a hint. Returns the line to execute next, if one was held meanwhile.
    pub(super) fn hint(
        &mut self,
        session: &mut Session,
        thought: &Thought,
        strictness: Strictness,
    ) -> Result<Option<InputLine>, StreamError> {
        let mut attention = Attention::new(self, strictness, Origin::Prompted);
        let hint = session.hint(thought, &mut |state| attention.listen(self, state));
        self.print_error(&hint);
        attention.end()
    }

    fn hear(&mut self, state: &mut GameState, strictness: Strictness, is_person: bool) -> Result<Heard, StreamError> {
        if !is_person && self.input.fill_buf().map_err(StreamError::Input)?.is_empty() {
            return Ok(Heard::End);
        }
        self.prompt(state.prompt())?;
        let line = read_line(&mut *self.input).map_err(StreamError::Input)?;
        let leaves = |command: &Command| command.is_query() || matches!(command, Command::Control(..));
        Ok(self.answer(state, line, strictness, leaves)?.map_or(Heard::Nothing, Heard::Line))
    }

    /// Executes a line whose command `leaves` a search alone, and one without a command. Returns any other line, which
    /// has not been logged or executed.
    pub(super) fn answer(
        &mut self,
        state: &mut GameState,
        line: InputLine,
        strictness: Strictness,
        leaves: impl Fn(&Command) -> bool,
    ) -> Result<Option<InputLine>, StreamError> {
        let InputLine::Text(text) = &line else { return Ok(Some(line)) };
        let reply: Result<Reply, Refusal> = match state.read(text) {
            Ok(Some(command)) if leaves(&command) => state.execute(&command),
            Ok(None) => Ok(Reply::Output(String::new())),
            Err(refusal) if strictness == Strictness::GoOn => Err(refusal),
            Ok(Some(_)) | Err(_) => return Ok(Some(line)),
        };
        self.log(text)?;
        self.print_reply(&reply, Strictness::GoOn)?;
        self.flush()?;
        Ok(None)
    }
}
