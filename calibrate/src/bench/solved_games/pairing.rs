//! Games of `loa6` against one opponent.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use kingline::game::{Ending, Game, History};
use kingline::knowledge::solved::Strategy;
use kingline::loa::{Move, Position};
use kingline::search::Limits;
use kingline_players::play::LoaPlayer;
use kingline_players::protocol::request::{Request, as_x, read_answer};
use rand::RngExt;
use rand::rngs::StdRng;

use crate::program::{self, MeasuredRun};

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

/// Opponents of `loa6`.
#[derive(Clone, Copy, Debug)]
pub(super) enum Opponent {
    Random,
    Greedy,
    Search,
    Loa6,
    /// Chooses the reply after which the strategy needs the most plies.
    LongestLine,
}

impl Opponent {
    /// Describes the opponent after "against".
    pub(super) fn name(self) -> &'static str {
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
pub(super) enum Ended {
    Lost,
    /// It is drawn, or too long.
    Neither,
    Won,
}

/// Players and start of a game.
pub(super) struct Pairing<'a> {
    pub(super) loa6: &'a Path,
    /// Its arguments.
    pub(super) arguments: &'a [&'a str],
    pub(super) opponent: Opponent,
    pub(super) strategy: &'a Strategy<'a, Position<6>>,
    pub(super) start: &'a History<Position<6>>,
}

impl Pairing<'_> {
    /// Plays a game. Returns its result, and the moves. Adds the run of `loa6` for each of its moves.
    ///
    /// # Errors
    /// Fails if `loa6` cannot be run or a move is not legal.
    pub(super) fn play(&self, rng: &mut StdRng, runs: &mut Vec<MeasuredRun>) -> Result<(Ended, Vec<Move>)> {
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

/// Returns the move of `loa6`, and its run.
fn ask(loa6: &Path, arguments: &[&str], history: &History<Position<6>>, plies: usize) -> Result<(Move, MeasuredRun)> {
    let position = as_x(&history.position());
    let request = Request::Move { turn: plies as u32 + 1, position };
    let ran = program::run_with_input(loa6, arguments, Path::new("."), &request.to_string())?;
    let mv = read_answer(&ran.stdout, &position).map_err(|error| anyhow!("{position}: {error}"))?;
    Ok((mv, ran))
}
