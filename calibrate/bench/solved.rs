//! Does `loa6` win every game that it begins, and how soon does it answer? Whole games by requests, one process a move.

use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use kingline::game::{Color, Ending, Game, History};
use kingline::knowledge::solved::{Strategy, embedded};
use kingline::loa::{Move, Position};
use kingline::play::LoaPlayer;
use kingline::protocol::request::{Request, read_answer};
use kingline::search::Limits;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::Figure;
use crate::program;
use crate::progress::Progress;

/// Time of an opponent that thinks.
const OPPONENT_TIME: Duration = Duration::from_millis(50);
/// First replies of an opponent that thinks that are random, so that games differ.
const RANDOM_REPLIES: usize = 3;
/// Nodes of the opponent that follows the strategy, where the strategy ends.
const LATE_NODES: u64 = 20_000;
/// Memory of a thinking opponent, in bytes.
const OPPONENT_TABLE: usize = 16 << 20;
const MOST: Duration = Duration::from_millis(150);
const MEDIAN: Duration = Duration::from_millis(10);

/// Who replies.
#[derive(Clone, Copy, Debug)]
enum Opponent {
    Random,
    Search,
    Loa6,
    /// The reply after which the strategy needs the most plies.
    LongestLine,
}

/// Each with its number of games.
const OPPONENTS: [(Opponent, usize, &str); 4] = [
    (Opponent::Random, 1000, "random replies"),
    (Opponent::Search, 1000, "a search of 0.05 s, its first three replies random"),
    (Opponent::Loa6, 500, "`loa6 --time 0.05`, its first three replies random"),
    (Opponent::LongestLine, 500, "the replies that the strategy takes longest for"),
];

/// What the games were like.
#[derive(Default)]
struct Games {
    won: usize,
    played: usize,
    distinct: HashSet<Vec<Move>>,
    /// CPU time of each move of the first player, from the start of the process to its end.
    times: Vec<Duration>,
}

/// 3,000 games of the first player.
///
/// # Errors
/// `loa6` cannot be run, or a move is not legal.
pub(super) fn every_game_is_won() -> Result<Vec<Figure>> {
    let loa6 = program::sibling("loa6")?;
    let strategy = embedded().context("this program was built without the feature `tables`")?;
    let mut games = Games::default();
    let mut figures = Vec::new();
    for (opponent, count, name) in OPPONENTS {
        let mut progress = Progress::new(name, count);
        let before = (games.won, games.distinct.len());
        for number in 0..count {
            let mut rng = StdRng::seed_from_u64(number as u64);
            let game = play(&loa6, opponent, strategy, &mut rng, &mut games.times)?;
            games.add(&game);
            progress.step(&format!("{} won", games.won - before.0));
        }
        let (won, distinct) = (games.won - before.0, games.distinct.len() - before.1);
        let measured = format!("{won} won; {distinct} games not played before");
        figures.push(Figure::new(
            &format!("{count} games of `loa6` as first player against {name}"),
            measured,
            "all won",
            won == count,
        ));
    }
    games.times.sort();
    let median = games.times.get(games.times.len() / 2).copied().unwrap_or_default();
    let most = games.times.last().copied().unwrap_or_default();
    let in_ms = |time: Duration| time.as_secs_f64() * 1e3;
    figures.push(Figure::new(
        &format!("CPU time of its {} moves, exec to exit", games.times.len()),
        format!("median {:.1} ms, the longest {:.0} ms", in_ms(median), in_ms(most)),
        "median at most 10 ms, none above 150 ms",
        median <= MEDIAN && most <= MOST,
    ));
    Ok(figures)
}

impl Games {
    fn add(&mut self, game: &Played) {
        self.played += 1;
        self.won += usize::from(game.winner == Some(Color::Black));
        self.distinct.insert(game.moves.clone());
    }
}

/// A game from its start to its end, or to where it was broken off.
struct Played {
    winner: Option<Color>,
    moves: Vec<Move>,
}

/// The longest game of the strategy has 49 plies: one that is longer is not won by it.
const LONGEST: usize = 200;

fn play(
    loa6: &Path,
    opponent: Opponent,
    strategy: &Strategy<'_, Position<6>>,
    rng: &mut StdRng,
    times: &mut Vec<Duration>,
) -> Result<Played> {
    let mut history = History::new(Position::<6>::start());
    let mut moves = Vec::new();
    let mut player = LoaPlayer::new(rng.random_range(1..u64::MAX), OPPONENT_TABLE);
    while history.ending().is_none() && moves.len() < LONGEST {
        let position = history.position();
        let mv = match position.turn() {
            Color::Black => {
                let (mv, took) = ask(loa6, &[], position, moves.len())?;
                times.push(took);
                mv
            }
            Color::White => {
                let list = position.legal_moves();
                let random = list[rng.random_range(0..list.len())];
                let is_random = moves.len() / 2 < RANDOM_REPLIES;
                match opponent {
                    Opponent::Random => random,
                    Opponent::Search | Opponent::Loa6 if is_random => random,
                    Opponent::Search => {
                        let choice = player.choose(&history, Limits::time(OPPONENT_TIME));
                        choice.context("no legal move")?.best
                    }
                    Opponent::Loa6 => ask(loa6, &["--time=0.05"], position, moves.len())?.0,
                    Opponent::LongestLine => longest(strategy, &history, &mut player, rng)?,
                }
            }
        };
        history.play(mv);
        moves.push(mv);
    }
    let winner = history.ending().and_then(|ending| if let Ending::Win(side) = ending { Some(side) } else { None });
    Ok(Played { winner, moves })
}

/// The reply after which the strategy takes longest, one of them at random; beyond the strategy what a search prefers.
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
    // Those that take two plies less lead elsewhere, and make games differ.
    let near = |&&(plies, _): &&(Option<u16>, Move)| plies.zip(most).is_some_and(|(plies, most)| plies + 2 >= most);
    let best: Vec<&(Option<u16>, Move)> = known.iter().filter(near).collect();
    Ok(best[rng.random_range(0..best.len())].1)
}

/// What `loa6` moves, and its CPU time from its start to its end.
fn ask(loa6: &Path, arguments: &[&str], position: Position<6>, plies: usize) -> Result<(Move, Duration)> {
    // The agent is always X.
    let swapped = position.placed().map(|(square, color)| (square, !color));
    let board = if position.turn() == Color::Black { position } else { Position::new(Color::Black, swapped) };
    let request = Request::Move { turn: plies as u32 + 1, position: board };
    let ran = program::run_with_input(loa6, arguments, Path::new("."), &request.to_string())?;
    let mv = read_answer(&ran.stdout, &board).map_err(|error| anyhow!("{position}: {error}"))?;
    Ok((mv, ran.cpu))
}
