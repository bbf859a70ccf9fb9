//! Actions of a script, and the start and end of a test. Each script has its own thread, which ends with its program.

use std::panic::resume_unwind;
use std::process::{Command, ExitStatus};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::exchange::{Exchange, TakenEvent, TestFailure, WaitError};
use super::program::{ProgramEnd, TestedProgram};
use super::rules::{CLOSING, Fault, LanguageRules};
use super::trace::Tracer;
use crate::protocol::commands::grammar::Event;
use kingline::game::{Outcome, ParseError};

/// Longest wait for the streams of an ended program, because another process may keep them open forever.
const DRAINING: Duration = Duration::from_secs(2);

/// Script of one program.
pub(super) trait Role: Sync {
    /// Command that starts the program.
    fn command(&self) -> Command;

    /// Performs the script.
    ///
    /// # Errors
    /// The script cannot go on.
    fn perform(&self, actor: &Actor) -> Result<(), Halt>;
}

/// Reason why a script cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// The program has failed the test, for this reason.
    Failed(String),
    /// The program prints nothing more, for this reason. Its exit status may explain it better.
    Silent(String),
    /// The test has failed elsewhere, or all programs are being closed.
    Stopped,
}

/// Actions of a script.
pub(super) struct Actor<'a> {
    exchange: &'a Exchange,
    program: &'a TestedProgram,
    number: usize,
}

/// Result of a test.
#[derive(Debug)]
pub(super) struct TestRun {
    pub(super) failure: Option<TestFailure>,
    /// Records of the programs.
    pub(super) records: Vec<ProgramRecord>,
    /// Winners announced as the result of the test.
    pub(super) announced: Vec<Outcome>,
}

/// Output of a program, and how it ended.
#[derive(Debug, Default)]
pub(super) struct ProgramRecord {
    /// Lines of dumps, and recorded ends of games.
    pub(super) output: Vec<String>,
    /// Text of standard error.
    pub(super) errors: String,
    /// Exit status, or why the program failed.
    pub(super) ending: String,
}

/// Runs each role's program through its script.
pub(super) fn run_test<R: Role>(roles: &[R], rules: &'static LanguageRules, tracer: &Tracer) -> TestRun {
    let exchange = Arc::new(Exchange::new(rules, roles.len()));
    let mut programs = Vec::new();
    for (number, role) in roles.iter().enumerate() {
        match TestedProgram::start(role.command(), number, &exchange, tracer) {
            Ok(program) => programs.push(program),
            Err(error) => {
                let name = role.command().get_program().to_string_lossy().into_owned();
                exchange.fail(number, format!("cannot run {name}: {error}"));
            }
        }
    }
    if exchange.failure().is_some() {
        programs.clear();
    }
    let endings = act_all(roles, programs, &exchange);
    let failure = exchange.failure();
    let record = |number: usize| {
        let (output, errors) = exchange.written(number);
        let own_failure = failure.as_ref().filter(|failure| failure.program == number);
        let ending = match (own_failure, endings.get(number)) {
            (Some(failure), _) => failure.reason.clone(),
            (None, Some(Some(status))) => status.to_string(),
            (None, _) => "ended by test-loa".to_string(),
        };
        ProgramRecord { output, errors, ending }
    };
    TestRun { records: (0..roles.len()).map(record).collect(), announced: exchange.announced(), failure }
}

/// Runs all scripts, and returns the exit status of each program that ended on its own.
fn act_all<R: Role>(roles: &[R], programs: Vec<TestedProgram>, exchange: &Exchange) -> Vec<Option<ExitStatus>> {
    thread::scope(|scope| {
        let mut threads = Vec::new();
        for (number, (role, program)) in roles.iter().zip(programs).enumerate() {
            let started = thread::Builder::new().spawn_scoped(scope, move || act(role, program, number, exchange));
            match started {
                Ok(thread) => threads.push(thread),
                Err(error) => exchange.fail(number, format!("cannot start a thread: {error}")),
            }
        }
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    })
}

