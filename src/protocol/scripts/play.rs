//! Programs that play their parts: each script has a thread, and ends with its program.

use std::panic::resume_unwind;
use std::process::{Command, ExitStatus};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::exchange::{Exchange, Failure, Taken, Vain};
use super::program::Program;
use super::rules::{CLOSING, Overdue, Rules};
use super::trace::Trace;
use crate::game::{Outcome, ParseError};
use crate::protocol::commands::grammar::Event;

/// What an ended program has left in its streams is read within this time; it may be more than that if
/// something else holds them open.
const DRAINING: Duration = Duration::from_secs(2);

/// One script, and the program that it is for.
pub(super) trait Part: Sync {
    /// How the program is started.
    fn command(&self) -> Command;

    /// Goes through the script.
    ///
    /// # Errors
    /// The script cannot go on.
    fn perform(&self, actor: &Actor) -> Result<(), Halt>;
}

/// Why a script cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// Its program has failed the test, for this reason.
    Failed(String),
    /// Its program says nothing more; how it has ended may be the better reason.
    Silent(String),
    /// The test has failed elsewhere, or all programs are to be closed.
    Stopped,
}

/// What a script can do.
pub(super) struct Actor<'a> {
    exchange: &'a Exchange,
    program: &'a Program,
    number: usize,
}

/// How a test went.
#[derive(Debug)]
pub(super) struct Played {
    pub(super) failure: Option<Failure>,
    /// One per program.
    pub(super) records: Vec<Record>,
    /// Who won, where that is the test's result.
    pub(super) announced: Vec<Outcome>,
}

/// What is left of a program.
#[derive(Debug, Default)]
pub(super) struct Record {
    /// Dumps and recorded ends of games, a line each.
    pub(super) output: Vec<String>,
    /// What it wrote on standard error.
    pub(super) errors: String,
    /// How it ended, or failed.
    pub(super) ending: String,
}

/// Runs each part's program through its script.
pub(super) fn play<P: Part>(parts: &[P], rules: &'static Rules, trace: Trace) -> Played {
    let exchange = Arc::new(Exchange::new(rules, parts.len()));
    let mut programs = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        match Program::start(part.command(), number, &exchange, trace) {
            Ok(program) => programs.push(program),
            Err(error) => {
                let name = part.command().get_program().to_string_lossy().into_owned();
                exchange.fail(number, format!("cannot run {name}: {error}"));
            }
        }
    }
    if exchange.failure().is_some() {
        programs.clear();
    }
    let endings = act_all(parts, programs, &exchange);
    let failure = exchange.failure();
    let record = |number: usize| {
        let (output, errors) = exchange.written(number);
        let own_failure = failure.as_ref().filter(|failure| failure.program == number);
        let ending = match (own_failure, endings.get(number)) {
            (Some(failure), _) => failure.reason.clone(),
            (None, Some(Some(status))) => status.to_string(),
            (None, _) => "ended by test-loa".to_string(),
        };
        Record { output, errors, ending }
    };
    Played { records: (0..parts.len()).map(record).collect(), announced: exchange.announced(), failure }
}

/// The exit status of each program that has ended by itself.
fn act_all<P: Part>(parts: &[P], programs: Vec<Program>, exchange: &Exchange) -> Vec<Option<ExitStatus>> {
    thread::scope(|scope| {
        let mut threads = Vec::new();
        for (number, (part, program)) in parts.iter().zip(programs).enumerate() {
            let started = thread::Builder::new().spawn_scoped(scope, move || act(part, program, number, exchange));
            match started {
                Ok(thread) => threads.push(thread),
                Err(error) => exchange.fail(number, format!("cannot start a thread: {error}")),
            }
        }
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    })
}

/// Performs a script, closes its program, and judges how that ends.
fn act<P: Part>(part: &P, program: Program, number: usize, exchange: &Exchange) -> Option<ExitStatus> {
    let performed = part.perform(&Actor { exchange, program: &program, number });
    match &performed {
        Ok(()) => exchange.end_script(number),
        Err(Halt::Failed(reason)) => exchange.fail(number, reason.as_str()),
        Err(Halt::Silent(_) | Halt::Stopped) => {}
    }
    let deadline = exchange.closing().unwrap_or_else(|| Instant::now() + CLOSING);
    let status = program.finish(deadline, || exchange.failure().is_some());
    exchange.await_streams(number, Instant::now() + DRAINING);
    let overdue = exchange.rules.overdue == Overdue::Fails;
    match (status, performed) {
        (Some(status), _) if !status.success() => exchange.fail(number, format!("ended with {status}")),
        (_, Err(Halt::Silent(reason))) => exchange.fail(number, reason),
        (None, _) if overdue => {
            exchange.fail(number, format!("did not end within {} s of the end of its input", CLOSING.as_secs()));
        }
        _ => {}
    }
    status
}

impl Halt {
    /// The program said this in the place of what was expected.
    pub(super) fn unexpected(found: &Event, expected: &str) -> Halt {
        Halt::Failed(ParseError::new(&found.to_string(), expected).to_string())
    }
}

impl Actor<'_> {
    /// Sends bytes to the program.
    pub(super) fn send(&self, bytes: &[u8]) {
        self.program.send(bytes);
    }

    /// Sends a move to the program.
    pub(super) fn send_move(&self, text: &str) {
        self.send(format!("{text}\n").as_bytes());
    }

    /// The program's next message, which stays unread; `awaited` says what it should be. When all
    /// programs are to be closed, this one is, and what it still says counts: so it does not depend on a
    /// race what the slower of two scripts has seen.
    ///
    /// # Errors
    /// It does not come.
    pub(super) fn next(&self, deadline: Instant, awaited: &str) -> Result<Event, Halt> {
        match self.exchange.await_own(self.number, deadline) {
            Ok(message) => Ok(message),
            Err(Vain::Late) => Err(Halt::Failed(format!("time limit exceeded, waiting for {awaited}"))),
            Err(Vain::Ended) => Err(Halt::Silent(format!("its output ended, waiting for {awaited}"))),
            Err(Vain::Stopped) => {
                self.program.close();
                self.exchange.await_last(self.number).ok_or(Halt::Stopped)
            }
        }
    }

    /// Likewise, and takes it.
    ///
    /// # Errors
    /// It does not come.
    pub(super) fn take(&self, deadline: Instant, awaited: &str) -> Result<Taken, Halt> {
        self.next(deadline, awaited)?;
        self.exchange.take_own(self.number).ok_or(Halt::Stopped)
    }

    /// The other program's next message for this one; `awaited` says what it should be.
    ///
    /// # Errors
    /// It does not come.
    pub(super) fn take_other(&self, deadline: Instant, awaited: &str) -> Result<Event, Halt> {
        self.exchange.take_forwarded(self.number, deadline).map_err(|vain| match vain {
            Vain::Late => Halt::Failed(format!("time limit exceeded, waiting for {awaited}")),
            Vain::Ended => Halt::Failed(format!("the other script is done, waiting for {awaited}")),
            Vain::Stopped => Halt::Stopped,
        })
    }

    /// Queues a message for the other program, if there is one.
    pub(super) fn pass_on(&self, message: Event) {
        self.exchange.forward(self.number, message);
    }

    /// Keeps the end of a game for the comparison.
    pub(super) fn record(&self, taken: &Taken) {
        self.exchange.record(self.number, taken);
    }

    /// Makes who won the result of the test.
    pub(super) fn announce(&self, result: Outcome) {
        self.exchange.announce(result);
    }
}
