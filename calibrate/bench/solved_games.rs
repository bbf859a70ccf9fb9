//! Complete games of `loa6`, with a new process for each move: how many of the winnable games it wins, and its response
//! times.

use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use kingline::figures::Figure;
use kingline::game::{Canonical, Ending, Game, History};
use kingline::knowledge::solved::{Strategy, embedded};
use kingline::loa::{Move, Position};
use kingline::play::LoaPlayer;
use kingline::protocol::request::{Request, as_x, read_answer};
use kingline::search::Limits;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::program;
use crate::progress::Progress;
use kingline::terminal::in_thousands;

/// Time per move of a thinking opponent.
const OPPONENT_TIME: Duration = Duration::from_millis(50);
/// Number of random first replies by a thinking opponent, so that games differ.
const RANDOM_REPLIES: usize = 3;
/// The same where the result of the game is open, and each random reply helps `loa6`.
const RANDOM_REPLIES_OF_EQUALS: usize = 1;
/// Time per move of `loa6` against an equal opponent, as an argument.
const EQUAL_TIME: &str = "--time=0.05";
/// Number of games against an equal opponent.
const OPEN_GAMES: usize = 1000;
/// Nodes per move of the opponent that follows the strategy, in positions beyond the strategy.
const LATE_NODES: u64 = 20_000;
/// Table size of a thinking opponent, in bytes.
const OPPONENT_TABLE: usize = 16 << 20;
const MOST: Duration = Duration::from_millis(150);
const MEDIAN: Duration = Duration::from_millis(10);
/// Largest number of plies in a game. Longer games are stopped and count as not won; games by the strategy are much
/// shorter.
const LONGEST: usize = 200;

/// Opponents of `loa6`.
#[derive(Clone, Copy, Debug)]
enum Opponent {
    Random,
    Search,
    /// The same with fewer random replies.
    Equal,
    Loa6,
    /// Chooses the reply after which the strategy needs the most plies.
    LongestLine,
}

impl Opponent {
    fn name(self) -> &'static str {
        match self {
            Opponent::Random => "random replies",
            Opponent::Search => "a search of 0.05 s, its first three replies random",
            Opponent::Equal => "a search of 0.05 s, its first reply random",
            Opponent::Loa6 => "`loa6 --time 0.05`, its first three replies random",
            Opponent::LongestLine => "the replies that the strategy takes longest for",
        }
    }
}

/// Opponents of the first player, each with its number of games.
const OF_FIRST_PLAYER: [(Opponent, usize); 4] =
    [(Opponent::Random, 1000), (Opponent::Search, 1000), (Opponent::Loa6, 500), (Opponent::LongestLine, 500)];
/// Opponents of the second player.
const OF_SECOND_PLAYER: [(Opponent, usize); 4] =
    [(Opponent::Random, 200), (Opponent::Search, 200), (Opponent::Loa6, 50), (Opponent::LongestLine, 50)];

/// Plays 3,000 games as the first player.
///
/// # Errors
/// Fails if `loa6` cannot be run or a move is not legal.
pub(super) fn as_first_player() -> Result<Vec<Figure>> {
    every_game_is_won("first player", &OF_FIRST_PLAYER, &[History::new(Position::start())])
}

/// Plays 500 games as the second player, after each of the first moves that lose according to the strategy.
///
/// # Errors
/// Fails if `loa6` cannot be run, a move is not legal, or the strategy knows no losing first move.
pub(super) fn as_second_player() -> Result<Vec<Figure>> {
    let [losing, _] = first_moves(strategy()?);
    ensure!(!losing.is_empty(), "the embedded strategy knows no losing first move");
    every_game_is_won("second player", &OF_SECOND_PLAYER, &losing)
}

/// Plays 1,000 games as the second player after the other first moves, at equal time.
///
/// # Errors
/// Fails if `loa6` cannot be run, a move is not legal, or the strategy knows all first moves.
pub(super) fn after_open_first_moves() -> Result<Figure> {
    let (loa6, strategy) = (program::sibling("loa6")?, strategy()?);
    let [_, open] = first_moves(strategy);
    ensure!(!open.is_empty(), "the embedded strategy knows all first moves");
    let opponent = Opponent::Equal;
    let mut progress = Progress::new(opponent.name(), OPEN_GAMES);
    let mut won = 0;
    for number in 0..OPEN_GAMES {
        let mut rng = StdRng::seed_from_u64(number as u64);
        let start = &open[number % open.len()];
        let pairing = Pairing { loa6: &loa6, arguments: &[EQUAL_TIME], opponent, strategy, start };
        won += usize::from(pairing.play(&mut rng, &mut Vec::new())?.0);
        progress.step(&format!("{won} won"));
    }
    let games = in_thousands(OPEN_GAMES as u64);
    let name = format!(
        "{games} games of `loa6 {EQUAL_TIME}` after first moves without a known result, against {}",
        opponent.name()
    );
    Ok(Figure::new(name, format!("{won} won")))
}

