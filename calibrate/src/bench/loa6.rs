//! Complete games of `loa6`, with a new process for each move: how many of the winnable games it wins, how many of the
//! others it loses, and its response times.

use std::collections::HashSet;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use kingline::game::{Ending, Game, History};
use kingline::knowledge::solved::{Strategy, embedded};
use kingline::loa::{Move, Position};
use kingline::search::Limits;
use kingline_players::figures::Figure;
use kingline_players::play::LoaPlayer;
use kingline_players::progress::Progress;
use kingline_players::protocol::request::{Request, as_x, read_answer};
use kingline_players::terminal::in_thousands;
use kingline_players::threads::Threads;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::program::{self, MeasuredRun, Spread};

type Start = History<Position<6>>;

/// Busy processes for each core.
const BUSY: usize = 20;
/// Time for a search beside busy processes, which the first player should not need.
const BUSY_TIME: &str = "--time=0.1";
/// The driver's limit for an answer (§2).
const LIMIT: Duration = Duration::from_secs(3);
/// Time per move of `loa6` as an opponent, as an argument.
const SHORT_TIME: &str = "--time=0.05";
/// Time per move of a thinking opponent.
const OPPONENT_TIME: Duration = Duration::from_millis(50);
/// Number of random first replies by a thinking opponent, so that games differ.
const RANDOM_REPLIES: usize = 3;
/// Nodes per move of the opponent that follows the strategy, in positions beyond the strategy.
const LATE_NODES: u64 = 20_000;
/// Table size of a thinking opponent, in bytes.
const OPPONENT_TABLE: usize = 16 << 20;
/// Largest number of plies in a game. Longer games are stopped and count as endless; wins by the strategy are much
/// shorter.
const LONGEST: usize = 200;

/// Games with the same players and target.
struct Series<'a> {
    /// Name of the player: `loa6` with its arguments and its role.
    name: String,
    arguments: &'a [&'a str],
    /// Opponents, each with its number of games.
    opponents: &'a [(Opponent, usize)],
    /// Starts of the games in turn, with `loa6` to move.
    starts: &'a [Start],
    /// Each game should end at least this well.
    least: Ended,
    /// Games at the same time. The CPU time of a move is measured only if it is one.
    threads: Threads,
}

/// Plays 3,000 games as the first player.
///
/// # Errors
/// Fails if `loa6` cannot be run or a move is not legal.
pub(super) fn as_first_player() -> Result<Vec<Figure>> {
    let opponents =
        [(Opponent::Random, 1000), (Opponent::Search, 1000), (Opponent::Loa6, 500), (Opponent::LongestLine, 500)];
    one_by_one("first player", &opponents, &[History::new(Position::start())], Ended::Won)
}

/// Plays 500 games as the second player, after each of the first moves that lose according to the strategy, and 300
/// after each of those with which neither player wins. Many of the latter take as long as they may.
///
/// # Errors
/// Fails if `loa6` cannot be run, a move is not legal, or the strategy knows no losing first move.
pub(super) fn as_second_player() -> Result<Vec<Figure>> {
    let (strategy, start) = (strategy()?, Position::start());
    let after = start.legal_moves().into_iter().map(|mv| {
        let mut history = History::new(start);
        history.play(mv);
        history
    });
    let (losing, mut endless): (Vec<Start>, Vec<Start>) =
        after.partition(|history| strategy.winning_move(&history.position()).is_some());
    endless.retain(|history| strategy.holding_move(&history.position()).is_some());
    ensure!(!losing.is_empty(), "the embedded strategy knows no losing first move");
    let opponents =
        [(Opponent::Random, 200), (Opponent::Search, 200), (Opponent::Loa6, 50), (Opponent::LongestLine, 50)];
    let mut figures = one_by_one("second player", &opponents, &losing, Ended::Won)?;
    if !endless.is_empty() {
        let name = "second player after first moves with which neither player wins";
        let opponents = [(Opponent::Random, 200), (Opponent::Search, 50), (Opponent::Loa6, 50)];
        figures.extend(one_by_one(name, &opponents, &endless, Ended::Neither)?);
    }
    Ok(figures)
}

/// Plays 1,000 games as the first player, one at a time for each core, while each core has [`BUSY`] busy processes.
///
/// # Errors
/// Fails if a process cannot be run, or a move is not legal.
pub(super) fn beside_busy_processes() -> Result<Vec<Figure>> {
    let threads = Threads::new(None);
    let _load = Load::new(BUSY * threads.count)?;
    let beside = format!("beside {BUSY} busy processes for each core");
    let series = Series {
        name: format!("`loa6 {BUSY_TIME}` as first player {beside},"),
        arguments: &[BUSY_TIME],
        opponents: &[(Opponent::Random, 400), (Opponent::Greedy, 300), (Opponent::Loa6, 300)],
        starts: &[History::new(Position::start())],
        least: Ended::Won,
        threads,
    };
    let Played { mut figures, runs, .. } = series.play()?;
    let longest = runs.iter().map(|run| run.wall).max().unwrap_or_default();
    let name = format!("the longest answer of `loa6 {BUSY_TIME}` {beside}");
    let measured = format!("{:.2} s", longest.as_secs_f64());
    figures.push(Figure::new(name, measured).against("3 s of wall time", longest < LIMIT));
    Ok(figures)
}

