//! Which numbers decide how long the players think? All of them, with where each comes from.
//!
//! Scores are in hundredths of a man. Where no measurement is given the number was chosen by hand.

use std::time::Duration;

use crate::score::Depth;

// How much time a turn of checkers may take: `TimeBudget`.

/// Base time of a level and stable position at frugality 1. Games at 60 s against frugality 0: with 8 ms the frugal
/// side lost 4 of 8 and won none.
pub(super) const BASE_TIME: Duration = Duration::from_millis(20);
/// With frugality 0 the clock is divided by this: the turns that a game may still take.
pub(super) const TURNS_TO_GO: u32 = 24;
/// The fixed costs of this many turns of one side are kept in reserve, more than a long game has. Without this reserve
/// frugality 0 ran out of time in long games.
pub(super) const LONG_GAME: u32 = 80;
/// No turn of a game takes more than one part in this many of the spare time.
pub(super) const LARGEST_PART: u32 = 6;
/// With no spare time a turn still gets one part in this many of its usual share of the clock.
pub(super) const EMERGENCY_PART: u32 = 16;
/// The safety margin: one part in this many of the time left ...
pub(super) const MARGIN_PART: u32 = 20;
/// ... and this on top ...
pub(super) const MARGIN: Duration = Duration::from_micros(1500);
/// ... but never more than this.
pub(super) const LARGEST_MARGIN: Duration = Duration::from_millis(500);

pub(super) const MIB: usize = 1 << 20;
/// Bytes of the transposition table that a node fills, about.
pub(super) const TABLE_BYTES_PER_NODE: f64 = 13.0;
/// The smallest limit of the transposition table, in bytes.
pub(super) const SMALLEST_TABLE: usize = 2 * MIB;
/// The largest.
pub(super) const LARGEST_TABLE: usize = 512 * MIB;
/// Budget of a probe of the endgame tables: most take half a microsecond, the first into a page of a mapped file
/// several.
pub(super) const MICROSECONDS_PER_PROBE: u128 = 8;

// When a turn of checkers has thought enough: `TimeManager`.

/// Minimum depth before an early stop, so that no short win is missed. It takes a millisecond at most.
pub(super) const MIN_DEPTH: Depth = Depth(9);
/// From four men on a game is as good as decided: how surely does not matter. With this and [`BETTER_FACTOR`] the
/// dearest of 8 games at 300 s against the reference cost 1.91 s, without 2.61 s; all 40 were won on the board.
pub(super) const DECIDED: f64 = 400.0;
/// Below this the game is level.
pub(super) const LEVEL: f64 = 12.0;

/// Each recent change of the best move adds this many times the base time.
pub(super) const CHANGE_FACTOR: f64 = 3.0;
/// Decay of earlier changes of the best move, by iteration.
pub(super) const CHANGE_DECAY: f64 = 0.6;
/// A swing of the last scores by this much adds once the base time ...
pub(super) const SWING_UNIT: f64 = 15.0;
/// ... up to this many times.
pub(super) const MAX_SWING_FACTOR: f64 = 8.0;
/// A score that is worse by this much than a turn ago adds once the time ...
pub(super) const FALL_UNIT: f64 = 25.0;
/// ... up to this many times.
pub(super) const MAX_FALL_FACTOR: f64 = 12.0;

/// Time factor of a lost game: hardly anything is left to save.
pub(super) const LOST_FACTOR: f64 = 0.25;
/// Time factor of a won game.
pub(super) const WON_FACTOR: f64 = 1.0;
/// Time factor of the side that stands worse: it has a game to save.
pub(super) const WORSE_FACTOR: f64 = 6.0;
/// Time factor of the side that stands better. See [`DECIDED`]; before it was 2.
pub(super) const BETTER_FACTOR: f64 = 1.5;
/// Time factor of a likely draw: a level game with few pieces, and kings on both sides.
pub(super) const DRAWISH_FACTOR: f64 = 0.25;
/// Pieces of both sides, at most, in a likely draw.
pub(super) const DRAWISH_PIECES: u32 = 8;
/// Time factor of a level game with many pieces.
pub(super) const FULL_BOARD_FACTOR: f64 = 1.5;
/// Pieces of both sides, at least, on a full board.
pub(super) const FULL_BOARD_PIECES: u32 = 14;
/// Time factor of any other level game.
pub(super) const LEVEL_FACTOR: f64 = 1.0;

