//! All numbers that decide how long the players think, with their sources.
//!
//! Scores are in hundredths of a man. A number given without a measurement was chosen by hand.

use std::time::Duration;

use kingline::score::Depth;

// Time that a checkers turn may take: `TimeBudget`.

/// Base time of a level and stable position at frugality 1. With 8 ms, the frugal side lost 4 of 8 games at 60 s
/// against frugality 0 and won none.
pub(super) const BASE_TIME: Duration = Duration::from_millis(20);
/// Divisor of the clock at frugality 0: the number of turns that a game may still take.
pub(super) const TURNS_TO_GO: u32 = 24;
/// Number of turns whose fixed costs a side keeps in reserve; more than a long game takes. Without this reserve,
/// frugality 0 ran out of time in long games.
pub(super) const LONG_GAME: u32 = 80;
/// A turn of a game takes at most 1/6 of the spare time.
pub(super) const LARGEST_PART: u32 = 6;
/// Without spare time, a turn still gets 1/16 of its usual share of the clock.
pub(super) const EMERGENCY_PART: u32 = 16;
/// The safety margin is 1/20 of the time left ...
pub(super) const MARGIN_PART: u32 = 20;
/// ... plus this; with 1.5 ms, 1 of 10,000 turns at 0.01 s was late on a busy machine ...
pub(super) const MARGIN: Duration = Duration::from_millis(2);
/// ... but at most this.
pub(super) const LARGEST_MARGIN: Duration = Duration::from_millis(500);

pub(super) const MIB: usize = 1 << 20;
/// Longest evaluation file to read, in MiB: weights take 2.
pub(super) const MOST_EVALUATION: u64 = 4;
/// Approximate number of transposition-table bytes that a node fills.
pub(super) const TABLE_BYTES_PER_NODE: f64 = 13.0;
/// Smallest limit of the transposition table, in bytes. A search writes to all of it soon, and each page first written
/// costs as much time as many nodes.
pub(super) const SMALLEST_TABLE: usize = MIB / 16;
/// Time left in a game up to which a turn without spare time has a smaller table, for its few hundred nodes: this ...
pub(super) const TINY_CLOCK: Duration = Duration::from_millis(100);
/// ... and the size of the table, in bytes. It costs 0.1 ms less.
pub(super) const TINY_TABLE: usize = MIB / 64;
/// Largest limit of the transposition table, in bytes.
pub(super) const LARGEST_TABLE: usize = 512 * MIB;
/// Part of the rest of a game's clock that may go into probes of the endgame tables for one turn. Half of the won
/// positions take 73 probes, 99 % take 3,400, and the worst took 12,000.
pub(super) const PROBES_PART: u32 = 2;
/// Time budget of an endgame-table probe. Choosing a turn takes 0.55 microseconds a probe, more on a busy machine.
pub(super) const MICROSECONDS_PER_PROBE: u128 = 2;

// Time that a checkers turn deserves: `time_manager::TurnDemand`.

/// Minimum depth before an early stop, so that no short win is missed. Reaching it takes at most a millisecond.
pub(super) const MIN_DEPTH: Depth = Depth(9);
/// The same without spare time: a ply more than the reference agent, in a few hundred nodes.
pub(super) const EMERGENCY_DEPTH: Depth = Depth(5);
/// Score at which a game counts as decided: an advantage of four men. With this and [`BETTER_FACTOR`], the most
/// expensive of 8 games at 300 s against the reference cost 1.91 s; without them, 2.61 s. All 40 games were won on the
/// board.
pub(super) const DECIDED: f64 = 400.0;
/// Score below which a game counts as level.
pub(super) const LEVEL: f64 = 12.0;

/// Multiple of the base time that each recent change of the best move adds.
pub(super) const CHANGE_FACTOR: f64 = 3.0;
/// Decay factor, per iteration, for earlier changes of the best move.
pub(super) const CHANGE_DECAY: f64 = 0.6;
/// Each swing of this size in the last scores adds the base time once ...
pub(super) const SWING_UNIT: f64 = 15.0;
/// ... up to this number of times.
pub(super) const MAX_SWING_FACTOR: f64 = 8.0;
/// Each fall of this size in the score since the last turn adds the base time once ...
pub(super) const FALL_UNIT: f64 = 25.0;
/// ... up to this number of times.
pub(super) const MAX_FALL_FACTOR: f64 = 12.0;

/// Time factor for a lost game, in which little is left to save.
pub(super) const LOST_FACTOR: f64 = 0.25;
/// Time factor for a won game.
pub(super) const WON_FACTOR: f64 = 1.0;
/// Time factor for the worse side, which has a game to save.
pub(super) const WORSE_FACTOR: f64 = 6.0;
/// Time factor for the better side. Its earlier value was 2; see [`DECIDED`].
pub(super) const BETTER_FACTOR: f64 = 1.5;
/// Time factor for a likely draw: a level game with few pieces, and kings on both sides.
pub(super) const DRAWISH_FACTOR: f64 = 0.25;
/// Maximum number of pieces on the board in a likely draw.
pub(super) const DRAWISH_PIECES: u32 = 8;
/// Time factor for a level game with many pieces.
pub(super) const FULL_BOARD_FACTOR: f64 = 1.5;
/// Minimum number of pieces on a full board.
pub(super) const FULL_BOARD_PIECES: u32 = 14;
/// Time factor for any other level game.
pub(super) const LEVEL_FACTOR: f64 = 1.0;

