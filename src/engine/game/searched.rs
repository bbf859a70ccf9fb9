//! A game for the search: the rules, the kinds of moves, and static values.

use std::fmt;

use super::history::Rules;
use super::outcome::Outcome;
use super::rules::{Game, MoveList};
use crate::score::{Ply, Score};

/// A game that the search plays.
///
/// Most items have a default that is right for every game. A game that knows better makes the search faster and stronger.
pub trait Searched: Game {
    /// Size of the search's history tables, which [`slot`](Self::slot) indexes.
    const SLOTS: usize = 1;
    /// True if the static evaluation is reliable everywhere, even where captures are possible. The search then skips
    /// quiescence search.
    const STATIC_EVAL_SUFFICES: bool = false;

    /// Returns `true` if the static evaluation is reliable after `mv`: in games where material counts, if `mv` captures
    /// nothing.
    fn is_quiet(&self, mv: Self::Move) -> bool;
    /// Returns the index of moves like `mv` in the search's history tables, below [`SLOTS`](Self::SLOTS). By default all
    /// moves share one, and the search learns nothing about single moves.
    fn slot(_mv: Self::Move) -> usize {
        0
    }
    /// Adds the legal moves that are not [quiet](Self::is_quiet) to `list`, in the order of [`Game::moves`]. Returns
    /// `true` if there are quiet ones as well.
    fn noisy_moves(&self, list: &mut MoveList<Self::Move>) -> bool {
        let all = self.legal_moves();
        all.iter().filter(|&&mv| !self.is_quiet(mv)).for_each(|&mv| list.push(mv));
        all.iter().any(|&mv| self.is_quiet(mv))
    }
    /// Returns `true` if the side to move would face a move that is not [quiet](Self::is_quiet) after giving up its turn,
    /// so that the static evaluation cannot be trusted. By default it never can, unless it suffices everywhere.
    fn is_threatened(&self) -> bool {
        !Self::STATIC_EVAL_SUFFICES
    }
    /// Returns `true` if a legal move leads to an [outcome](Game::outcome) that the side to move wins. Wins that leave the
    /// opponent without a move do not count, since finding them takes a move list for each move.
    fn wins_at_once(&self) -> bool {
        let won = Some(Outcome::Win(self.turn()));
        self.legal_moves().iter().any(|&mv| self.play(mv).outcome() == won)
    }
    /// Returns the position with the other side to move (the null move), in games where zugzwang is rare; `None` in
    /// others.
    fn pass(self) -> Option<Self> {
        None
    }
}

/// A static evaluation of a game's positions.
///
/// Separate from [`Game`], because most users of a game's rules need no evaluation, and a game may have several. The
/// threads of a search share it.
pub trait Evaluator<G: Game>: Sync {
    /// State updated along with the position, move by move: `()`, or an accumulator. It may be large; the search passes
    /// it by reference.
    type State: Clone;

    /// True if a search should keep evaluations by [`Game::key`] rather than compute them again: if computing one takes
    /// longer than looking it up, which may miss the processor's caches.
    const IS_COSTLY: bool = false;

    /// Returns the state of a position, computed from scratch.
    fn start(&self, position: &G) -> Self::State;
    /// Sets `next` to the state after `mv`, updated from the one before. It must equal the state computed from scratch.
    /// Callers keep `next` and reuse it, so that a large state is never copied.
    fn advance(&self, state: &Self::State, before: &G, mv: G::Move, after: &G, next: &mut Self::State);
    /// Like [`advance`](Self::advance), but for a null move ([`Searched::pass`]). Never called in games without null moves.
    fn passed(&self, state: &Self::State, after: &G, next: &mut Self::State);
    /// Returns the value of `position` for the side to move: an estimate in the evaluation's own unit, never a decided
    /// score; see [`Score`].
    fn evaluate(&self, state: &Self::State, position: &G) -> Score;
}

