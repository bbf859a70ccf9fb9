//! Reference agent (§3), against which course staff grade: plain minimax to a fixed depth.
//!
//! The depth is 4, but 3 with less than 100 s left, 2 below 10 s and 1 below 2 s. The agent follows jumps beyond that
//! depth, to at most 20 plies. It has no alpha-beta and no repetition detection, and breaks ties at random.
//!
//! The staff's agent took 5 to 8 s a game. Given a [`Cost`], this one spends as much by repeating its search.

mod cost;

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

pub use cost::Cost;

use super::turn::AgentError;
use crate::files::write_whole;
use crate::protocol::turn_files::{INPUT, Mode, OUTPUT, PLAYDATA, Playdata, TurnRequest, write_answer};
use kingline::checkers::{Move, Piece, Position, Route, Square};
use kingline::clock::Clock;
use kingline::game::{Color, Game, Searched};

/// Pairs (seconds, depth): the search depth with less than `seconds` left. The first match applies.
const DEPTHS: [(u64, u32); 3] = [(2, 1), (10, 2), (100, 3)];
const FULL_DEPTH: u32 = 4;
/// Last ply to which jumps are followed.
const LAST_PLY: u32 = 20;

const MAN: i32 = 10;
const KING: i32 = 50;
/// Bonus for a piece within the central 4x4 squares.
const CENTER: i32 = 2;
const WON: i32 = 10_000;
/// Difference of values that are nearly equal: less than a third of a man.
const NEARLY: i32 = 3;

/// Moves among which the agent draws at random.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draw {
    /// Those with the best value.
    Best,
    /// Those with the best value or nearly so, to keep a table of known games from winning an exam: the values differ by
    /// less than a third of a man.
    NearlyBest,
}

/// Takes one turn in `directory`: reads input.txt and writes output.txt. With a seed, it and the position decide among
/// moves that are nearly the best; without one, the time of day among the best. With a cost, the same turn takes more CPU time. In a game, playdata.txt records
/// the time of earlier turns; a single move costs as much as the first turn of a game.
///
/// Returns warnings, one sentence each, about odd or unusable input that did not prevent a move.
///
/// # Errors
/// See [`AgentError`]. output.txt is then unchanged, or deleted if it is a turn that input.txt did not ask for.
pub fn take_turn(directory: &Path, seed: Option<u64>, cost: Option<Cost>) -> Result<Vec<String>, AgentError> {
    answer(directory, seed, cost).inspect_err(|error| error.delete_stale_answer(directory))
}

fn answer(directory: &Path, seed: Option<u64>, cost: Option<Cost>) -> Result<Vec<String>, AgentError> {
    let TurnRequest { mode, position, left, mut warnings } =
        TurnRequest::read(&directory.join(INPUT)).map_err(AgentError::Input)?;
    let mut rng = StdRng::seed_from_u64(seed.unwrap_or_else(time_of_day) ^ position.key());
    let draw = if seed.is_some() { Draw::NearlyBest } else { Draw::Best };
    let mv = choose(&position, left, draw, &mut rng).ok_or(AgentError::GameOver(position))?;
    let answer = write_answer(&Route::of(&position, mv));
    let Some(cost) = cost else {
        write_whole(&directory.join(OUTPUT), answer.as_bytes()).map_err(AgentError::Output)?;
        return Ok(warnings);
    };
    let (clock, warning) = Clock::of_process();
    warnings.extend(warning.map(str::to_owned));
    let playdata = match mode {
        Mode::Single => Playdata::fresh(position),
        Mode::Game => Playdata::load(&directory.join(PLAYDATA), position, &mut warnings),
    };
    search_until(cost.of_turn(playdata.spent, left, rng.random()), clock, &position, depth(left));
    write_whole(&directory.join(OUTPUT), answer.as_bytes()).map_err(AgentError::Output)?;
    if mode == Mode::Game {
        let after = playdata.after(mv, None, cost.counted(clock.now()));
        if let Err(error) = after.save(&directory.join(PLAYDATA)) {
            // The move stands, but the next turn takes an even share again.
            warnings.push(format!("{error:#}"));
        }
    }
    Ok(warnings)
}

fn time_of_day() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64)
}

/// Depth of the search with `left` on the clock.
fn depth(left: Duration) -> u32 {
    DEPTHS.iter().find(|(seconds, _)| left < Duration::from_secs(*seconds)).map_or(FULL_DEPTH, |&(_, depth)| depth)
}