/// The best move for a single-move request is settled at this depth or deeper ...
pub(super) const SETTLED_DEPTH: Depth = Depth(15);
/// ... after this multiple of the time taken to find it ...
pub(super) const SETTLED_TIMES: u32 = 12;
/// ... and after 1/8 of the hard limit ...
pub(super) const SETTLED_PART: u32 = 8;
/// ... while the scores swing by less than this.
pub(super) const SETTLED_SWING: f64 = 8.0;

/// Fraction of the time after which no iteration begins, because the next one takes about as long as all earlier ones
/// together.
pub(super) const LAST_START: f64 = 0.6;
/// Multiple of the time at which a running iteration is cut off. A completed iteration is worth more.
pub(super) const OVERTIME: u32 = 2;

// Time for the Lines of Action players.

/// Solver's share of a move's time or nodes. With it, a player scores 49.2 % ± 5.6 against one without a solver, but
/// finds deep wins.
pub(super) const SOLVER_PART: f64 = 0.05;
/// Number of plies before the end of a limited game from which a short win is looked for first: longer ones come too late.
pub(super) const NEAR_END: u16 = 12;
/// Depth of this attempt to prove a win, and its part of the time or nodes. With half of them, and a second attempt to depth
/// 5, a player of 2,000 nodes won 40 and lost 60 of 198 ends of games against one without both.
pub(super) const SHORT_WIN: (Depth, f64) = (Depth(3), 0.2);
/// Size of a player's tables in bytes: more than a move fills in its time, and small enough to grow without a
/// noticeable pause.
pub(super) const LOA_TABLE_BYTES: usize = 64 << 20;
/// Size of the table of an analysis in bytes, which about 20 million nodes fill.
pub(super) const ANALYSIS_TABLE_BYTES: usize = 256 << 20;
/// Time for each side in a game played by text commands, whatever its length: a script may give both sides 10 s
/// together (§2).
pub(super) const GAME_TIME: Duration = Duration::from_secs(4);
/// Time for each side in all games of a process that share one clock: 2015 scripts give each side 15 s.
pub(super) const PROCESS_TIME: Duration = Duration::from_secs(14);
/// With a shared clock, a game gets at most 1/3 of the time left.
pub(super) const GAMES_TO_GO: u32 = 3;
/// Time for each side in an unwatched game, or in the rest of one: both sides together have 3 s, start and end included
/// (§2).
pub(super) const UNWATCHED_TIME: Duration = Duration::from_millis(1200);
/// Time for a hint, unless the pace is constant.
pub(super) const HINT_TIME: Duration = Duration::from_secs(1);
/// Nodes for each side in a game after `seed`: both sides together take at most 1.5 CPU s per game (§2).
pub(super) const SEEDED_GAME_NODES: u64 = 600_000;
/// Minimum number of nodes for a move after `seed`, however long the game is.
pub(super) const LEAST_SEEDED_NODES: u64 = 500;
/// Usual number of moves that a side makes in a game: a move gets an equal share of the time left for them ...
pub(super) const USUAL_MOVES: u32 = 22;
/// ... but at most 1/6, so that time remains in a longer game, and after the last move is undone.
pub(super) const FEWEST_MOVES_TO_GO: u32 = 6;
/// Number of positions that the machine searches for a move at each of the lower levels, about five times as many as at
/// the level below. Levels 2 to 5 won 32, 37, 38 and 34 of 40 games against the level below, level 6 won 15 of 16.
pub(super) const LEVEL_NODES: [u64; 6] = [30, 150, 800, 4_000, 20_000, 100_000];
/// Time for a move at each of the higher levels.
pub(super) const LEVEL_TIMES: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(5)];
/// Number of occurrences of a position after which a player leaves it for a new one, if there is no move limit. Of 300
/// games between two automatic players in the 2015 dialect, one repeated positions forever.
pub(super) const ENDLESS_OCCURRENCES: usize = 3;

// Time that a Lines of Action move deserves: `time_manager::MoveDemand`, with [`CHANGE_DECAY`], [`LAST_START`] and
// [`OVERTIME`]. These numbers score 44.5 % ± 8.7 in 100 games against the program at commit af010a2, which thinks 7.3 s
// a game; this one thinks 3.7 s. Equal shares score 30.7 % ± 6.5 in 140 games.

/// Fraction of its share that a move gets while the best move and the score are steady ...
pub(super) const LOA_STEADY_PART: f64 = 0.6;
/// ... and the fraction that each recent change of the best move adds ...
pub(super) const LOA_CHANGE_PART: f64 = 0.5;
/// ... and the fraction that each recent fall of the score by [`LOA_FALL_UNIT`] hundredths adds.
pub(super) const LOA_FALL_PART: f64 = 0.5;
/// See [`LOA_FALL_PART`].
pub(super) const LOA_FALL_UNIT: f64 = 30.0;
/// Largest number of falls that count.
pub(super) const LOA_MOST_FALLS: f64 = 4.0;
/// A move takes at most this number of shares ...
pub(super) const LOA_MOST_SHARES: u32 = 4;
/// ... and at most this time: scripts may allow 1 s on a busy machine (§2). With 600 ms, one of 30 such games was lost.
pub(super) const LOA_LONGEST_MOVE: Duration = Duration::from_millis(400);
