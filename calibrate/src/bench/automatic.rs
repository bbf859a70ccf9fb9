//! Time that `loa` takes to play a game against itself after the end of its input.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;
use kingline_players::figures::Figure;

use crate::program;
use crate::progress::Progress;

/// Number of games for each edition.
const GAMES: usize = 20;

/// Edition of the course, with the commands that make both sides automatic.
struct Edition {
    name: &'static str,
    commands: &'static str,
    /// Largest wall time of a game.
    limit: Duration,
}

const EDITIONS: [Edition; 2] = [
    Edition { name: "2020", commands: "auto black\n", limit: Duration::from_secs(3) },
    Edition { name: "2015", commands: "auto black\nstart\n", limit: Duration::from_secs(5) },
];

/// Largest CPU time of a game after `seed`.
const SEEDED: Duration = Duration::from_millis(1_500);

/// Plays games at the default time, measured by wall time, and after `seed`, measured by CPU time.
pub(super) fn games() -> Result<Vec<Figure>> {
    let loa = program::sibling("loa")?;
    let mut progress = Progress::new("automatic", 2 * EDITIONS.len() * GAMES);
    let mut figures = Vec::new();
    for Edition { name, commands, limit } in EDITIONS {
        let (mut ended, mut longest, mut costliest) = ([0; 2], Duration::ZERO, Duration::ZERO);
        for number in 1..=GAMES {
            let start = Instant::now();
            ended[0] += usize::from(is_over(&play(&loa, name, commands)?.stdout));
            longest = longest.max(start.elapsed());
            let seeded = play(&loa, name, &format!("seed {number}\n{commands}"))?;
            ended[1] += usize::from(is_over(&seeded.stdout));
            costliest = costliest.max(seeded.cpu);
            (0..2).for_each(|_| progress.step(""));
        }
        let games = format!("{GAMES} games of `loa`, edition {name}, both sides automatic, nobody watching");
        let measured = format!("{} ended, the longest took {:.1} s of wall time", ended[0], longest.as_secs_f64());
        let target = format!("all, at most {} s", limit.as_secs());
        figures.push(Figure::new(games.as_str(), measured).against(target, ended[0] == GAMES && longest <= limit));
        let measured = format!("{} ended, the longest took {:.2} s of CPU time", ended[1], costliest.as_secs_f64());
        let met = ended[1] == GAMES && costliest <= SEEDED;
        figures.push(Figure::new(format!("{games}, after `seed`"), measured).against("all, at most 1.5 s", met));
    }
    Ok(figures)
}

fn play(loa: &Path, edition: &str, commands: &str) -> Result<program::MeasuredRun> {
    program::run_with_input(loa, &["--dialect", edition], Path::new("."), commands)
}

fn is_over(output: &str) -> bool {
    output.contains(" wins.") || output.contains("Tie game.")
}