/// A closure is a stateless evaluation: `|position: &P| Score::estimate(...)`.
impl<G: Game, F: Fn(&G) -> Score + Sync> Evaluator<G> for F {
    type State = ();

    fn start(&self, _: &G) {}
    fn advance(&self, (): &(), _: &G, _: G::Move, _: &G, (): &mut ()) {}
    fn passed(&self, (): &(), _: &G, (): &mut ()) {}
    fn evaluate(&self, (): &(), position: &G) -> Score {
        self(position)
    }
}

/// Result of a position under best play, for the side to move; better results compare greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wdl {
    /// The side to move loses.
    Loss,
    /// Neither side can win.
    Draw,
    /// The side to move wins.
    Win,
}

/// Result of a position under best play, for the side to move, with its distance: the plies to the next zeroing turn (a
/// capture or crowning by either side) or the end of the game.
///
/// A zeroing turn on the way keeps the result and restarts the count of quiet turns, so the distance says nothing about
/// how far away the end of the game is. Each function that returns a value documents whether the distance is exact or
/// an upper bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// The side to move wins; distance in plies, at least 1.
    Win(u16),
    /// Neither side can win.
    Draw,
    /// The side to move loses; distance in plies, 0 if it has no move.
    Loss(u16),
}

/// A source of known values for positions of a game: endgame tables, or a solved board.
///
/// Separate from [`Game`], and a parameter of the search, which uses an answer in place of a subtree. The search probes
/// at every node below the root where the rules do not end the game (by the position, a repetition or the count of
/// quiet turns), except in games of limited length. An implementation must provide
///
/// - **soundness**: an answer holds against every defense and under the count of quiet turns; in case of doubt, it is
///   `None`. The answer ignores earlier positions, so the winner must be able to win without repeating one. Distances
///   to zeroing turns guarantee that, since each of the winner's turns brings the next zeroing turn nearer;
/// - **speed**: most positions in a search are unknown (too many pieces for the tables), and for those `None` must cost
///   next to nothing, a comparison or two. An answer should cost less than searching a small subtree: about a
///   microsecond;
/// - **completeness**: a probe accepts every position, even one in which the side to move has already lost (if known: a
///   loss in 0 plies); it may always return `None`.
pub trait Knowledge<G: Game>: Sync {
    /// Returns the value of `position` after `quiet_turns` consecutive quiet turns, 0 to the limit of the rules; without a
    /// limit they are ignored.
    ///
    /// The distance is an upper bound. Under a limit it never exceeds the quiet turns that are left: a win farther away
    /// than that is a draw, or `None` if the distance is not known precisely enough.
    fn probe(&self, position: &G, quiet_turns: u16, rules: Rules) -> Option<Value>;
}

/// No knowledge: every probe returns `None`.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoKnowledge;

impl<G: Game> Knowledge<G> for NoKnowledge {
    #[inline]
    fn probe(&self, _position: &G, _quiet_turns: u16, _rules: Rules) -> Option<Value> {
        None
    }
}

/// Knows what there is, or nothing.
impl<G: Game, K: Knowledge<G>> Knowledge<G> for Option<K> {
    fn probe(&self, position: &G, quiet_turns: u16, rules: Rules) -> Option<Value> {
        self.as_ref()?.probe(position, quiet_turns, rules)
    }
}

/// Knows what any of them knows. The first answer counts.
impl<G: Game, K: Knowledge<G>, const N: usize> Knowledge<G> for [K; N] {
    fn probe(&self, position: &G, quiet_turns: u16, rules: Rules) -> Option<Value> {
        self.iter().find_map(|knowledge| knowledge.probe(position, quiet_turns, rules))
    }
}

impl<G: Game, K: Knowledge<G>> Knowledge<G> for &K {
    #[inline]
    fn probe(&self, position: &G, quiet_turns: u16, rules: Rules) -> Option<Value> {
        (**self).probe(position, quiet_turns, rules)
    }
}

