//! Turns of `homework` at a small budget: none late, none illegal.

use std::time::Duration;

use kingline::checkers::{Diagram, Position};
use kingline::game::{Color, Game, random_opening};
use kingline_players::protocol::turn_files::read_answer;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::support::command::*;
use crate::support::usage::cpu_of_children;

const TURNS: usize = 200;
/// Budget of a turn, unless starting and ending a process takes more than a third of it.
const BUDGET: Duration = Duration::from_millis(100);

/// A position after at most 120 random plies.
fn random_position(rng: &mut StdRng) -> Position {
    loop {
        let plies = rng.random_range(0..120);
        if let Some(opening) = random_opening::<Position>(plies, |moves| rng.random_range(0..moves)) {
            return opening.history.position();
        }
    }
}

/// Runs a program, and measures its CPU time. No other child of this process may end meanwhile, so these tests need
/// `--test-threads=1`.
fn measured(run: impl FnOnce() -> Ran) -> (Duration, Ran) {
    let before = cpu_of_children();
    let ran = run();
    (cpu_of_children() - before, ran)
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// The CPU time includes that of the program that runs `homework`, such as Wine, which may need 0.1 s to start an empty
/// program.
#[test]
#[ignore = "for other systems: 20 s"]
fn turns_are_legal_and_in_time() {
    let version = |_| measured(|| Dir::new().run_with_args(Program::Homework, &["--version"])).0;
    let mut starts: Vec<Duration> = (0..15).map(version).collect();
    let slowest = starts.iter().max().copied().unwrap_or_default();
    let budget = BUDGET.max(Duration::from_millis(3 * slowest.as_millis() as u64));
    let mut rng = StdRng::seed_from_u64(11);
    let mut times = Vec::new();
    for turn in 0..TURNS {
        let position = random_position(&mut rng);
        let mode = if turn % 2 == 0 { "SINGLE" } else { "GAME" };
        let side = if position.turn() == Color::Black { "BLACK" } else { "WHITE" };
        let input = format!("{mode}\n{side}\n{}\n{}", budget.as_secs_f64(), Diagram(&position));
        let (time, ran) = measured(|| Dir::with_input(input).run(Program::Homework));
        ran.exits_with(0).stderr_lacks(&["warning"]);
        read_answer(ran.answer(), &position).unwrap_or_else(|error| panic!("{error}: {ran:#?}"));
        times.push(time);
    }
    let late = times.iter().filter(|&&time| time >= budget).count();
    println!(
        "{TURNS} turns of {budget:?}: {late} late, median {:?}, longest {:?}; start of a process {:?}",
        median(&mut times),
        times[TURNS - 1],
        median(&mut starts)
    );
    assert_eq!(late, 0);
    // A clock that runs too fast would leave the budget unused.
    assert!(times[TURNS - 1] > budget / 2, "{times:?}");
}
