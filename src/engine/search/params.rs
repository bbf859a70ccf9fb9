//! Parameters and constants of the search and the solver, with the sources of the techniques.
//!
//! [`Params`] can be set. Its defaults were chosen by matches and by time to depth; the commits that changed them give
//! the results. The constants below it are fixed; where no measurement is given, none was made.

use std::time::Duration;

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use crate::game::Searched;
use crate::score::Depth;

/// Entries of the transposition table that may replace a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "snake_case"))]
pub enum Reuse {
    /// None; the table only supplies the first move.
    Nothing,
    /// Entries of exactly the required depth: the value is that of a search without a table.
    SameDepth,
    /// Entries of at least the required depth.
    Deeper,
}

/// Parameters of a search. `None` or `false` leaves a technique out.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(default, deny_unknown_fields))]
#[expect(clippy::struct_excessive_bools, reason = "each technique is used or not, by its name")]
pub struct Params {
    /// Transposition table. R. Greenblatt et al., "The Greenblatt chess program", 1967.
    pub reuse: Reuse,
    /// Null windows after the first move. A. Reinefeld, "An improvement to the Scout
    /// tree-search algorithm", 1983; T. Marsland, M. Campbell, 1982.
    pub null_windows: bool,
    /// Narrow first windows at the root.
    pub aspiration: Option<Aspiration>,
    /// Killers: two moves per ply that caused cutoffs before. S. Akl, M. Newborn, "The principal continuation and the
    /// killer heuristic", 1977.
    pub killers: bool,
    /// Moves that caused cutoffs elsewhere. J. Schaeffer, "The history heuristic", 1983.
    pub history: bool,
    /// The move that refuted the opponent's last one. J. Uiterwijk, "The countermove
    /// heuristic", 1992.
    pub counter_moves: bool,
    /// Minimum depth at which all moves are checked for an immediate win before any is searched.
    pub look_for_wins: Option<Depth>,
    /// Forced-move extension: the only legal move costs no depth, unless it changes material.
    pub forced_move_extension: bool,
    /// Searches late moves less deeply.
    pub late_move_reduction: Option<LateMoveReduction>,
    /// Cuts nodes that stay above the window even after giving up a turn.
    pub null_move: Option<NullMove>,
    /// Cuts nodes near the horizon that are far above the window.
    pub futility: Option<Futility>,
    /// Cuts nodes that a shallower search puts far above the window.
    pub prob_cut: Option<ProbCut>,
}

/// Aspiration windows: D. Slate, L. Atkin, "Chess 4.5", 1977.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Aspiration {
    /// Depth of the first iteration with a narrow window.
    pub from_depth: Depth,
    /// Initial distance of each bound from the last score, in hundredths of the evaluation's unit; it grows by half.
    pub margin: i16,
}

impl Aspiration {
    /// Margin after a failure: larger by half, and always by at least 1.
    pub(super) const fn wider(margin: i16) -> i16 {
        margin.saturating_add(margin / 2 + 1)
    }
}

/// Late-move reductions: T. Romstad, "An introduction to late move reductions", 2006.
/// The reduction in plies is `base + ln(depth) * ln(move number) / divisor`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct LateMoveReduction {
    /// Minimum depth of a node with reductions.
    pub from_depth: Depth,
    /// Index of the first move reduced, from 0.
    pub from_move: usize,
    /// Constant part of the reduction, in plies.
    pub base: f32,
    /// Divisor of the variable part of the reduction.
    pub divisor: f32,
}

/// Null move, in games that have [`pass`](crate::game::Searched::pass): D. Beal, "A generalised quiescence search
/// algorithm", 1990; C. Donninger, "Null move and deep search", 1993.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct NullMove {
    /// Minimum depth of a node to cut.
    pub from_depth: Depth,
    /// Reduction in plies after the null move.
    pub reduction: i16,
    /// One more ply of reduction for each `divisor` plies of depth.
    pub divisor: i16,
}

