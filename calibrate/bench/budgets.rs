//! Budgets of time and memory, kept or not, as seen from outside.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use kingline::checkers::{Diagram, Position};
use kingline::files::read_text;
use kingline::game::{Color, Game, random_opening};
use kingline::protocol::turn_files::{INPUT, OUTPUT, PLAYDATA, read_answer};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::Figure;
use crate::child;
use crate::progress::Progress;

/// A working directory of an agent, gone when dropped.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Result<Folder> {
        let path = std::env::temp_dir().join(format!("kingline-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).with_context(|| format!("cannot make {}", path.display()))?;
        Ok(Folder(path))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Writes input.txt, and deletes a stale output.txt.
    pub(crate) fn ask(&self, mode: &str, position: &Position, left: f64) -> Result<()> {
        let side = if position.turn() == Color::Black { "BLACK" } else { "WHITE" };
        let _ = fs::remove_file(self.0.join(OUTPUT));
        fs::write(self.0.join(INPUT), format!("{mode}\n{side}\n{left}\n{}", Diagram(position)))
            .with_context(|| format!("cannot write {}", self.0.join(INPUT).display()))
    }

    /// Reads output.txt as the master would: a legal turn, or what is wrong.
    pub(crate) fn answer(&self, position: &Position) -> Result<<Position as Game>::Move> {
        let text = read_text(&self.0.join(OUTPUT)).context("no answer")?;
        Ok(read_answer(&text, position)?)
    }

    pub(crate) fn forget_game(&self) {
        let _ = fs::remove_file(self.0.join(PLAYDATA));
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Random positions at small budgets: none may be late, none illegal.
pub(super) fn keeping() -> Result<Vec<Figure>> {
    [(10_000, 0.01), (1_000, 0.1), (100, 1.0)].into_iter().map(|(count, budget)| keeping_one(count, budget)).collect()
}

fn keeping_one(count: usize, budget: f64) -> Result<Figure> {
    let folder = Folder::new("budget")?;
    let homework = child::program("homework")?;
    let mut rng = StdRng::seed_from_u64(11);
    let mut progress = Progress::new(&format!("{budget} s"), count);
    let (mut late, mut wrong, mut most) = (0, 0, 0.0f64);
    for number in 0..count {
        let position = random_position(&mut rng);
        folder.forget_game();
        folder.ask(if number % 2 == 0 { "SINGLE" } else { "GAME" }, &position, budget)?;
        let cost = child::run(&homework, &[], folder.path())?;
        let cpu = cost.cpu.as_secs_f64();
        most = most.max(cpu);
        late += usize::from(cpu >= budget);
        wrong += usize::from(!cost.status.success() || folder.answer(&position).is_err());
        progress.step(&format!("{late} late, {wrong} wrong"));
    }
    let name = format!("{count} random positions at {budget} s");
    let measured = format!("{late} over budget, {wrong} illegal; the longest {:.2} ms", most * 1000.0);
    Ok(Figure::new(&name, measured, "0 over budget, 0 illegal", late + wrong == 0))
}

/// A position after at most 119 random turns from the start; the game goes on.
fn random_position(rng: &mut StdRng) -> Position {
    loop {
        let plies = rng.random_range(0..120);
        if let Some(opening) = random_opening::<Position>(plies, |moves| rng.random_range(0..moves)) {
            return opening.history.position();
        }
    }
}

/// The most memory of a turn, from the smallest budget to the largest.
pub(super) fn memory() -> Result<Vec<Figure>> {
    let folder = Folder::new("memory")?;
    let homework = child::program("homework")?;
    let position: Position = super::POSITIONS[2].parse()?;
    let mut figures = Vec::new();
    for (budget, target) in [(0.01, 8.0), (1.0, 96.0), (100.0, 600.0)] {
        folder.ask("SINGLE", &position, budget)?;
        let cost = child::run(&homework, &[], folder.path())?;
        let Some(mib) = child::largest_child()? else { break };
        let name = format!("memory at {budget} s");
        let measured = format!("{mib:.1} MiB ({:.2} s used)", cost.cpu.as_secs_f64());
        figures.push(Figure::new(&name, measured, &format!("at most {target} MB"), mib * 1.048_576 <= target));
    }
    Ok(figures)
}