/// Plays games one after another. Also measures how many of them differ, and the CPU time of a move.
fn one_by_one(name: &str, opponents: &[(Opponent, usize)], starts: &[Start], least: Ended) -> Result<Vec<Figure>> {
    let (name, threads) = (format!("`loa6` as {name}"), Threads { count: 1 });
    let Played { mut figures, runs, different } =
        Series { name: name.clone(), arguments: &[], opponents, starts, least, threads }.play()?;
    let games = in_thousands(opponents.iter().map(|&(_, count)| count as u64).sum());
    figures.push(Figure::new(format!("different ones among the {games} games of {name}"), in_thousands(different)));
    let moves = in_thousands(runs.len() as u64);
    let spread = Spread::of(runs.into_iter().map(|run| run.cpu).collect());
    let [median, most] = [50, 100].map(|percent| spread.percent(percent).as_secs_f64() * 1e3);
    let measured = format!("median {median:.1} ms CPU, at most {most:.0}, of {moves} moves");
    figures.push(
        Figure::new(format!("a move of {name}, exec to exit"), measured)
            .against("median at most 10 ms, none above 150", median <= 10.0 && most <= 150.0),
    );
    Ok(figures)
}

struct Played {
    /// Results against each opponent.
    figures: Vec<Figure>,
    /// Runs of `loa6`, one for each of its moves.
    runs: Vec<MeasuredRun>,
    /// Number of games that differ.
    different: u64,
}

impl Series<'_> {
    fn play(&self) -> Result<Played> {
        let &Series { ref name, arguments, opponents, starts, least, threads } = self;
        let (loa6, strategy) = (program::sibling("loa6")?, strategy()?);
        let (mut figures, mut all, mut distinct) = (Vec::new(), Vec::new(), HashSet::new());
        for &(opponent, count) in opponents {
            let shown = Mutex::new((Progress::new(opponent.name(), count), Vec::new()));
            let numbers: Vec<usize> = (0..count).collect();
            let games = threads.map(&numbers, |&number| {
                let (mut rng, mut runs) = (StdRng::seed_from_u64(number as u64), Vec::new());
                let start = &starts[number % starts.len()];
                let game = Pairing { loa6: &loa6, arguments, opponent, strategy, start };
                let (ended, moves) = game.play(&mut rng, &mut runs)?;
                let mut shown = shown.lock().unwrap_or_else(PoisonError::into_inner);
                let (progress, ends) = &mut *shown;
                ends.push(ended);
                progress.step(&self.in_words(ends));
                Ok(((number % starts.len(), moves), runs))
            })?;
            let (_, ends) = shown.into_inner().unwrap_or_else(PoisonError::into_inner);
            for (game, runs) in games {
                distinct.insert(game);
                all.extend(runs);
            }
            let figure = format!("{} games of {name} against {}", in_thousands(count as u64), opponent.name());
            let target = if least == Ended::Won { "all won" } else { "none lost" };
            let is_met = ends.iter().all(|&ended| ended >= least);
            figures.push(Figure::new(figure, self.in_words(&ends)).against(target, is_met));
        }
        Ok(Played { figures, runs: all, different: distinct.len() as u64 })
    }

    /// Returns the number of games won, and of the others where the machine is busy or not all can be won.
    fn in_words(&self, ends: &[Ended]) -> String {
        let count = |wanted| in_thousands(ends.iter().filter(|&&ended| ended == wanted).count() as u64);
        let won = format!("{} won", count(Ended::Won));
        if self.least == Ended::Won && self.arguments.is_empty() {
            return won;
        }
        format!("{won}, {} endless, {} lost", count(Ended::Neither), count(Ended::Lost))
    }
}

fn strategy() -> Result<&'static Strategy<'static, Position<6>>> {
    embedded().context("this program was built without the feature `tables`")
}

/// Busy processes. They are killed when dropped, and end by themselves when this process does.
struct Load(Vec<Child>);