/// Performs a script, closes its program, and judges how the program ends.
fn act<R: Role>(role: &R, program: TestedProgram, number: usize, exchange: &Exchange) -> Option<ExitStatus> {
    let performed = role.perform(&Actor { exchange, program: &program, number });
    match &performed {
        Ok(()) => exchange.end_script(number),
        Err(Halt::Failed(reason)) => exchange.fail(number, reason.as_str()),
        Err(Halt::Silent(_) | Halt::Stopped) => {}
    }
    let deadline = exchange.closing().unwrap_or_else(|| Instant::now() + CLOSING);
    let ProgramEnd { status, unsent } = program.finish(deadline, || exchange.failure().is_some());
    exchange.await_streams(number, Instant::now() + DRAINING);
    let LanguageRules { overdue, unsent_lines, .. } = exchange.rules;
    match (status, performed, unsent) {
        (Some(status), ..) if !status.success() => exchange.fail(number, format!("ended with {status}")),
        (_, Err(Halt::Silent(reason)), _) => exchange.fail(number, reason),
        (Some(status), _, Some(line)) if *unsent_lines == Fault::Fails => {
            exchange.fail(number, format!("ended with {status} before it read {line:?}"));
        }
        (None, ..) if *overdue == Fault::Fails => {
            exchange.fail(number, format!("did not end within {} s of the end of its input", CLOSING.as_secs()));
        }
        _ => {}
    }
    status
}

impl Halt {
    /// Failure of a program that printed `found` instead of `expected`.
    pub(super) fn unexpected(found: &Event, expected: &str) -> Halt {
        Halt::Failed(ParseError::new(&found.to_string(), expected).to_string())
    }
}

impl Actor<'_> {
    /// Rules of the language, as the tester applies them.
    pub(super) fn rules(&self) -> &'static LanguageRules {
        self.exchange.rules
    }

    /// Sends bytes to the program.
    pub(super) fn send(&self, bytes: &[u8]) {
        self.program.send(bytes);
    }

    /// Sends a line of the script, after the tester's wait.
    pub(super) fn send_line(&self, bytes: &[u8]) {
        self.exchange.await_line(self.number);
        self.send(bytes);
    }

    /// Sends a move to the program.
    pub(super) fn send_move(&self, text: &str) {
        self.send(format!("{text}\n").as_bytes());
    }

    /// Waits for the program's next event, which stays unread; `awaited` names it in errors. When all programs are
    /// being closed, this one is closed as well. Its remaining output still counts, so that the slower of two scripts
    /// sees it in every run.
    ///
    /// # Errors
    /// No such event comes.
    pub(super) fn next(&self, deadline: Instant, awaited: &str) -> Result<Event, Halt> {
        let next = match self.exchange.await_own(self.number, deadline) {
            Err(WaitError::Stopped) => {
                self.program.close();
                self.exchange.await_last(self.number).ok_or(Halt::Stopped)?
            }
            next => next,
        };
        next.map_err(|error| match error {
            WaitError::Malformed(reason) => Halt::Failed(reason),
            WaitError::Late => Halt::Failed(format!("time limit exceeded, waiting for {awaited}")),
            WaitError::Ended => Halt::Silent(format!("its output ended, waiting for {awaited}")),
            WaitError::Stopped => Halt::Stopped,
        })
    }

    /// Waits for the program's next event, and takes it.
    ///
    /// # Errors
    /// No such event comes.
    pub(super) fn take(&self, deadline: Instant, awaited: &str) -> Result<TakenEvent, Halt> {
        self.next(deadline, awaited)?;
        self.exchange.take_own(self.number).ok_or(Halt::Stopped)
    }

    /// Waits for the next event from the other program; `awaited` names it in errors.
    ///
    /// # Errors
    /// No such event comes.
    pub(super) fn take_other(&self, deadline: Instant, awaited: &str) -> Result<Event, Halt> {
        self.exchange.take_forwarded(self.number, deadline).map_err(|error| match error {
            WaitError::Malformed(reason) => Halt::Failed(reason),
            WaitError::Late => Halt::Failed(format!("time limit exceeded, waiting for {awaited}")),
            WaitError::Ended => Halt::Failed(format!("the other script is done, waiting for {awaited}")),
            WaitError::Stopped => Halt::Stopped,
        })
    }

    /// Queues an event for the other program, if there is one.
    pub(super) fn pass_on(&self, event: Event) {
        self.exchange.forward(self.number, event);
    }

    /// Keeps the end of a game for the comparison.
    pub(super) fn record(&self, taken: &TakenEvent) {
        self.exchange.record(self.number, taken);
    }

    /// Announces a winner as the result of the test.
    pub(super) fn announce(&self, result: Outcome) {
        self.exchange.announce(result);
    }
}