/// A single move is settled from this depth on ...
pub(super) const SETTLED_DEPTH: Depth = Depth(15);
/// ... after this many times the time at which it was found ...
pub(super) const SETTLED_TIMES: u32 = 12;
/// ... and one part in this many of the hard limit ...
pub(super) const SETTLED_PART: u32 = 8;
/// ... while the scores swing by less than this.
pub(super) const SETTLED_SWING: f64 = 8.0;

/// No iteration begins after this part of the time: the next one takes about as long as all before it.
pub(super) const LAST_START: f64 = 0.6;
/// An iteration that has begun may go on until this many times the time: it is worth more completed.
pub(super) const OVERTIME: u32 = 2;

// How long the players of Lines of Action think.

/// The solver's part of a move's time or nodes. 49.2 % ± 5.6 of games against none at all, and deep wins are found.
pub(super) const SOLVER_PART: f64 = 0.05;
/// Size of the tables of a player, in bytes: more than is filled in the time that a move has, and small enough to grow
/// without a pause that counts.
pub(super) const LOA_TABLE_BYTES: usize = 64 << 20;
/// Time of a side for a game of the text commands, whatever its length: a script may give both sides 10 s together (§2).
pub(super) const GAME_TIME: Duration = Duration::from_secs(4);
/// Time of a side for all games of a process where one clock holds for all: scripts of 2015 give each side 15 s.
pub(super) const PROCESS_TIME: Duration = Duration::from_secs(14);
/// With such a clock a game gets at most one part in this many of what is left.
pub(super) const GAMES_TO_GO: u32 = 3;
/// Time of a side for a game, or the rest of one, that nobody watches: both together have 3 s, start and end included
/// (§2).
pub(super) const UNWATCHED_TIME: Duration = Duration::from_millis(1200);
/// Time of a hint, where the pace does not say.
pub(super) const HINT_TIME: Duration = Duration::from_secs(1);
/// Nodes of a side for a game after `seed`: a game of both costs 1.5 CPU s at most (§2).
pub(super) const SEEDED_GAME_NODES: u64 = 600_000;
/// Nodes of a move after `seed`, at least, however long the game is.
pub(super) const LEAST_SEEDED_NODES: u64 = 500;
/// A move gets an equal share of what is left for the moves of a side that a game usually takes ...
pub(super) const USUAL_MOVES: u32 = 22;
/// ... but from some move on this part of it, so that a longer game has time too, and a last move that is taken back.
pub(super) const FEWEST_MOVES_TO_GO: u32 = 6;
/// Where no limit of moves ends a game, a position that has been there so often is left for a new one. Of 300 games of two
/// automatic players of 2015 one went in a circle forever.
pub(super) const ENDLESS_OCCURRENCES: usize = 3;

// When a move of Lines of Action has had enough of its share: `MoveTime`, with [`CHANGE_DECAY`], [`LAST_START`] and
// [`OVERTIME`]. 44.5 % ± 8.7 of 100 games against the program
// of af010a2, which thinks 7.3 s a game where this thinks 3.7 s; equal shares 30.7 % ± 6.5 of 140.

/// Part of its share that a move has while the best move and the score stand firm ...
pub(super) const LOA_STEADY_PART: f64 = 0.6;
/// ... and what each recent change of the best move adds ...
pub(super) const LOA_CHANGE_PART: f64 = 0.5;
/// ... and each recent fall of the score by [`LOA_FALL_UNIT`] hundredths.
pub(super) const LOA_FALL_PART: f64 = 0.5;
/// See [`LOA_FALL_PART`].
pub(super) const LOA_FALL_UNIT: f64 = 30.0;
/// Not more falls than this count.
pub(super) const LOA_MOST_FALLS: f64 = 4.0;
/// No move takes more shares than this ...
pub(super) const LOA_MOST_SHARES: u32 = 4;
/// ... or longer than this: scripts may allow 1 s on a busy machine (§2). With 600 ms one of 30 such games was lost.
pub(super) const LOA_LONGEST_MOVE: Duration = Duration::from_millis(400);