/// Chooses the turn of the reference agent with `left` on its clock; `None` if no turn is legal.
pub fn choose(position: &Position, left: Duration, draw: Draw, rng: &mut StdRng) -> Option<Move> {
    let depth = depth(left);
    let list = position.legal_moves();
    let values: Vec<i32> = list.iter().map(|&mv| -value(&position.play(mv), depth - 1, 1, &mut || false)).collect();
    let best = *values.iter().max()?;
    let least = match draw {
        Draw::NearlyBest if best.abs() < WON / 2 => best - NEARLY,
        _ => best,
    };
    let ties: Vec<Move> = list.iter().zip(&values).filter(|(_, value)| **value >= least).map(|(&mv, _)| mv).collect();
    Some(ties[rng.random_range(0..ties.len())])
}

/// Searches the position repeatedly until `clock` shows `end`.
fn search_until(end: Duration, clock: Clock, position: &Position, depth: u32) {
    /// Nodes between two checks of the clock, about 0.2 ms.
    const POLL_NODES: u64 = 1024;
    let mut nodes: u64 = 0;
    let mut is_over = clock.now() >= end;
    let mut stop = || {
        nodes += 1;
        is_over = is_over || nodes.is_multiple_of(POLL_NODES) && clock.now() >= end;
        is_over
    };
    while !stop() {
        black_box(value(black_box(position), depth, 0, &mut stop));
    }
}

/// Minimax value for the side to move. It is meaningless once `stop`, which is called at each node, has returned true.
fn value(position: &Position, depth: u32, ply: u32, stop: &mut impl FnMut() -> bool) -> i32 {
    if stop() {
        return 0;
    }
    let list = position.legal_moves();
    let Some(&first) = list.first() else { return ply as i32 - WON };
    if ply >= LAST_PLY || depth == 0 && position.is_quiet(first) {
        return evaluate(position);
    }
    list.iter().map(|&mv| -value(&position.play(mv), depth.saturating_sub(1), ply + 1, stop)).max().unwrap_or(-WON)
}

fn evaluate(position: &Position) -> i32 {
    let mut sum = 0;
    for square in Square::all() {
        let Some((color, piece)) = position.at(square) else { continue };
        let advanced = match color {
            Color::Black => 7 - square.row(),
            Color::White => square.row(),
        };
        let worth = match piece {
            Piece::Man => MAN + advanced as i32,
            Piece::King => KING,
        };
        let center = if (2..=5).contains(&square.row()) && (2..=5).contains(&square.column()) { CENTER } else { 0 };
        sum += if color == position.turn() { worth + center } else { -worth - center };
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longer_jump_is_chosen_and_nothing_without_a_move() {
        let mut rng = StdRng::seed_from_u64(1);
        let position: Position = "B:W18,19,26,27:B15,1".parse().unwrap();
        let mv = choose(&position, Duration::from_secs(300), Draw::Best, &mut rng).unwrap();
        assert_eq!(mv.captures(), 2);
        let position: Position = "W:WK10,20:B1".parse().unwrap();
        assert!(choose(&position, Duration::from_secs(300), Draw::Best, &mut rng).is_some());
        assert_eq!(choose(&"B:W20:B".parse().unwrap(), Duration::from_secs(1), Draw::Best, &mut rng), None);
    }

    #[test]
    fn repeated_searches_take_the_given_time() {
        for position in ["B:W18,19,26,27:B15,1", "B:WK28:B1", "B:W5:B1"] {
            let start = Clock::Thread.now();
            let time = Duration::from_millis(20);
            search_until(start + time, Clock::Thread, &position.parse().unwrap(), FULL_DEPTH);
            let took = Clock::Thread.now() - start;
            assert!(took >= time && took < 2 * time, "{position}: {took:?}");
        }
    }

    #[test]
    fn equal_seeds_give_equal_games() {
        let game = |seed| {
            let mut rng = StdRng::seed_from_u64(seed);
            let mut position = Position::start();
            for _ in 0..12 {
                let Some(mv) = choose(&position, Duration::from_secs(5), Draw::NearlyBest, &mut rng) else { break };
                position = position.play(mv);
            }
            position
        };
        assert_eq!(game(3), game(3));
        assert_ne!(game(3), game(4));
    }
}
