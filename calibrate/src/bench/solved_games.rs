//! Complete games of `loa6`, with a new process for each move: how many of the winnable games it wins, how many of the
//! others it loses, and its response times.

mod load;
mod pairing;

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use kingline::game::{Game, History};
use kingline::knowledge::solved::{Strategy, embedded};
use kingline::loa::Position;
use kingline_players::figures::Figure;
use kingline_players::terminal::in_thousands;
use rand::SeedableRng;
use rand::rngs::StdRng;

use crate::program;
use crate::progress::Progress;
use crate::threads::Threads;
use load::Load;
use pairing::{Ended, Opponent, Pairing};

/// Most and median CPU time of a move.
const MOST: Duration = Duration::from_millis(150);
const MEDIAN: Duration = Duration::from_millis(10);
/// Opponents of the first player, each with its number of games.
const OF_FIRST_PLAYER: [(Opponent, usize); 4] =
    [(Opponent::Random, 1000), (Opponent::Search, 1000), (Opponent::Loa6, 500), (Opponent::LongestLine, 500)];
/// Opponents of the second player.
const OF_SECOND_PLAYER: [(Opponent, usize); 4] =
    [(Opponent::Random, 200), (Opponent::Search, 200), (Opponent::Loa6, 50), (Opponent::LongestLine, 50)];
/// The same after first moves with which neither player wins. Many of these games take as long as they may.
const OF_EQUAL_PLAYER: [(Opponent, usize); 3] = [(Opponent::Random, 200), (Opponent::Search, 50), (Opponent::Loa6, 50)];

/// The same beside busy processes, with [`BUSY_TIME`] for a search that the first player should not need.
const BESIDE_BUSY: [(Opponent, usize); 3] = [(Opponent::Random, 400), (Opponent::Greedy, 300), (Opponent::Loa6, 300)];
const BUSY_TIME: &str = "--time=0.1";
/// Busy processes for each core.
const BUSY: usize = 20;
/// The driver's limit for an answer (§2).
const LIMIT: Duration = Duration::from_secs(3);

/// Plays 1,000 games as the first player, one at a time for each core, while each core has [`BUSY`] busy processes.
///
/// # Errors
/// Fails if a process cannot be run, or a move is not legal.
pub(super) fn beside_busy_processes() -> Result<Vec<Figure>> {
    let (loa6, strategy) = (program::sibling("loa6")?, strategy()?);
    let cores = Threads::new(None);
    let _load = Load::new(BUSY * cores.count)?;
    let start = &History::new(Position::start());
    let mut figures = Vec::new();
    let mut longest = Duration::ZERO;
    for (opponent, count) in BESIDE_BUSY {
        let progress = Mutex::new((Progress::new(opponent.name(), count), Vec::new()));
        let numbers: Vec<u64> = (0..count as u64).collect();
        let most = cores.map(&numbers, |&number| {
            let game = Pairing { loa6: &loa6, arguments: &[BUSY_TIME], opponent, strategy, start };
            let mut runs = Vec::new();
            let (ended, _) = game.play(&mut StdRng::seed_from_u64(number), &mut runs)?;
            let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
            let (progress, ends) = &mut *progress;
            ends.push(ended);
            progress.step(&in_words(ends, Ended::Neither));
            Ok(runs.iter().map(|ran| ran.wall).max().unwrap_or_default())
        })?;
        longest = longest.max(most.into_iter().max().unwrap_or_default());
        let (_, ends) = progress.into_inner().unwrap_or_else(PoisonError::into_inner);
        let name = format!(
            "{count} games of `loa6 {BUSY_TIME}` as first player beside {BUSY} busy processes for each core, against {}",
            opponent.name()
        );
        let is_met = ends.iter().all(|&ended| ended == Ended::Won);
        figures.push(Figure::new(name, in_words(&ends, Ended::Neither)).against("all won", is_met));
    }
    let name = format!("the longest answer of `loa6 {BUSY_TIME}` beside {BUSY} busy processes for each core");
    let measured = format!("{:.2} s", longest.as_secs_f64());
    figures.push(Figure::new(name, measured).against("3 s of wall time", longest < LIMIT));
    Ok(figures)
}

/// Plays 3,000 games as the first player.
///
/// # Errors
/// Fails if `loa6` cannot be run or a move is not legal.
pub(super) fn as_first_player() -> Result<Vec<Figure>> {
    games("first player", &OF_FIRST_PLAYER, &[History::new(Position::start())], Ended::Won)
}