/// Futility pruning of a node: E. Heinz, "Scalable search in computer chess", 2000 (there called static null move).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Futility {
    /// Maximum depth of a node to cut.
    pub to_depth: Depth,
    /// Margin above beta that the static value must reach for each ply of depth, in hundredths of the evaluation's
    /// unit.
    pub margin: i16,
}

/// ProbCut: M. Buro, "ProbCut: an effective selective extension of the alpha-beta
/// algorithm", 1995.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct ProbCut {
    /// Minimum depth of a node to cut.
    pub from_depth: Depth,
    /// Reduction in plies of the shallower search.
    pub reduction: i16,
    /// Margin above beta that its score must reach, in hundredths of the evaluation's unit.
    pub margin: i16,
}

impl Default for Params {
    fn default() -> Params {
        Params {
            reuse: Reuse::Deeper,
            null_windows: true,
            aspiration: Some(Aspiration { from_depth: Depth(5), margin: 20 }),
            killers: true,
            history: true,
            counter_moves: true,
            look_for_wins: None,
            forced_move_extension: true,
            late_move_reduction: Some(LateMoveReduction {
                from_depth: Depth(2),
                from_move: 1,
                base: 0.9,
                divisor: 1.6,
            }),
            null_move: Some(NullMove { from_depth: Depth(3), reduction: 2, divisor: 4 }),
            futility: Some(Futility { to_depth: Depth(8), margin: 12 }),
            prob_cut: Some(ProbCut { from_depth: Depth(6), reduction: 5, margin: 25 }),
        }
    }
}

impl Params {
    /// Returns the parameters for a game. Those for games whose static evaluation can be trusted everywhere
    /// ([`Searched::STATIC_EVAL_SUFFICES`]) were tuned in Lines of Action, the others in checkers.
    pub fn of_game<G: Searched>() -> Params {
        if G::STATIC_EVAL_SUFFICES { Params::without_quiescence() } else { Params::default() }
    }

    /// Tuned for the learned evaluation of 8x8 Lines of Action; on 6x6 they make no difference to the former numbers.
    fn without_quiescence() -> Params {
        Params {
            aspiration: Some(Aspiration { from_depth: Depth(5), margin: 5 }),
            look_for_wins: Some(Depth(2)),
            late_move_reduction: Some(LateMoveReduction {
                from_depth: Depth(2),
                from_move: 1,
                base: 0.6,
                divisor: 2.0,
            }),
            null_move: Some(NullMove { from_depth: Depth(3), reduction: 3, divisor: 2 }),
            futility: Some(Futility { to_depth: Depth(5), margin: 8 }),
            prob_cut: None,
            ..Params::default()
        }
    }

    /// Enables only techniques that never change the value of a search to a fixed depth.
    pub fn exact() -> Params {
        Params {
            reuse: Reuse::SameDepth,
            late_move_reduction: None,
            null_move: None,
            futility: None,
            prob_cut: None,
            ..Params::default()
        }
    }

    /// Plain alpha-beta in the order of generation, the baseline of all techniques.
    pub fn plain() -> Params {
        Params {
            reuse: Reuse::Nothing,
            null_windows: false,
            aspiration: None,
            killers: false,
            history: false,
            counter_moves: false,
            ..Params::exact()
        }
    }
}

// All searches.

