//! What have the programs of a test printed, what of it is still unread, and why has the test failed? Its threads
//! share this.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::rules::{CLOSING, FirstEnd, LanguageRules, MOST_DUMPED, MOST_ERRORS, MOST_KEPT};
use crate::game::Outcome;
use crate::protocol::commands::grammar::{Event, Line, ended};
use crate::terminal::is_deceptive;

/// A program without room for another message gives its script this long to read one; then it has left too many
/// unread.
const PATIENCE: Duration = Duration::from_secs(1);

/// Characters of a line that a reason shows.
const LONGEST_SHOWN: usize = 1000;

/// Shared by the scripts and the pumps of a test.
#[derive(Debug)]
pub(super) struct Exchange {
    pub(super) rules: &'static LanguageRules,
    state: Mutex<ExchangeState>,
    changed: Condvar,
}

/// All that changes.
#[derive(Debug, Default)]
struct ExchangeState {
    sides: Vec<ProgramState>,
    failure: Option<TestFailure>,
    /// All programs are to be closed now, and to have ended by then.
    closing: Option<Instant>,
    announced: Vec<Outcome>,
}

/// One program, and its script.
#[derive(Debug, Default)]
struct ProgramState {
    /// Its messages that no instruction has taken.
    unread: VecDeque<TakenEvent>,
    /// The other's messages for it.
    forwarded: VecDeque<Event>,
    output: Vec<OutputLine>,
    /// Bytes of dumps in it.
    dumped: usize,
    errors: String,
    /// How many of standard output and standard error have ended.
    ended_streams: u8,
    output_has_ended: bool,
    script_is_done: bool,
}

/// A line of the output that is compared.
#[derive(Debug)]
enum OutputLine {
    Kept(String),
    /// The end of a game; kept if an instruction records it.
    Unrecorded(String),
}

/// A message of a program, and its place in the output that is compared.
#[derive(Clone, Debug)]
pub(super) struct TakenEvent {
    pub(super) message: Event,
    place: usize,
}

/// Why a test has failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TestFailure {
    /// Counted from 0.
    pub(super) program: usize,
    pub(super) reason: String,
}

/// Why a wait ended without a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WaitError {
    /// Its time is over.
    Late,
    /// Nothing more can come.
    Ended,
    /// The test has failed, or all programs are to be closed.
    Stopped,
}

/// A stream of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stream {
    Output,
    Errors,
}

impl Exchange {
    pub(super) fn new(rules: &'static LanguageRules, programs: usize) -> Exchange {
        let sides = (0..programs).map(|_| ProgramState::default()).collect();
        Exchange {
            rules,
            state: Mutex::new(ExchangeState { sides, ..ExchangeState::default() }),
            changed: Condvar::new(),
        }
    }

    /// Fails the test, if nothing has before.
    pub(super) fn fail(&self, program: usize, reason: impl Into<String>) {
        self.change(|state| {
            state.failure.get_or_insert_with(|| TestFailure { program, reason: reason.into() });
        });
    }

    pub(super) fn failure(&self) -> Option<TestFailure> {
        self.lock().failure.clone()
    }

    /// A line of standard output has been read.
    pub(super) fn add_line(&self, program: usize, line: Line) {
        let message = match line {
            Line::Ignored => return,
            Line::Malformed(reason) => return self.fail(program, reason),
            Line::Dump(line) => {
                self.change(|state| {
                    let side = &mut state.sides[program];
                    side.dumped += line.len();
                    side.output.push(OutputLine::Kept(line));
                });
                None
            }
            Line::Event(message) => Some(message),
        };
        if let Some(message) = message {
            self.wait_for_room(program, |side| side.unread.len());
            self.change(|state| {
                let side = &mut state.sides[program];
                let place = side.output.len();
                if let Event::End(result) = message {
                    side.output.push(OutputLine::Unrecorded(format!("* {}", ended(result))));
                }
                side.unread.push_back(TakenEvent { message, place });
            });
        }
        let kept_and_dumped = |side: &ProgramState| (side.output.len() + side.unread.len(), side.dumped);
        let (kept, dumped) = kept_and_dumped(&self.lock().sides[program]);
        if kept > MOST_KEPT {
            self.fail(program, format!("printed more than {MOST_KEPT} messages and lines of dumps"));
        }
        if dumped > MOST_DUMPED {
            self.fail(program, format!("printed dumps of more than {MOST_DUMPED} bytes"));
        }
    }

    /// A line of standard error has been read.
    pub(super) fn add_error_line(&self, program: usize, line: &str) {
        self.change(|state| {
            let errors = &mut state.sides[program].errors;
            if errors.len() < MOST_ERRORS {
                errors.extend([line, "\n"]);
            }
        });
        if self.rules.fatal_error.is_some_and(|fatal| line.contains(fatal)) {
            self.fail(
                program,
                format!(
                    "Java exception: {}",
                    line.trim().chars().take(LONGEST_SHOWN).collect::<String>().replace(is_deceptive, "?")
                ),
            );
        }
    }

    /// A stream of the program has come to its end.
    pub(super) fn end_stream(&self, program: usize, stream: Stream) {
        self.change(|state| {
            let side = &mut state.sides[program];
            side.ended_streams += 1;
            side.output_has_ended |= stream == Stream::Output;
        });
    }

