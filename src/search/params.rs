//! Which numbers do the search and the solver go by, and where do their techniques come from?
//!
//! [`Params`] can be set, and its values were chosen by games and by time to depth: the commits that changed them say
//! the results. The constants below it cannot; where no measurement is given, none was made.

#[cfg(feature = "programs")]
use serde::{Deserialize, Serialize};

use crate::game::Game;
use crate::score::Depth;

/// Which entries of the transposition table may replace a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "programs", derive(Serialize, Deserialize), serde(rename_all = "snake_case"))]
pub enum Reuse {
    /// None; the table gives only a first move.
    Nothing,
    /// Those of exactly the depth wanted: the value of a search without a table.
    SameDepth,
    /// Those of at least the depth wanted.
    Deeper,
}

/// All that can be set. `None` or `false` leaves a technique out.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "programs", derive(Serialize, Deserialize), serde(default, deny_unknown_fields))]
#[expect(clippy::struct_excessive_bools, reason = "each technique is used or not, by its name")]
pub struct Params {
    /// Transposition table. R. Greenblatt et al., "The Greenblatt chess program", 1967.
    pub reuse: Reuse,
    /// Null windows after the first move. A. Reinefeld, "An improvement to the Scout
    /// tree-search algorithm", 1983; T. Marsland, M. Campbell, 1982.
    pub null_windows: bool,
    /// Narrow first windows at the root.
    pub aspiration: Option<Aspiration>,
    /// Two moves a ply that cut before. S. Akl, M. Newborn, "The principal continuation and
    /// the killer heuristic", 1977.
    pub killers: bool,
    /// Moves that cut elsewhere. J. Schaeffer, "The history heuristic", 1983.
    pub history: bool,
    /// The move that refuted the opponent's last one. J. Uiterwijk, "The countermove
    /// heuristic", 1992.
    pub counter_moves: bool,
    /// From this depth on a move that wins at once is looked for among all, before any is searched.
    pub look_for_wins: Option<Depth>,
    /// Forced-move extension: the only legal move costs no depth, unless it changes material.
    pub forced_move_extension: bool,
    /// Late moves are searched less deep.
    pub late_move_reduction: Option<LateMoveReduction>,
    /// Nodes that stand above the window even after a turn given up are cut.
    pub null_move: Option<NullMove>,
    /// Nodes near the horizon that stand far above the window are cut.
    pub futility: Option<Futility>,
    /// Nodes that a shallower search puts far outside the window are cut.
    pub prob_cut: Option<ProbCut>,
}

/// Aspiration windows: D. Slate, L. Atkin, "Chess 4.5", 1977.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "programs", derive(Serialize, Deserialize))]
pub struct Aspiration {
    /// Iterations below this depth have the full window.
    pub from_depth: Depth,
    /// First distance of each bound from the last score, in hundredths of the evaluation's unit; it grows by half.
    pub margin: i16,
}

impl Aspiration {
    /// The margin after a failed one: half as much again, and never the same.
    pub(super) const fn wider(margin: i16) -> i16 {
        margin.saturating_add(margin / 2 + 1)
    }
}

/// Late-move reductions: T. Romstad, "An introduction to late move reductions", 2006.
/// Plies less: `base + ln(depth) * ln(move number) / divisor`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "programs", derive(Serialize, Deserialize))]
pub struct LateMoveReduction {
    /// Nodes of less depth reduce nothing.
    pub from_depth: Depth,
    /// The first move reduced, counted from 0.
    pub from_move: usize,
    /// In plies.
    pub base: f32,
    /// The larger, the less is reduced.
    pub divisor: f32,
}

/// Null move, in games that know [`pass`](crate::game::Game::pass): D. Beal, "A generalised quiescence search
/// algorithm", 1990; C. Donninger, "Null move and deep search", 1993.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "programs", derive(Serialize, Deserialize))]
pub struct NullMove {
    /// Nodes of less depth are not cut.
    pub from_depth: Depth,
    /// Plies less for what follows the null move, ...
    pub reduction: i16,
    /// ... and one more for each `divisor` plies of depth.
    pub divisor: i16,
}

/// Futility pruning of a node: E. Heinz, "Scalable search in computer chess", 2000 (there called static null move).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "programs", derive(Serialize, Deserialize))]
pub struct Futility {
    /// Nodes of more depth are not cut.
    pub to_depth: Depth,
    /// The static value must reach beta by this much for each ply of depth, in hundredths of the evaluation's unit.
    pub margin: i16,
}

