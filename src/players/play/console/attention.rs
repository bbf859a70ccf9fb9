//! Attention to the lines that arrive while the machine thinks.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::{Console, StreamError, Strictness};
use crate::play::game_state::GameState;
use crate::play::reply::{Reply, Shown, Thought};
use crate::play::search_control::{HitLimits, SearchControl, Watch};
use crate::play::session::Session;
use crate::play::thinker::{Analyst, Spectators};
use crate::protocol::commands::{Command, InputLine, Refusal, read_line};
use crate::protocol::hub::Purpose;
use crate::protocol::hub::{Done, Info};
use kingline::loa::{Move, Position};
use kingline::search::{Limits, Report};

/// Longest pause between the lines of a script. A line of a program that arrives so soon, and before the first move, counts
/// as already there, so that a script means the same however it is written to a pipe.
const SCRIPT_PAUSE: Duration = Duration::from_millis(100);

/// Moment at which the last command before automatic turns was read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// After a prompt, while nobody thought.
    Prompted,
    /// While the machine thought.
    DuringTurn,
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
                self.draw(session.state.shown(), drawn)?;
                attention.settles = None;
            } else if attention.failed.is_some() || attention.held.is_some() || session.state.thought().is_none() {
                return attention.end();
            }
        }
    }

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

enum Event {
    /// Text about a finished iteration.
    Iteration(String),
    Line(io::Result<InputLine>),
}

struct Analysis<'a> {
    control: &'a SearchControl,
    sender: Sender<Event>,
    events: Receiver<Event>,
}

impl Console<'_> {
    /// Searches a position until a line ends that. Prints each finished iteration, and at the end the best move. Returns the
    /// line, which has not been logged or executed.
    pub(super) fn analyze(
        &mut self,
        session: &mut Session,
        thought: &Thought,
        strictness: Strictness,
    ) -> Result<InputLine, StreamError> {
        // Dropped after the move was printed, since giving back a large table takes time.
        let mut analyst = session.thinker.analyst();
        let control = &SearchControl::new(Purpose::Analyze);
        let (sender, events) = mpsc::channel();
        let analysis = Analysis { control, sender, events };
        thread::scope(|scope| {
            let (sender, analyst) = (analysis.sender.clone(), &mut analyst);
            let search = scope.spawn(move || search(analyst, thought, control, &sender));
            let ended = self.answer_meanwhile(session, &analysis, strictness);
            control.stop();
            let (best, answer) = search.join().unwrap_or_else(|panic| resume_unwind(panic));
            let line = ended?;
            for event in analysis.events.try_iter() {
                if let Event::Iteration(text) = event {
                    self.print(&text)?;
                }
            }
            self.print(&format!("{}\n", Done { best, answer, notation: |mv| mv.to_string() }))?;
            self.flush()?;
            Ok(line)
        })
    }

    /// Reads lines and answers those that only ask, until one ends the analysis.
    fn answer_meanwhile(
        &mut self,
        session: &mut Session,
        analysis: &Analysis,
        strictness: Strictness,
    ) -> Result<InputLine, StreamError> {
        loop {
            self.prompt(session.state.prompt())?;
            let line = analysis.next_line(self)?;
            if let Some(line) = self.answer(&mut session.state, line, strictness, Command::is_query)? {
                return Ok(line);
            }
        }
    }
}

impl Analysis<'_> {
    /// Reads the next line, and prints the iterations that finish meanwhile.
    fn next_line(&self, console: &mut Console) -> Result<InputLine, StreamError> {
        let Console { input, output, .. } = console;
        thread::scope(|scope| {
            let sender = self.sender.clone();
            scope.spawn(move || sender.send(Event::Line(read_line(&mut **input))));
            loop {
                match self.events.recv() {
                    Ok(Event::Iteration(text)) => {
                        if let Err(error) = output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
                            // Nobody reads on, and the next line may be long in coming.
                            self.control.stop();
                            return Err(StreamError::Output(error));
                        }
                    }
                    Ok(Event::Line(line)) => return line.map_err(StreamError::Input),
                    // Unreachable: the analysis itself holds a sender.
                    Err(_) => return Ok(InputLine::End),
                }
            }
        })
    }
}

/// Searches until `control` ends that; returns the best move and the expected answer.
fn search(
    analyst: &mut Analyst,
    thought: &Thought,
    control: &SearchControl,
    sender: &Sender<Event>,
) -> (Option<Move>, Option<Move>) {
    let limits = Limits { game_plies: thought.plies, ..Limits::default() };
    let mut write = |report: &Report<Position<8>>, time: Duration| {
        let info = Info { report, time, notation: |mv| mv.to_string() };
        sender.send(Event::Iteration(format!("{info}\n"))).map_err(io::Error::other)
    };
    let mut watch = Watch::new(control, HitLimits::default(), &mut write);
    let report = analyst.search(&thought.history, limits, &mut watch);
    // The receiver outlives the search.
    let _ = watch.finish(&report);
    (report.best, report.principal_variation.get(1).copied())
}
