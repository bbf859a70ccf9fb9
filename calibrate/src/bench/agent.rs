//! `homework` through files: its time and memory, and complete games.

use std::path::Path;

use anyhow::Result;
use kingline::checkers::Position;
use kingline::game::random_opening;
use kingline_players::figures::Figure;
use kingline_players::progress::Progress;
use kingline_players::terminal::in_thousands;
use kingline_players::threads::Threads;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::matches::checkers::CheckersPlayer;
use crate::matches::{Match, Player, Tally};
use crate::openings;
use crate::program::{self, AgentDir, Spread};

/// Plays random positions at small budgets. No answer may be late or illegal.
pub(super) fn budgets() -> Result<Vec<Figure>> {
    [(10_000, 0.01), (1_000, 0.1), (100, 1.0)].into_iter().map(|(count, budget)| at_budget(count, budget)).collect()
}

fn at_budget(count: usize, budget: f64) -> Result<Figure> {
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
    let position: Position = super::speed::CHECKERS[2].parse()?;
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

/// Measures a turn with one legal move from outside the process, beside a program that does nothing.
pub(super) fn startup() -> Result<Figure> {
    const REPEATS: usize = 101;
    const MOST: f64 = 0.25;
    let folder = AgentDir::new("startup")?;
    let homework = program::sibling("homework")?;
    let one_move: Position = "B:W18,20:B15".parse()?;
    folder.ask("SINGLE", &one_move, 100.0)?;
    let (mut times, mut above) = (Vec::new(), Vec::new());
    for _ in 0..REPEATS {
        let nothing = program::run(Path::new("true"), &[], folder.path())?.cpu;
        let turn = program::run(&homework, &[], folder.path())?.cpu;
        times.push(turn);
        above.push(turn.saturating_sub(nothing));
    }
    let [median, above] = [times, above].map(|times| Spread::of(times).percent(50).as_secs_f64() * 1000.0);
    let measured = format!("{median:.2} ms CPU, {above:.2} more than `true`, medians of {REPEATS} pairs");
    let target = format!("at most {MOST} ms more than `true`");
    Ok(Figure::new("exec to exit with one legal move, warm cache", measured).against(target, above <= MOST))
}

/// Plays complete games against the reference, by the course's rule that a draw counts for the side with more time (§3).
pub(super) fn against_reference() -> Result<Vec<Figure>> {
    /// Budgets of the games, in seconds.
    const BUDGETS: [f64; 5] = [300.0, 100.0, 30.0, 5.0, 1.0];
    /// Openings at each budget; each is played with both colors.
    const OPENINGS: usize = 4;
    let [homework, reference] = [program::sibling("homework")?, program::sibling("reference")?];
    let positions = openings::openings(openings::BALLOTS, BUDGETS.len() * OPENINGS, 40);
    let mut tallies = Vec::new();
    for (place, (openings, budget)) in positions.chunks(OPENINGS).zip(BUDGETS).enumerate() {
        let the_match =
            Match { openings, threads: Threads { count: 1 }, title: &format!("{budget} s"), sprt: None, record: None };
        let player = || CheckersPlayer::with_clock(budget, None);
        let ours = player().with_program(&homework, Vec::new());
        tallies.push(the_match.play(|color, opening, game| {
            let seed = place * OPENINGS + game as usize / 2;
            let theirs = player().with_program(&reference, vec!["--seed".to_owned(), seed.to_string()]);
            CheckersPlayer::play([&ours, &theirs], color, opening, game)
        })?);
    }
    let count = |of: fn(&Tally) -> usize| tallies.iter().map(of).sum::<usize>();
    let [games, won, on_time] = [count(Tally::games), count(|it| it.wins), count(|it| it.draws_on_time)];
    let most_at_300 = tallies[0].most[0];
    let measured = format!("{won} of {games} on the board, {on_time} on time");
    let target = "all won, at least 95 % on the board";
    let met = won + on_time == games && won * 100 >= games * 95;
    let time = format!("{most_at_300:.2} s");
    Ok(vec![
        Figure::new(format!("{games} games against `reference` by files, at 300, 100, 30, 5 and 1 s"), measured)
            .against(target, met),
        Figure::new("most CPU time of a game among them at 300 s", time).against("at most 3 s", most_at_300 <= 3.0),
    ])
}

/// Plays 100 games at 60 s between the default frugality and frugality 0.
pub(super) fn frugality() -> Result<Vec<Figure>> {
    let frugal = CheckersPlayer::with_clock(60.0, None);
    let spender = CheckersPlayer::with_clock(60.0, Some(0.0));
    let openings = openings::openings(openings::BALLOTS, 50, 60);
    let threads = Threads { count: 2 };
    let the_match = Match { openings: &openings, threads, title: "frugality", sprt: None, record: None };
    let tally =
        the_match.play(|color, opening, game| CheckersPlayer::play([&frugal, &spender], color, opening, game))?;
    let measured = format!(
        "{:.0} % of {} games (+{} ={} -{}, {} draws with more time; {:.2} s a game against {:.1} s)",
        100.0 * tally.course_share(),
        tally.games(),
        tally.wins,
        tally.draws,
        tally.losses,
        tally.draws_on_time,
        tally.used[0] / tally.games().max(1) as f64,
        tally.used[1] / tally.games().max(1) as f64,
    );
    Ok(vec![
        Figure::new("default frugality against frugality 0 at 60 s, course score", measured)
            .against("at least 60 %", tally.course_share() >= 0.6),
        Figure::new("won positions not won in those games", tally.missed_wins.to_string())
            .against("none", tally.missed_wins == 0),
    ])
}
