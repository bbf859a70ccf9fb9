//! Reference agent (§3), against which course staff grade: plain minimax to a fixed depth.
//!
//! The depth is 4, but 3 with less than 100 s left, 2 below 10 s and 1 below 2 s. The agent follows jumps beyond that
//! depth, to at most 20 plies. It has no alpha-beta and no repetition detection, and breaks ties at random.
//!
//! The staff's agent took 5 to 8 s a game. Given a [`Cost`], this one spends as much by repeating its search.

use std::hint::black_box;
use std::path::Path;
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::turn::AgentError;
use crate::files::write_whole;
use crate::protocol::turn_files::{INPUT, Mode, OUTPUT, PLAYDATA, Playdata, TurnRequest, write_answer};
use kingline::checkers::{Move, Piece, Position, Route, Square};
use kingline::clock::Clock;
use kingline::game::{Color, Game, ParseError, Searched};

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

/// CPU time that a game costs the reference agent on average.
///
/// Early turns take an even share, later ones a fixed part of the remaining cost. Games of 25 and 140 turns a side thus
/// cost nearly the same. If the referee's clock counts whole steps of each turn (§3), turns take whole steps, so that
/// the cost is what the referee counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    game: Duration,
    /// Step of the referee's clock; zero if it counts all of a turn.
    step: Duration,
}

/// Number of turns that would use up the cost in even shares.
const EVEN_TURNS: u32 = 20;
/// A turn takes at most 1/8 of the remaining cost.
const LAST_PARTS: u32 = 8;
/// A long game costs 1/25 more than the average game, because short games cost less.
const EXTRA_PARTS: u32 = 25;
/// A turn takes at most 1/20 of the clock, less the reserve.
const CLOCK_PARTS: u32 = 20;
/// Reserve on the clock for turns that only start, choose and answer: up to 140 of them, 1 to 3 ms each.
const RESERVE: Duration = Duration::from_millis(500);

impl Cost {
    /// Largest accepted cost in seconds, many times the budget of any game.
    const MOST: f64 = 10_000.0;

    /// The same cost on a clock that counts in such steps.
    #[must_use]
    pub(crate) fn in_steps(self, step: Duration) -> Cost {
        Cost { step, ..self }
    }

    /// CPU time of a turn in a game that has cost `spent` so far, with `left` on the clock; zero if only the reserve is
    /// left. `chance`, at least 0 and below 1, decides whether a part of a step is rounded up.
    pub fn of_turn(self, spent: Duration, left: Duration, chance: f64) -> Duration {
        let Cost { game, step } = self;
        let rest = (game + game / EXTRA_PARTS).saturating_sub(spent);
        let share = (game / EVEN_TURNS).min(rest / LAST_PARTS).min(left.saturating_sub(RESERVE) / CLOCK_PARTS);
        if step.is_zero() {
            return share;
        }
        let steps = share.as_secs_f64() / step.as_secs_f64() + chance;
        step * steps as u32
    }

    /// The part of a turn's CPU time that the referee's clock counts.
    pub fn counted(self, turn: Duration) -> Duration {
        match self.step.as_nanos() {
            0 => turn,
            step => Duration::from_nanos((turn.as_nanos() - turn.as_nanos() % step) as u64),
        }
    }
}

impl FromStr for Cost {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Cost, ParseError> {
        let seconds = text.parse().ok().filter(|&seconds: &f64| seconds > 0.0 && seconds <= Cost::MOST);
        let wrong = || ParseError::new(text, format!("seconds, a number above 0, at most {}", Cost::MOST));
        let cost = |seconds| Cost { game: Duration::from_secs_f64(seconds), step: Duration::ZERO };
        seconds.map(cost).ok_or_else(wrong)
    }
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

    const SIX: Cost = Cost { game: Duration::from_secs(6), step: Duration::ZERO };
    const STEP: Duration = Duration::from_millis(10);

    /// Time that the clock counts for `turns` turns of one side, and the rest of `budget`, in seconds.
    fn game(cost: Cost, turns: u32, budget: f64) -> [f64; 2] {
        let mut rng = StdRng::seed_from_u64(turns.into());
        let (mut spent, mut left) = (Duration::ZERO, Duration::from_secs_f64(budget));
        for _ in 0..turns {
            let turn = cost.of_turn(spent, left, rng.random());
            spent += cost.counted(turn);
            left = left.saturating_sub(cost.counted(turn));
        }
        [spent, left].map(|time| time.as_secs_f64())
    }

    #[test]
    fn games_of_all_lengths_cost_nearly_the_same() {
        for (turns, least, most) in [(20, 5.2, 5.6), (25, 5.5, 6.0), (35, 5.9, 6.2), (63, 6.1, 6.25), (140, 6.2, 6.25)]
        {
            let [spent, _] = game(SIX, turns, 300.0);
            assert!(spent >= least && spent <= most, "{turns} turns cost {spent} s");
        }
        assert_eq!(SIX.of_turn(Duration::ZERO, Duration::from_secs(300), 0.5), Duration::from_millis(300));
    }

    #[test]
    fn the_cost_is_what_a_clock_counts_in_steps() {
        for game_ms in [100, 250, 500, 1500, 6500] {
            let cost = Cost { game: Duration::from_millis(game_ms), step: STEP };
            let games = [30, 35, 40, 45, 50, 60, 70, 80].map(|turns| game(cost, turns, 300.0)[0]);
            let average = games.iter().sum::<f64>() / games.len() as f64 * 1000.0 / game_ms as f64;
            assert!((0.9..1.1).contains(&average), "{game_ms} ms: {average} of it, {games:?}");
        }
        // Without steps, half of it would be lost.
        assert_eq!(SIX.in_steps(STEP).counted(Duration::from_micros(29_999)), Duration::from_millis(20));
        assert_eq!(SIX.counted(Duration::from_micros(29_999)), Duration::from_micros(29_999));
    }

    #[test]
    fn near_the_end_of_the_clock_turns_cost_less_and_then_nothing() {
        for budget in [0.01, 0.5, 1.0, 5.0, 6.0] {
            let [_, left] = game(SIX, 140, budget);
            assert!(left >= f64::min(budget, 0.5), "{left} of {budget} s left");
        }
        for (left, most) in [(10, 0), (500, 0), (600, 5), (5000, 225), (7000, 300)] {
            let turn = SIX.of_turn(Duration::ZERO, Duration::from_millis(left), 0.5);
            assert_eq!(turn, Duration::from_millis(most), "with {left} ms left");
        }
        assert_eq!(SIX.of_turn(Duration::from_secs(7), Duration::from_secs(300), 0.5), Duration::ZERO);
    }

    #[test]
    fn a_cost_is_seconds_above_zero() {
        assert_eq!("6".parse(), Ok(SIX));
        assert_eq!("0.5".parse(), Ok(Cost { game: Duration::from_millis(500), step: Duration::ZERO }));
        for text in ["0", "-1", "nan", "inf", "10001", "1e300", "six", "", "6 s"] {
            let error = text.parse::<Cost>().unwrap_err().to_string();
            assert!(error.ends_with("expected seconds, a number above 0, at most 10000"), "{text}: {error}");
        }
    }
}