    /// The script of the program is done.
    pub(super) fn end_script(&self, program: usize) {
        self.change(|state| {
            state.sides[program].script_is_done = true;
            if self.rules.first_end == FirstEnd::OfBoth {
                state.closing.get_or_insert_with(|| Instant::now() + CLOSING);
            }
        });
    }

    /// The program's next message, which stays unread.
    pub(super) fn await_own(&self, program: usize, deadline: Instant) -> Result<Event, WaitError> {
        self.wait(deadline, |state| {
            let side = &state.sides[program];
            match side.unread.front() {
                Some(taken) => Some(Ok(taken.message.clone())),
                None => side.output_has_ended.then_some(Err(WaitError::Ended)),
            }
        })
    }

    /// The next message of a closed program, whose last lines may not have been read yet.
    pub(super) fn await_last(&self, program: usize) -> Option<Event> {
        let deadline = self.lock().closing?;
        let last = self.wait_for(deadline, |state| {
            let side = &state.sides[program];
            let message = side.unread.front().map(|taken| taken.message.clone());
            let is_last = side.output_has_ended || state.failure.is_some();
            (message.is_some() || is_last).then_some(message)
        });
        last.flatten()
    }

    /// When programs that are to be closed must have ended.
    pub(super) fn closing(&self) -> Option<Instant> {
        self.lock().closing
    }

    /// Takes the program's next message, if there is one.
    pub(super) fn take_own(&self, program: usize) -> Option<TakenEvent> {
        self.change(|state| state.sides[program].unread.pop_front())
    }

    /// Takes the next message that the other program has for this one.
    pub(super) fn take_forwarded(&self, program: usize, deadline: Instant) -> Result<Event, WaitError> {
        let taken = self.wait(deadline, |state| match state.sides[program].forwarded.pop_front() {
            Some(message) => Some(Ok(message)),
            None => {
                let is_last = state.sides.get(1 - program).is_none_or(|other| other.script_is_done);
                is_last.then_some(Err(WaitError::Ended))
            }
        });
        self.changed.notify_all();
        taken
    }

    /// Queues a message of a program for the other one, if there is one.
    pub(super) fn forward(&self, program: usize, message: Event) {
        if self.lock().sides.len() == 2 {
            self.wait_for_room(1 - program, |side| side.forwarded.len());
            self.change(|state| state.sides[1 - program].forwarded.push_back(message));
        }
    }

    /// Keeps the end of a game for the comparison.
    pub(super) fn record(&self, program: usize, taken: &TakenEvent) {
        self.change(|state| {
            if let Some(line) = state.sides[program].output.get_mut(taken.place)
                && let OutputLine::Unrecorded(text) = line
            {
                *line = OutputLine::Kept(std::mem::take(text));
            }
        });
    }

    /// Makes the winner the result of the test.
    pub(super) fn announce(&self, result: Outcome) {
        self.change(|state| {
            if !state.announced.contains(&result) {
                state.announced.push(result);
            }
        });
    }

    pub(super) fn announced(&self) -> Vec<Outcome> {
        self.lock().announced.clone()
    }

    /// Waits until both streams of the program have been read to their ends.
    pub(super) fn await_streams(&self, program: usize, deadline: Instant) {
        let is_closed = |state: &mut ExchangeState| (state.sides[program].ended_streams == 2).then_some(());
        self.wait_for(deadline, is_closed);
    }

    /// The dumps and recorded ends, a line each, and what was written on standard error.
    pub(super) fn written(&self, program: usize) -> (Vec<String>, String) {
        let state = self.lock();
        let side = &state.sides[program];
        let kept = side.output.iter().filter_map(|line| match line {
            OutputLine::Kept(text) => Some(text.clone()),
            OutputLine::Unrecorded(_) => None,
        });
        (kept.collect(), side.errors.clone())
    }

    /// Waits for room for another message, for the sake of a script that is slower than the program.
    fn wait_for_room(&self, program: usize, unread: impl Fn(&ProgramState) -> usize) {
        let most = self.rules.most_unread;
        let has_room =
            |state: &mut ExchangeState| (state.failure.is_some() || unread(&state.sides[program]) < most).then_some(());
        if self.wait_for(Instant::now() + PATIENCE, has_room).is_none() {
            self.fail(program, format!("left more than {most} messages unread"));
        }
    }

    /// What `find` finds, also while all programs are being closed.
    fn wait<T>(
        &self,
        deadline: Instant,
        mut find: impl FnMut(&mut ExchangeState) -> Option<Result<T, WaitError>>,
    ) -> Result<T, WaitError> {
        let found = self.wait_for(deadline, |state| match state.failure {
            Some(_) => Some(Err(WaitError::Stopped)),
            None if state.closing.is_some() => find(state).filter(Result::is_ok).or(Some(Err(WaitError::Stopped))),
            None => find(state),
        });
        found.unwrap_or(Err(WaitError::Late))
    }

    /// What `find` finds; none at the deadline.
    fn wait_for<T>(&self, deadline: Instant, mut find: impl FnMut(&mut ExchangeState) -> Option<T>) -> Option<T> {
        let mut state = self.lock();
        loop {
            if let Some(found) = find(&mut state) {
                return Some(found);
            }
            let left = deadline.checked_duration_since(Instant::now())?;
            (state, _) = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn change<T>(&self, change: impl FnOnce(&mut ExchangeState) -> T) -> T {
        let changed = change(&mut self.lock());
        self.changed.notify_all();
        changed
    }

    fn lock(&self) -> MutexGuard<'_, ExchangeState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
