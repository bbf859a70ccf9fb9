//! Time and memory of the agent, measured from outside the process.

use anyhow::Result;
use kingline::checkers::Position;
use kingline::game::random_opening;
use kingline_players::figures::Figure;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::agent_dir::AgentDir;
use crate::program;
use crate::progress::Progress;
use kingline_players::terminal::in_thousands;

/// Plays random positions at small budgets. No answer may be late or illegal.
pub(super) fn keeping() -> Result<Vec<Figure>> {
    [(10_000, 0.01), (1_000, 0.1), (100, 1.0)].into_iter().map(|(count, budget)| keeping_one(count, budget)).collect()
}

fn keeping_one(count: usize, budget: f64) -> Result<Figure> {
    let folder = AgentDir::new("budget")?;
    let homework = program::sibling("homework")?;
    let mut rng = StdRng::seed_from_u64(11);
    let mut progress = Progress::new(&format!("{budget} s"), count);
    let (mut late, mut wrong, mut most) = (0, 0, 0.0f64);
    for number in 0..count {
        let position = random_position(&mut rng);
        folder.forget_game();
        folder.ask(if number % 2 == 0 { "SINGLE" } else { "GAME" }, &position, budget)?;
        let run = program::run(&homework, &[], folder.path())?;
        let cpu = run.cpu.as_secs_f64();
        most = most.max(cpu);
        late += usize::from(cpu >= budget);
        wrong += usize::from(!run.status.success() || folder.answer(&position).is_err());
        progress.step(&format!("{late} late, {wrong} wrong"));
    }
    let name = format!("{} random positions at {budget} s", in_thousands(count as u64));
    let measured = format!("{late} over budget, {wrong} illegal; the longest {:.1} ms", most * 1000.0);
    Ok(Figure::new(name, measured).against("0 over budget, 0 illegal", late + wrong == 0))
}

/// Returns a position after at most 120 random plies from the start, in a game that is not over.
fn random_position(rng: &mut StdRng) -> Position {
    loop {
        let plies = rng.random_range(0..120);
        if let Some(opening) = random_opening::<Position>(plies, |moves| rng.random_range(0..moves)) {
            return opening.history.position();
        }
    }
}

/// Measures the peak memory of a turn, from the smallest budget to the largest.
pub(super) fn memory() -> Result<Vec<Figure>> {
    let folder = AgentDir::new("memory")?;
    let homework = program::sibling("homework")?;
    let position: Position = super::checkers::POSITIONS[2].parse()?;
    let mut figures = Vec::new();
    for (budget, target) in [(0.01, 8.0), (1.0, 96.0), (100.0, 600.0)] {
        folder.ask("SINGLE", &position, budget)?;
        let run = program::run(&homework, &[], folder.path())?;
        let Some(mib) = program::peak_child_mib()? else { break };
        let name = format!("memory at {budget} s");
        let measured = format!("{mib:.1} MiB ({:.2} s used)", run.cpu.as_secs_f64());
        figures.push(Figure::new(name, measured).against(format!("at most {target} MB"), mib * 1.048_576 <= target));
    }
    Ok(figures)
}
