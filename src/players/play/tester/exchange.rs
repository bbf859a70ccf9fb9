//! State of a test that its threads share: what the programs have printed, what is still unread, and why the test has
//! failed.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::rules::{CLOSING, EditionRules, MOST_DUMPED, MOST_ERRORS, MOST_KEPT};
use crate::protocol::commands::grammar::{Event, Line, ended};
use crate::terminal::is_deceptive;
use kingline::game::Outcome;

/// Longest wait for a script to read an event while its program's queue is full. After that, the program has too many
/// unread events.
const PATIENCE: Duration = Duration::from_secs(1);

/// Maximum number of characters of a line printed in a failure reason.
const LONGEST_SHOWN: usize = 1000;

/// State that the scripts and the pumps of a test share.
#[derive(Debug)]
pub(super) struct Exchange {
    pub(super) rules: &'static EditionRules,
    state: Mutex<ExchangeState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct ExchangeState {
    sides: Vec<ProgramState>,
    failure: Option<TestFailure>,
    /// Deadline for all programs to end, once all of them are being closed.
    closing: Option<Instant>,
    announced: Vec<Outcome>,
}

#[derive(Debug, Default)]
struct ProgramState {
    /// Messages that no instruction has taken.
    unread: VecDeque<Unread>,
    forwarded: VecDeque<Event>,
    output: Vec<OutputLine>,
    /// Number of bytes of dumps in `output`.
    dumped: usize,
    errors: String,
    /// Number of ended streams, out of standard output and standard error.
    ended_streams: u8,
    output_has_ended: bool,
    script_is_done: bool,
}

#[derive(Debug)]
enum OutputLine {
    Kept(String),
    /// End of a game; kept if an instruction records it.
    Unrecorded(String),
}

/// Message that no instruction has taken.
#[derive(Debug)]
enum Unread {
    Event(TakenEvent),
    Malformed(String),
}

/// Event of a program, and its place in the compared output.
#[derive(Clone, Debug)]
pub(super) struct TakenEvent {
    pub(super) event: Event,
    place: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TestFailure {
    /// Program number, 0-based.
    pub(super) program: usize,
    pub(super) reason: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum WaitError {
    /// The next message is malformed, for this reason.
    Malformed(String),
    Late,
    /// No more events can come.
    Ended,
    /// The test has failed, or all programs are being closed.
    Stopped,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stream {
    Output,
    Errors,
}

impl ProgramState {
    fn next(&self) -> Option<Result<Event, WaitError>> {
        Some(match self.unread.front()? {
            Unread::Event(taken) => Ok(taken.event.clone()),
            Unread::Malformed(reason) => Err(WaitError::Malformed(reason.clone())),
        })
    }
}

impl Exchange {
    pub(super) fn new(rules: &'static EditionRules, programs: usize) -> Exchange {
        let sides = (0..programs).map(|_| ProgramState::default()).collect();
        let state = Mutex::new(ExchangeState { sides, ..ExchangeState::default() });
        Exchange { rules, state, changed: Condvar::new() }
    }

    /// Fails the test, unless it has already failed.
    pub(super) fn fail(&self, program: usize, reason: impl Into<String>) {
        self.change(|state| {
            state.failure.get_or_insert_with(|| TestFailure { program, reason: reason.into() });
        });
    }

    pub(super) fn failure(&self) -> Option<TestFailure> {
        self.lock().failure.clone()
    }

    pub(super) fn add_line(&self, program: usize, line: Line) {
        match line {
            Line::Ignored => return,
            Line::Malformed(reason) if self.rules.malformed_may_stay => {
                self.add_message(program, |_| Unread::Malformed(reason));
            }
            Line::Malformed(reason) => return self.fail(program, reason),
            Line::Dump(line) => self.change(|state| {
                let side = &mut state.sides[program];
                side.dumped += line.len();
                side.output.push(OutputLine::Kept(line));
            }),
            Line::Event(event) => self.add_message(program, |side| {
                let place = side.output.len();
                if let Event::End(result) = event {
                    side.output.push(OutputLine::Unrecorded(format!("* {}", ended(result))));
                }
                Unread::Event(TakenEvent { event, place })
            }),
        }
        let kept_and_dumped = |side: &ProgramState| (side.output.len() + side.unread.len(), side.dumped);
        let (kept, dumped) = kept_and_dumped(&self.lock().sides[program]);
        if kept > MOST_KEPT {
            self.fail(program, format!("printed more than {MOST_KEPT} messages and dump lines"));
        }
        if dumped > MOST_DUMPED {
            self.fail(program, format!("printed more than {MOST_DUMPED} bytes of dumps"));
        }
    }

    /// Queues a message of the program, once there is room for it.
    fn add_message(&self, program: usize, message: impl FnOnce(&mut ProgramState) -> Unread) {
        self.wait_for_room(program, |side| side.unread.len());
        self.change(|state| {
            let side = &mut state.sides[program];
            let message = message(side);
            side.unread.push_back(message);
        });
    }

    pub(super) fn add_error_line(&self, program: usize, line: &str) {
        self.change(|state| {
            let errors = &mut state.sides[program].errors;
            if errors.len() < MOST_ERRORS {
                errors.extend([line, "\n"]);
            }
        });
        if self.rules.fatal_error.is_some_and(|fatal| line.contains(fatal)) {
            let shown: String = line.trim().chars().take(LONGEST_SHOWN).collect();
            self.fail(program, format!("Java exception: {}", shown.replace(is_deceptive, "?")));
        }
    }

    pub(super) fn end_stream(&self, program: usize, stream: Stream) {
        self.change(|state| {
            let side = &mut state.sides[program];
            side.ended_streams += 1;
            side.output_has_ended |= stream == Stream::Output;
        });
    }

    pub(super) fn end_script(&self, program: usize) {
        self.change(|state| {
            state.sides[program].script_is_done = true;
            if self.rules.first_end_closes_both {
                state.closing.get_or_insert_with(|| Instant::now() + CLOSING);
            }
        });
    }

    /// Waits for the program's next event, which stays unread.
    pub(super) fn await_own(&self, program: usize, deadline: Instant) -> Result<Event, WaitError> {
        self.wait(deadline, |state| {
            let side = &state.sides[program];
            side.next().or_else(|| side.output_has_ended.then_some(Err(WaitError::Ended)))
        })
    }

    /// Waits for the next event of a closed program, whose last lines may not have been read yet.
    pub(super) fn await_last(&self, program: usize) -> Option<Result<Event, WaitError>> {
        let deadline = self.lock().closing?;
        let last = self.wait_for(deadline, |state| {
            let side = &state.sides[program];
            let next = side.next();
            let is_last = side.output_has_ended || state.failure.is_some();
            (next.is_some() || is_last).then_some(next)
        });
        last.flatten()
    }

    /// Deadline for all programs to end, if they are being closed.
    pub(super) fn closing(&self) -> Option<Instant> {
        self.lock().closing
    }

    /// Takes the program's next message, if it is an event.
    pub(super) fn take_own(&self, program: usize) -> Option<TakenEvent> {
        match self.change(|state| state.sides[program].unread.pop_front())? {
            Unread::Event(taken) => Some(taken),
            Unread::Malformed(_) => None,
        }
    }

    /// Waits before a line is sent, but no longer than the program prints and the test goes on.
    pub(super) fn await_line(&self, program: usize) {
        let deadline = Instant::now() + self.rules.before_line;
        let needs_no_wait = |state: &mut ExchangeState| {
            let is_over = state.failure.is_some() || state.closing.is_some();
            (is_over || state.sides[program].output_has_ended).then_some(())
        };
        self.wait_for(deadline, needs_no_wait);
    }

    /// Takes the next event from the other program.
    pub(super) fn take_forwarded(&self, program: usize, deadline: Instant) -> Result<Event, WaitError> {
        let taken = self.wait(deadline, |state| match state.sides[program].forwarded.pop_front() {
            Some(event) => Some(Ok(event)),
            None => {
                let is_last = state.sides.get(1 - program).is_none_or(|other| other.script_is_done);
                is_last.then_some(Err(WaitError::Ended))
            }
        });
        self.changed.notify_all();
        taken
    }

    /// Queues an event of a program for the other one, if there is one.
    pub(super) fn forward(&self, program: usize, event: Event) {
        if self.lock().sides.len() == 2 {
            self.wait_for_room(1 - program, |side| side.forwarded.len());
            self.change(|state| state.sides[1 - program].forwarded.push_back(event));
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

    /// Waits until both streams of the program have been read to the end.
    pub(super) fn await_streams(&self, program: usize, deadline: Instant) {
        self.wait_for(deadline, |state| (state.sides[program].ended_streams == 2).then_some(()));
    }

    /// Dump lines and recorded ends of games, and the text of standard error.
    pub(super) fn written(&self, program: usize) -> (Vec<String>, String) {
        let state = self.lock();
        let side = &state.sides[program];
        let kept = side.output.iter().filter_map(|line| match line {
            OutputLine::Kept(text) => Some(text.clone()),
            OutputLine::Unrecorded(_) => None,
        });
        (kept.collect(), side.errors.clone())
    }

    /// Waits for room for another event, because a script may be slower than its program.
    fn wait_for_room(&self, program: usize, unread: impl Fn(&ProgramState) -> usize) {
        let most = self.rules.most_unread;
        let has_room =
            |state: &mut ExchangeState| (state.failure.is_some() || unread(&state.sides[program]) < most).then_some(());
        if self.wait_for(Instant::now() + PATIENCE, has_room).is_none() {
            self.fail(program, format!("left more than {most} messages unread"));
        }
    }

    /// Waits until `find` finds something. Does not wait while all programs are being closed.
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

    /// Waits until `find` finds something; `None` at the deadline.
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