/// Plays 500 games as the second player, after each of the first moves that lose according to the strategy, and 300
/// after each of those with which neither player wins.
///
/// # Errors
/// Fails if `loa6` cannot be run, a move is not legal, or the strategy knows no losing first move.
pub(super) fn as_second_player() -> Result<Vec<Figure>> {
    let FirstMoves { losing, endless } = FirstMoves::of(strategy()?);
    ensure!(!losing.is_empty(), "the embedded strategy knows no losing first move");
    let mut figures = games("second player", &OF_SECOND_PLAYER, &losing, Ended::Won)?;
    if !endless.is_empty() {
        let name = "second player after first moves with which neither player wins";
        figures.extend(games(name, &OF_EQUAL_PLAYER, &endless, Ended::Neither)?);
    }
    Ok(figures)
}

/// Games after the first moves that do not win, by what the strategy knows for the second player.
struct FirstMoves {
    /// The second player wins.
    losing: Vec<History<Position<6>>>,
    /// The second player does not lose.
    endless: Vec<History<Position<6>>>,
}

impl FirstMoves {
    fn of(strategy: &Strategy<'_, Position<6>>) -> FirstMoves {
        let start = Position::start();
        let after = start.legal_moves().into_iter().map(|mv| {
            let mut history = History::new(start);
            history.play(mv);
            history
        });
        let (losing, others): (Vec<_>, Vec<_>) =
            after.partition(|history| strategy.winning_move(&history.position()).is_some());
        let holds = |history: &History<Position<6>>| strategy.holding_move(&history.position()).is_some();
        FirstMoves { losing, endless: others.into_iter().filter(holds).collect() }
    }
}

fn strategy() -> Result<&'static Strategy<'static, Position<6>>> {
    embedded().context("this program was built without the feature `tables`")
}

/// Plays games of `loa6` from these starts in turn, with `loa6` to move. Each should end at least this well.
fn games(
    name: &str,
    opponents: &[(Opponent, usize)],
    starts: &[History<Position<6>>],
    least: Ended,
) -> Result<Vec<Figure>> {
    let (loa6, strategy) = (program::sibling("loa6")?, strategy()?);
    let mut distinct = HashSet::new();
    let mut runs = Vec::new();
    let mut figures = Vec::new();
    for &(opponent, count) in opponents {
        let mut progress = Progress::new(opponent.name(), count);
        let mut ends = Vec::with_capacity(count);
        for number in 0..count {
            let mut rng = StdRng::seed_from_u64(number as u64);
            let game =
                Pairing { loa6: &loa6, arguments: &[], opponent, strategy, start: &starts[number % starts.len()] };
            let (ended, moves) = game.play(&mut rng, &mut runs)?;
            ends.push(ended);
            distinct.insert((number % starts.len(), moves));
            progress.step(&in_words(&ends, least));
        }
        let what = format!("{} games of `loa6` as {name} against {}", in_thousands(count as u64), opponent.name());
        let target = if least == Ended::Won { "all won" } else { "none lost" };
        let is_met = ends.iter().all(|&ended| ended >= least);
        figures.push(Figure::new(what, in_words(&ends, least)).against(target, is_met));
    }
    let (games, different) = (opponents.iter().map(|(_, count)| count).sum::<usize>(), distinct.len());
    figures.push(Figure::new(
        format!("different ones among the {} games of `loa6` as {name}", in_thousands(games as u64)),
        in_thousands(different as u64),
    ));
    let mut times: Vec<Duration> = runs.iter().map(|ran| ran.cpu).collect();
    times.sort();
    let median = times.get(times.len() / 2).copied().unwrap_or_default();
    let most = times.last().copied().unwrap_or_default();
    let in_ms = |time: Duration| time.as_secs_f64() * 1e3;
    let measured = format!(
        "median {:.1} ms CPU, at most {:.0}, of {} moves",
        in_ms(median),
        in_ms(most),
        in_thousands(times.len() as u64)
    );
    figures.push(
        Figure::new(format!("a move of `loa6` as {name}, exec to exit"), measured)
            .against("median at most 10 ms, none above 150", median <= MEDIAN && most <= MOST),
    );
    Ok(figures)
}

/// Returns the number of games won, and of the others where not all can be won.
fn in_words(ends: &[Ended], least: Ended) -> String {
    let count = |wanted| in_thousands(ends.iter().filter(|&&ended| ended == wanted).count() as u64);
    let won = format!("{} won", count(Ended::Won));
    match least {
        Ended::Won => won,
        _ => format!("{won}, {} endless, {} lost", count(Ended::Neither), count(Ended::Lost)),
    }
}
