//! What the threads of a test share: what the programs have said, what each may still read of the
//! other, and the first reason to fail.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::rules::{CLOSING, FirstEnd, LONGEST_KEPT, MOST_ERRORS, MOST_KEPT, Rules};
use crate::game::Outcome;
use crate::protocol::commands::grammar::{Event, Line, ended};

/// A program whose messages nobody takes for this long, with no room for more, does not hurry ahead of a
/// script that reads: it has said too much.
const PATIENCE: Duration = Duration::from_secs(1);

/// Shared by the scripts and the pumps of a test.
#[derive(Debug)]
pub(super) struct Exchange {
    pub(super) rules: &'static Rules,
    state: Mutex<State>,
    changed: Condvar,
}

/// Everything that changes.
#[derive(Debug, Default)]
struct State {
    sides: Vec<Side>,
    failure: Option<Failure>,
    /// All programs are to be closed, whatever the scripts still want, and to have ended by then.
    closing: Option<Instant>,
    announced: Vec<Outcome>,
}

/// One program, and its script.
#[derive(Debug, Default)]
struct Side {
    /// Its messages that no instruction has taken.
    unread: VecDeque<Taken>,
    /// The other's messages for it.
    forwarded: VecDeque<Event>,
    output: Vec<OutputLine>,
    errors: String,
    /// Of standard output and standard error, those at whose end the program is.
    ended_streams: u8,
    output_has_ended: bool,
    script_is_done: bool,
}

/// A line of what a program's output is compared by.
#[derive(Debug)]
enum OutputLine {
    Kept(String),
    /// The end of a game, to be kept if an instruction records it.
    Unrecorded(String),
}

/// A message of a program, and its place in the output.
#[derive(Clone, Debug)]
pub(super) struct Taken {
    pub(super) message: Event,
    place: usize,
}

/// Why a test has failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    /// Counted from 0.
    pub(super) program: usize,
    pub(super) reason: String,
}

/// Why a wait is in vain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vain {
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
    pub(super) fn new(rules: &'static Rules, programs: usize) -> Exchange {
        let sides = (0..programs).map(|_| Side::default()).collect();
        Exchange { rules, state: Mutex::new(State { sides, ..State::default() }), changed: Condvar::new() }
    }

    /// Fails the test, if nothing has before.
    pub(super) fn fail(&self, program: usize, reason: impl Into<String>) {
        self.change(|state| {
            state.failure.get_or_insert_with(|| Failure { program, reason: reason.into() });
        });
    }

    pub(super) fn failure(&self) -> Option<Failure> {
        self.lock().failure.clone()
    }

    /// A line of standard output has been read.
    pub(super) fn hear(&self, program: usize, heard: Line) {
        let message = match heard {
            Line::Ignored => return,
            Line::Malformed(reason) => return self.fail(program, reason),
            Line::Dump(line) => {
                self.change(|state| state.sides[program].output.push(OutputLine::Kept(cut(&line))));
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
                side.unread.push_back(Taken { message, place });
            });
        }
        let kept = |side: &Side| side.output.len() + side.unread.len();
        if kept(&self.lock().sides[program]) > MOST_KEPT {
            self.fail(program, format!("printed more than {MOST_KEPT} messages and lines of dumps"));
        }
    }

    /// A line of standard error has been read.
    pub(super) fn hear_error(&self, program: usize, line: &str) {
        self.change(|state| {
            let errors = &mut state.sides[program].errors;
            if errors.len() < MOST_ERRORS {
                *errors += &(cut(line) + "\n");
            }
        });
        if self.rules.fatal_error.is_some_and(|fatal| line.contains(fatal)) {
            self.fail(program, format!("Java exception: {}", cut(line.trim()).replace(char::is_control, "?")));
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

    /// The script of the program has nothing more to do.
    pub(super) fn end_script(&self, program: usize) {
        self.change(|state| {
            state.sides[program].script_is_done = true;
            if self.rules.first_end == FirstEnd::OfBoth {
                state.closing.get_or_insert_with(|| Instant::now() + CLOSING);
            }
        });
    }

    /// The program's next message, which stays where it is.
    pub(super) fn await_own(&self, program: usize, deadline: Instant) -> Result<Event, Vain> {
        self.wait(deadline, |state| {
            let side = &state.sides[program];
            match side.unread.front() {
                Some(taken) => Some(Ok(taken.message.clone())),
                None => side.output_has_ended.then_some(Err(Vain::Ended)),
            }
        })
    }

    /// The next message of a program that is closed: the last ones may not have been read yet.
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
    pub(super) fn take_own(&self, program: usize) -> Option<Taken> {
        self.change(|state| state.sides[program].unread.pop_front())
    }

    /// Takes the next message that the other program has for this one.
    pub(super) fn take_forwarded(&self, program: usize, deadline: Instant) -> Result<Event, Vain> {
        let taken = self.wait(deadline, |state| match state.sides[program].forwarded.pop_front() {
            Some(message) => Some(Ok(message)),
            None => {
                let is_last = state.sides.get(1 - program).is_none_or(|other| other.script_is_done);
                is_last.then_some(Err(Vain::Ended))
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
    pub(super) fn record(&self, program: usize, taken: &Taken) {
        self.change(|state| {
            if let Some(line) = state.sides[program].output.get_mut(taken.place)
                && let OutputLine::Unrecorded(text) = line
            {
                *line = OutputLine::Kept(std::mem::take(text));
            }
        });
    }

    /// Makes who won the result of the test.
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
        let is_closed = |state: &mut State| (state.sides[program].ended_streams == 2).then_some(());
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

    /// There is room for another message; a script that is slower than the program gets a moment.
    fn wait_for_room(&self, program: usize, unread: impl Fn(&Side) -> usize) {
        let most = self.rules.most_unread;
        let has_room =
            |state: &mut State| (state.failure.is_some() || unread(&state.sides[program]) < most).then_some(());
        if self.wait_for(Instant::now() + PATIENCE, has_room).is_none() {
            self.fail(program, format!("left more than {most} messages unread"));
        }
    }

    /// What is there already is found even when all programs are to be closed.
    fn wait<T>(
        &self,
        deadline: Instant,
        mut find: impl FnMut(&mut State) -> Option<Result<T, Vain>>,
    ) -> Result<T, Vain> {
        let found = self.wait_for(deadline, |state| match state.failure {
            Some(_) => Some(Err(Vain::Stopped)),
            None if state.closing.is_some() => find(state).filter(Result::is_ok).or(Some(Err(Vain::Stopped))),
            None => find(state),
        });
        found.unwrap_or(Err(Vain::Late))
    }

    /// What `find` finds; none at the deadline.
    fn wait_for<T>(&self, deadline: Instant, mut find: impl FnMut(&mut State) -> Option<T>) -> Option<T> {
        let mut state = self.lock();
        loop {
            if let Some(found) = find(&mut state) {
                return Some(found);
            }
            let left = deadline.checked_duration_since(Instant::now())?;
            (state, _) = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let changed = change(&mut self.lock());
        self.changed.notify_all();
        changed
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn cut(line: &str) -> String {
    line.chars().take(LONGEST_KEPT).collect()
}