/// Returns the games after each first move: those that lose according to the strategy, and those it does not decide.
fn first_moves(strategy: &Strategy<'_, Position<6>>) -> [Vec<History<Position<6>>>; 2] {
    let start = Position::start();
    let after = start.legal_moves().into_iter().map(|mv| {
        let mut history = History::new(start);
        history.play(mv);
        history
    });
    let (losing, mut open): (Vec<_>, Vec<_>) =
        after.partition(|history| strategy.winning_move(&history.position()).is_some());
    open.retain(|history| strategy.plies(history.position().form()).is_none());
    [losing, open]
}

fn strategy() -> Result<&'static Strategy<'static, Position<6>>> {
    embedded().context("this program was built without the feature `tables`")
}

/// Plays games of `loa6` from these starts in turn, with `loa6` to move.
fn every_game_is_won(
    name: &str,
    opponents: &[(Opponent, usize)],
    starts: &[History<Position<6>>],
) -> Result<Vec<Figure>> {
    let (loa6, strategy) = (program::sibling("loa6")?, strategy()?);
    let mut distinct = HashSet::new();
    let mut times = Vec::new();
    let mut figures = Vec::new();
    for &(opponent, count) in opponents {
        let mut progress = Progress::new(opponent.name(), count);
        let mut won = 0;
        for number in 0..count {
            let mut rng = StdRng::seed_from_u64(number as u64);
            let game =
                Pairing { loa6: &loa6, arguments: &[], opponent, strategy, start: &starts[number % starts.len()] };
            let (is_won, moves) = game.play(&mut rng, &mut times)?;
            won += usize::from(is_won);
            distinct.insert((number % starts.len(), moves));
            progress.step(&format!("{won} won"));
        }
        let what = format!("{} games of `loa6` as {name} against {}", in_thousands(count as u64), opponent.name());
        let measured = format!("{} won", in_thousands(won as u64));
        figures.push(Figure::new(what, measured).against("all won", won == count));
    }
    let (games, different) = (opponents.iter().map(|(_, count)| count).sum::<usize>(), distinct.len());
    figures.push(Figure::new(
        format!("different ones among the {} games of `loa6` as {name}", in_thousands(games as u64)),
        in_thousands(different as u64),
    ));
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

/// Players and start of a game.
struct Pairing<'a> {
    loa6: &'a Path,
    arguments: &'a [&'a str],
    opponent: Opponent,
    strategy: &'a Strategy<'a, Position<6>>,
    start: &'a History<Position<6>>,
}

impl Pairing<'_> {
    /// Plays a game. Returns whether `loa6` wins, and the moves. Adds the CPU time of each move of `loa6`, from the
    /// start of the process to its end.
    fn play(&self, rng: &mut StdRng, times: &mut Vec<Duration>) -> Result<(bool, Vec<Move>)> {
        let mut history = self.start.clone();
        let us = history.position().turn();
        let mut moves = Vec::new();
        let mut player = LoaPlayer::new(rng.random_range(1..u64::MAX), OPPONENT_TABLE);
        while history.ending().is_none() && moves.len() < LONGEST {
            let mv = if history.position().turn() == us {
                let (mv, took) = ask(self.loa6, self.arguments, &history, moves.len())?;
                times.push(took);
                mv
            } else {
                self.reply(&history, moves.len(), &mut player, rng)?
            };
            history.play(mv);
            moves.push(mv);
        }
        Ok((history.ending() == Some(Ending::Win(us)), moves))
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
            Opponent::Search | Opponent::Loa6 if plies / 2 < RANDOM_REPLIES => random,
            Opponent::Equal if plies / 2 < RANDOM_REPLIES_OF_EQUALS => random,
            Opponent::Search | Opponent::Equal => {
                player.choose(history, Limits::time(OPPONENT_TIME)).context("no legal move")?.best
            }
            Opponent::Loa6 => ask(self.loa6, &[EQUAL_TIME], history, plies)?.0,
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

/// Returns the move of `loa6`, and its CPU time from start to exit.
fn ask(loa6: &Path, arguments: &[&str], history: &History<Position<6>>, plies: usize) -> Result<(Move, Duration)> {
    let position = as_x(&history.position());
    let request = Request::Move { turn: plies as u32 + 1, position };
    let ran = program::run_with_input(loa6, arguments, Path::new("."), &request.to_string())?;
    let mv = read_answer(&ran.stdout, &position).map_err(|error| anyhow!("{position}: {error}"))?;
    Ok((mv, ran.cpu))
}