impl Wdl {
    /// Returns the result for the other side.
    #[must_use]
    pub const fn reversed(self) -> Wdl {
        match self {
            Wdl::Loss => Wdl::Win,
            Wdl::Draw => Wdl::Draw,
            Wdl::Win => Wdl::Loss,
        }
    }
}

impl Value {
    /// Value before a zeroing turn whose result is `outcome` for the side that makes it.
    pub const fn by_zeroing(outcome: Wdl) -> Value {
        match outcome {
            Wdl::Win => Value::Win(1),
            Wdl::Draw => Value::Draw,
            Wdl::Loss => Value::Loss(1),
        }
    }

    /// Returns the result without the distance.
    pub const fn outcome(self) -> Wdl {
        match self {
            Value::Win(_) => Wdl::Win,
            Value::Draw => Wdl::Draw,
            Value::Loss(_) => Wdl::Loss,
        }
    }

    /// Returns the result after `quiet_turns` quiet turns: a draw if the limit of the rules comes before the zeroing turn.
    /// The value must be exact for a count of 0.
    pub fn with_quiet_turns<G: Game>(self, quiet_turns: u16, rules: Rules) -> Wdl {
        match (self, rules.quiet_limit::<G>()) {
            (Value::Win(plies) | Value::Loss(plies), Some(limit)) if quiet_turns + plies > limit => Wdl::Draw,
            _ => self.outcome(),
        }
    }

    /// Returns the score of the value `ply` plies below the root of a search.
    #[inline]
    pub const fn score(self, ply: Ply) -> Score {
        match self {
            Value::Win(plies) => Score::table_win(ply, plies),
            Value::Draw => Score::DRAW,
            Value::Loss(plies) => Score::table_loss(ply, plies),
        }
    }
}

impl fmt::Display for Value {
    /// `won, 7 plies to the next capture, crowning or end`, `drawn`, `lost, ...`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, plies) = match self {
            Value::Draw => return f.write_str("drawn"),
            Value::Win(plies) => ("won", plies),
            Value::Loss(plies) => ("lost", plies),
        };
        let s = if *plies == 1 { "y" } else { "ies" };
        write!(f, "{word}, {plies} pl{s} to the next capture, crowning or end")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{checkers, loa};

    #[test]
    fn a_count_of_quiet_turns_makes_distant_wins_draws() {
        let outcome =
            |value: Value, quiet_turns| value.with_quiet_turns::<checkers::Position>(quiet_turns, Rules::Course);
        assert_eq!(outcome(Value::Win(20), 30), Wdl::Win);
        assert_eq!(outcome(Value::Win(20), 31), Wdl::Draw);
        assert_eq!(outcome(Value::Loss(0), 50), Wdl::Loss, "no move: lost before any draw");
        assert_eq!(outcome(Value::Draw, 0), Wdl::Draw);
        assert_eq!(Value::Win(20).with_quiet_turns::<checkers::Position>(1000, Rules::Game), Wdl::Win);
        let without_limit = Value::Win(20).with_quiet_turns::<loa::Position<8>>(1000, Rules::Course);
        assert_eq!(without_limit, Wdl::Win, "a game without a limit");
    }

    #[test]
    fn the_score_of_a_value_counts_from_the_root() {
        assert_eq!(Value::Win(5).score(Ply(3)), Score::table_win(Ply(0), 8));
        assert_eq!(Value::Loss(5).score(Ply(3)), Score::table_loss(Ply(0), 8));
        assert_eq!(Value::Draw.score(Ply(3)), Score::DRAW);
    }

    #[test]
    fn display_shows_the_distance_of_a_decided_position() {
        assert_eq!(Value::Win(33).to_string(), "won, 33 plies to the next capture, crowning or end");
        assert_eq!(Value::Loss(1).to_string(), "lost, 1 ply to the next capture, crowning or end");
        assert_eq!(Value::Draw.to_string(), "drawn");
    }
}