/// Nodes between two calls of [`Observer::poll`](super::Observer::poll): a fraction of a millisecond.
pub const POLL_NODES: u64 = 1024;
/// The same when less than [`NEAR_END`] is left of the time: beside twenty busy processes, the core may be lost for some
/// hundredths of a second between two polls.
pub(super) const POLL_NODES_NEAR_END: u64 = 128;
/// See [`POLL_NODES_NEAR_END`].
pub(super) const NEAR_END: Duration = Duration::from_millis(5);
/// Maximum number of plies below the root, extensions and quiescence included. Each ProbCut search on the way uses one
/// of them.
pub(super) const MAX_PLY: usize = 200;
/// Plies for which an iteration has frames whatever its depth: more than quiescence can take, since every capture
/// removes a piece.
pub(super) const FIRST_FRAMES: usize = 32;
/// Plies for which an iteration has frames for each ply of its depth, because of extensions.
pub(super) const FRAMES_PER_PLY: usize = 4;
/// Occurrence at which a position of the game counts as a draw if the rules have no repetition rule. This makes the
/// better side deviate and prevents endless cycles.
pub(super) const UNRULED_LIMIT: u8 = 2;
/// Number of quiet turns from which their count is part of a position's key; before that, the draw is too far away to
/// matter.
pub(super) const COUNTED_QUIET_TURNS: u16 = 16;
/// Largest number of remaining plies that is part of a position's key.
pub(super) const COUNTED_LAST_PLIES: u16 = 24;

// Tables.

/// Default limit of a table, in bytes: it fills in a few seconds.
pub(super) const TABLE_BYTES: usize = 64 << 20;
/// A table grows only if this multiple of the time that its last growth took is left: it copies twice as much, and may
/// be slower. Without this, 55 of 5,793 moves of 0.02 s took more than 15 % longer, one 0.058 s.
pub(super) const GROWTH_FACTOR: u32 = 8;
/// Initial number of buckets: 256 KiB.
pub(super) const FIRST_BUCKETS: usize = 1 << 12;
/// Number of buckets, 1 MiB, that a growth writes between two questions if it may go on: one or two milliseconds. Without
/// the questions, the slowest of 100 stops of `hub` took 15 ms.
pub(super) const GROWTH_PIECE: usize = 1 << 14;
/// Plies by which an entry of the transposition table counts as shallower for every search since it was written.
pub(super) const AGE_PLIES: i32 = 4;

/// Slots of the cache of evaluations, a power of two: 256 KiB. Of 57 evaluations for 100 nodes of checkers, 35, 30, 28 and
/// 28 are computed with 2^13, 2^15, 2^17 and 2^19 slots, at 8.57, 8.78, 8.72 and 8.48 M nodes a second.
pub(super) const EVALUATION_SLOTS: usize = 1 << 15;
/// Initial number of slots in use: one page.
pub(super) const FIRST_EVALUATION_SLOTS: usize = 1 << 9;

// Move order: ratings, far apart so that the kinds of moves do not mix.

pub(super) const TABLE_MOVE: i32 = 1 << 20;
/// Added to the rating of a move that is not quiet.
pub(super) const CAPTURE: i32 = 1 << 19;
/// Ratings of the later and the earlier killer.
pub(super) const KILLERS: [i32; 2] = [1 << 18, 1 << 17];
pub(super) const COUNTER: i32 = 1 << 16;
/// Bound on the absolute value of a move's history.
pub(super) const HISTORY_BOUND: i32 = 1 << 13;

/// Bonus to the history of a move that causes a cutoff at this depth; the moves tried before it lose as much.
pub(super) fn history_bonus(depth: Depth) -> i32 {
    let depth = i32::from(depth.0);
    (4 * depth * depth).min(HISTORY_BOUND / 4)
}

/// Steps per unit to which the logarithms of late-move reductions are rounded.
pub(super) const LOGARITHM_STEPS: f32 = 256.0;

// Solver.

/// Proof and disproof numbers that replace barred ones on other paths.
pub(super) const BARRED_ELSEWHERE: [u32; 2] = [1, 100];
/// Inverse of the epsilon in `1 + epsilon`: a child is visited until its number exceeds the second smallest by that
/// fraction of it.
pub(super) const EPSILON_DIVISOR: u32 = 4;
/// Extra nodes that the search for a shorter line may take after a proof: a few milliseconds.
pub(super) const LINE_NODES: u64 = 20_000;