impl Load {
    fn new(count: usize) -> Result<Load> {
        let mut load = Load(Vec::new());
        for _ in 0..count {
            let busy = "exec 2>&-; while kill -0 $PPID; do :; done";
            let child = Command::new("sh").args(["-c", busy]).stdin(Stdio::null()).spawn();
            load.0.push(child.context("cannot start a busy process")?);
        }
        Ok(load)
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Opponent {
    Random,
    Greedy,
    Search,
    Loa6,
    /// Chooses the reply after which the strategy needs the most plies.
    LongestLine,
}

impl Opponent {
    /// Describes the opponent after "against".
    fn name(self) -> &'static str {
        match self {
            Opponent::Random => "random replies",
            Opponent::Greedy => "a search of one ply, its first three replies random",
            Opponent::Search => "a search of 0.05 s, its first three replies random",
            Opponent::Loa6 => "`loa6 --time 0.05`, its first three replies random",
            Opponent::LongestLine => "the replies that the strategy takes longest for",
        }
    }
}

/// Result of a game for `loa6`, from the worst to the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Ended {
    Lost,
    /// It is drawn, or too long.
    Neither,
    Won,
}

struct Pairing<'a> {
    loa6: &'a Path,
    arguments: &'a [&'a str],
    opponent: Opponent,
    strategy: &'a Strategy<'a, Position<6>>,
    start: &'a History<Position<6>>,
}

impl Pairing<'_> {
    /// Plays a game. Returns its result, and the moves. Adds the run of `loa6` for each of its moves.
    ///
    /// # Errors
    /// Fails if `loa6` cannot be run or a move is not legal.
    fn play(&self, rng: &mut StdRng, runs: &mut Vec<MeasuredRun>) -> Result<(Ended, Vec<Move>)> {
        let mut history = self.start.clone();
        let us = history.position().turn();
        let mut moves = Vec::new();
        let mut player = LoaPlayer::new(rng.random_range(1..u64::MAX), OPPONENT_TABLE);
        while history.ending().is_none() && moves.len() < LONGEST {
            let mv = if history.position().turn() == us {
                let (mv, ran) = ask(self.loa6, self.arguments, &history, moves.len())?;
                runs.push(ran);
                mv
            } else {
                self.reply(&history, moves.len(), &mut player, rng)?
            };
            history.play(mv);
            moves.push(mv);
        }
        let ended = match history.ending() {
            Some(Ending::Win(winner)) if winner == us => Ended::Won,
            Some(Ending::Win(_)) => Ended::Lost,
            _ => Ended::Neither,
        };
        Ok((ended, moves))
    }

    fn reply(
        &self,
        history: &History<Position<6>>,
        plies: usize,
        player: &mut LoaPlayer<6>,
        rng: &mut StdRng,
    ) -> Result<Move> {
        let list = history.position().legal_moves();
        let random = list[rng.random_range(0..list.len())];
        Ok(match self.opponent {
            Opponent::Random => random,
            Opponent::Greedy | Opponent::Search | Opponent::Loa6 if plies / 2 < RANDOM_REPLIES => random,
            Opponent::Greedy => player.choose(history, Limits::depth(1)).context("no legal move")?.best,
            Opponent::Search => player.choose(history, Limits::time(OPPONENT_TIME)).context("no legal move")?.best,
            Opponent::Loa6 => ask(self.loa6, &[SHORT_TIME], history, plies)?.0,
            Opponent::LongestLine => longest(self.strategy, history, player, rng)?,
        })
    }
}

/// Returns a random reply among those after which the strategy takes longest. Beyond the strategy, a search chooses the
/// reply.
fn longest(
    strategy: &Strategy<'_, Position<6>>,
    history: &History<Position<6>>,
    player: &mut LoaPlayer<6>,
    rng: &mut StdRng,
) -> Result<Move> {
    let position = history.position();
    let plies = |mv: &Move| {
        let after = position.play(*mv);
        if after.outcome().is_some() { None } else { strategy.winning_move(&after).map(|(_, plies)| plies) }
    };
    let known: Vec<(Option<u16>, Move)> = position.legal_moves().iter().map(|mv| (plies(mv), *mv)).collect();
    let most = known.iter().filter_map(|&(plies, _)| plies).max();
    if most.is_none_or(|most| most < strategy.fewest_plies().into()) {
        return Ok(player.choose(history, Limits::nodes(LATE_NODES)).context("no legal move")?.best);
    }
    // Also allows replies that take two plies less, so that games differ.
    let near = |&&(plies, _): &&(Option<u16>, Move)| plies.zip(most).is_some_and(|(plies, most)| plies + 2 >= most);
    let best: Vec<&(Option<u16>, Move)> = known.iter().filter(near).collect();
    Ok(best[rng.random_range(0..best.len())].1)
}

fn ask(loa6: &Path, arguments: &[&str], history: &History<Position<6>>, plies: usize) -> Result<(Move, MeasuredRun)> {
    let position = as_x(&history.position());
    let request = Request::Move { turn: plies as u32 + 1, position };
    let ran = program::run_with_input(loa6, arguments, Path::new("."), &request.to_string())?;
    let mv = read_answer(&ran.stdout, &position).map_err(|error| anyhow!("{position}: {error}"))?;
    Ok((mv, ran))
}