/// ProbCut: M. Buro, "ProbCut: an effective selective extension of the alpha-beta
/// algorithm", 1995.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "programs", derive(Serialize, Deserialize))]
pub struct ProbCut {
    /// Nodes of less depth are not cut.
    pub from_depth: Depth,
    /// The shallower search has this many plies less.
    pub reduction: i16,
    /// It must reach beta by this much more, in hundredths of the evaluation's unit.
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
            futility: None,
            prob_cut: Some(ProbCut { from_depth: Depth(6), reduction: 5, margin: 25 }),
        }
    }
}

impl Params {
    /// The numbers that suit a game: those for games in which a static evaluation can be trusted everywhere
    /// ([`Game::STATIC_EVAL_SUFFICES`]) were chosen in Lines of Action, the others in checkers.
    pub fn of_game<G: Game>() -> Params {
        if G::STATIC_EVAL_SUFFICES { Params::without_quiescence() } else { Params::default() }
    }

    fn without_quiescence() -> Params {
        Params {
            look_for_wins: Some(Depth(2)),
            futility: Some(Futility { to_depth: Depth(3), margin: 45 }),
            prob_cut: None,
            ..Params::default()
        }
    }

    /// Only techniques that never change the value of a search to a fixed depth.
    pub fn exact() -> Params {
        Params {
            reuse: Reuse::SameDepth,
            late_move_reduction: None,
            null_move: None,
            prob_cut: None,
            ..Params::default()
        }
    }

    /// Plain alpha-beta in the order of generation: what every other technique is held against.
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

// Of every search.

/// Nodes between two calls of [`Observer::poll`](super::Observer::poll): a fraction of a millisecond.
pub const POLL_NODES: u64 = 1024;
/// No more plies than this below the root, extensions and quiescence included; a shallower search of ProbCut on the way
/// takes one of them.
pub(super) const MAX_PLY: usize = 200;
/// Where the rules know no repetition: a position of the game counts as a draw when it comes back for this time, so that
/// the side that stands better goes another way and there are no endless cycles.
pub(super) const UNRULED_LIMIT: u8 = 2;
/// From this many quiet turns on, their count is part of a position's key: before, the draw is too far away to matter.
pub(super) const COUNTED_QUIET_TURNS: u16 = 16;
/// From this many plies before the game's last on, their count is part of a position's key.
pub(super) const COUNTED_LAST_PLIES: u16 = 24;

// Of the tables.

/// Limit of a table of which nothing was said: it fills in some seconds.
pub(super) const TABLE_BYTES: usize = 64 << 20;
/// Buckets at first: 256 KiB.
pub(super) const FIRST_BUCKETS: usize = 1 << 12;
/// An entry of the transposition table counts as this much shallower for every search since it was written.
pub(super) const AGE_PLIES: i32 = 4;

// Of the move order: ratings, far apart so that the kinds of moves do not mix.

/// The move that the transposition table holds.
pub(super) const TABLE_MOVE: i32 = 1 << 20;
/// Added for a move that is not quiet.
pub(super) const CAPTURE: i32 = 1 << 19;
/// The later and the earlier killer.
pub(super) const KILLERS: [i32; 2] = [1 << 18, 1 << 17];
/// The counter move.
pub(super) const COUNTER: i32 = 1 << 16;
/// A move's history stays within plus and minus this.
pub(super) const HISTORY_BOUND: i32 = 1 << 13;

/// What a move's history gains when it cuts a node of this depth, and what those lose that were tried before it.
pub(super) fn history_bonus(depth: Depth) -> i32 {
    let depth = i32::from(depth.0);
    (4 * depth * depth).min(HISTORY_BOUND / 4)
}

/// Steps to one of the logarithms by which late moves are reduced.
pub(super) const LOGARITHM_STEPS: f32 = 256.0;

// Of the solver.

/// The numbers of a win and of a loss, on other paths, of a position that is barred on one.
pub(super) const BARRED_ELSEWHERE: [u32; 2] = [1, 100];
/// A child is visited until another one is more promising by its number divided by this: the epsilon of `1 + epsilon`.
pub(super) const EPSILON_DIVISOR: u32 = 4;
/// Nodes that the line of a proof may cost beyond those of the proof: a few milliseconds.
pub(super) const LINE_NODES: u64 = 20_000;
