use std::panic::resume_unwind;
use std::process::ExitStatus;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::exchange::{Exchange, TestFailure};
use super::program::{ProgramEnd, TestedProgram};
use super::rules::Tracer;
use super::rules::{CLOSING, EditionRules, Fault};
use super::script::Script;
use super::steps::{Actor, Clocks, Halt};
use kingline::game::Outcome;

/// Longest wait for the streams of an ended program, because another process may keep them open forever.
const DRAINING: Duration = Duration::from_secs(2);

#[derive(Debug)]
pub(super) struct TestRun {
    pub(super) failure: Option<TestFailure>,
    pub(super) records: Vec<ProgramRecord>,
    pub(super) announced: Vec<Outcome>,
}

/// Output of a program, and how it ended.
#[derive(Debug)]
pub(super) struct ProgramRecord {
    /// Lines of dumps, and recorded ends of games, each with a newline.
    pub(super) output: String,
    pub(super) errors: String,
    /// Exit status, or why the program failed.
    pub(super) ending: String,
}

/// Runs the program of each script. 2015: each color has `time` for all its moves.
pub(super) fn run_test(scripts: &[Script], time: Duration, rules: &'static EditionRules, tracer: &Tracer) -> TestRun {
    let exchange = Arc::new(Exchange::new(rules, scripts.len()));
    let mut programs = Vec::new();
    for (number, script) in scripts.iter().enumerate() {
        match TestedProgram::start(script.command(), number, &exchange, tracer) {
            Ok(program) => programs.push(program),
            Err(error) => {
                let name = script.command().get_program().to_string_lossy().into_owned();
                exchange.fail(number, format!("cannot run {name}: {error}"));
            }
        }
    }
    if exchange.failure().is_some() {
        programs.clear();
    }
    let endings = act_all(scripts, programs, &exchange, &Clocks::new(time));
    let failure = exchange.failure();
    let record = |number: usize| {
        let (output, errors) = exchange.written(number);
        let own_failure = failure.as_ref().filter(|failure| failure.program == number);
        let ending = match (own_failure, endings.get(number)) {
            (Some(failure), _) => failure.reason.clone(),
            (None, Some(Some(status))) => status.to_string(),
            (None, _) => "ended by test-loa".to_string(),
        };
        ProgramRecord { output: output.into_iter().map(|line| line + "\n").collect(), errors, ending }
    };
    TestRun { records: (0..scripts.len()).map(record).collect(), announced: exchange.announced(), failure }
}

/// Runs all scripts, and returns the exit status of each program that ended on its own.
fn act_all(
    scripts: &[Script],
    programs: Vec<TestedProgram>,
    exchange: &Exchange,
    clocks: &Clocks,
) -> Vec<Option<ExitStatus>> {
    thread::scope(|scope| {
        let mut threads = Vec::new();
        for (number, (script, program)) in scripts.iter().zip(programs).enumerate() {
            let act = move || act(script, program, number, (exchange, clocks));
            match thread::Builder::new().spawn_scoped(scope, act) {
                Ok(thread) => threads.push(thread),
                Err(error) => exchange.fail(number, format!("cannot start a thread: {error}")),
            }
        }
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    })
}

/// Takes the steps of a script, closes its program, and judges how the program ends.
fn act(
    script: &Script,
    program: TestedProgram,
    number: usize,
    (exchange, clocks): (&Exchange, &Clocks),
) -> Option<ExitStatus> {
    let taken = Actor { exchange, program: &program, number, clocks }.take_steps(&script.steps);
    match &taken {
        Ok(()) => exchange.end_script(number),
        Err(Halt::Failed(reason)) => exchange.fail(number, reason.as_str()),
        Err(Halt::Silent(_) | Halt::Stopped) => {}
    }
    let deadline = exchange.closing().unwrap_or_else(|| Instant::now() + CLOSING);
    let ProgramEnd { status, unsent } = program.finish(deadline, || exchange.failure().is_some());
    exchange.await_streams(number, Instant::now() + DRAINING);
    let EditionRules { overdue, unsent_lines, .. } = exchange.rules;
    match (status, taken, unsent) {
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
