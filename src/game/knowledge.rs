//! What is a position worth, where that is known without search?

use std::fmt;

use super::rules::Game;
use crate::score::{Ply, Score};

/// What a position is worth for the side to move; more is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wdl {
    /// The side to move loses.
    Loss,
    /// Neither side can win.
    Draw,
    /// The side to move wins.
    Win,
}

/// What a position is worth for the side to move, and how near the game comes to it: the plies, with best play of both
/// sides, to the next zeroing turn (a capture or crowning by either side) or the end of the game.
///
/// After a zeroing turn the game is as good as before and the count of quiet turns starts anew: the distance does not
/// tell how far the end of the game is. Whoever gives a value says whether its distance is exact or an upper bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// The side to move wins; the plies, at least 1.
    Win(u16),
    /// Neither side can win.
    Draw,
    /// The side to move loses; the plies, 0 if it has no move.
    Loss(u16),
}

/// What is known of a game's positions without search: endgame tables, or a solved board.
///
/// Beside [`Game`], not in it, and a parameter of the search, which takes an answer in place of a subtree. It asks at
/// every node below the root that the rules do not end (by the position, a repetition or the count of quiet turns),
/// except in games of limited length. Whoever implements this owes it
///
/// - **soundness**: an answer holds against every defense and under the count of quiet turns; what is in doubt is
///   `None`. The answer knows nothing of earlier positions, so a winner must be able to win without repeating one:
///   with distances to zeroing turns it is, since each of its turns brings the next one nearer;
/// - **speed**: most positions of a search are not known (in tables: too many pieces), and for those `None` must cost
///   next to nothing, a comparison or two. An answer should cost less than the search of a small subtree: about a
///   microsecond;
/// - an answer, `None` included, for **every position**, also one in which the side to move has lost already (if it is
///   known: a loss in 0 plies).
pub trait Knowledge<G: Game> {
    /// What `position` is worth after `quiet_turns` turns in a row without a zeroing one, 0 to [`Game::QUIET_LIMIT`]; a
    /// game without such a limit has no use for them.
    ///
    /// The distance is an upper bound. In a game with a limit it never exceeds what the quiet turns leave of it: a
    /// win farther away than that is a draw, and `None` where the distance is not known that exactly.
    fn probe(&self, position: &G, quiet_turns: u16) -> Option<Value>;
}

/// Nothing is known.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoKnowledge;

impl<G: Game> Knowledge<G> for NoKnowledge {
    #[inline]
    fn probe(&self, _position: &G, _quiet_turns: u16) -> Option<Value> {
        None
    }
}

impl<G: Game, K: Knowledge<G>> Knowledge<G> for &K {
    #[inline]
    fn probe(&self, position: &G, quiet_turns: u16) -> Option<Value> {
        (**self).probe(position, quiet_turns)
    }
}

impl Wdl {
    /// The same for the other side.
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
    /// The value before a zeroing turn that is worth `outcome` to the side that makes it.
    pub const fn by_zeroing(outcome: Wdl) -> Value {
        match outcome {
            Wdl::Win => Value::Win(1),
            Wdl::Draw => Value::Draw,
            Wdl::Loss => Value::Loss(1),
        }
    }

    /// Without the distance.
    pub const fn outcome(self) -> Wdl {
        match self {
            Value::Win(_) => Wdl::Win,
            Value::Draw => Wdl::Draw,
            Value::Loss(_) => Wdl::Loss,
        }
    }

    /// The outcome with `quiet_turns` quiet turns behind the position, of a value that is exact with none behind it: a
    /// draw where the game's limit comes before the zeroing turn.
    pub fn with_quiet_turns<G: Game>(self, quiet_turns: u16) -> Wdl {
        match self {
            Value::Win(plies) | Value::Loss(plies)
                if G::QUIET_LIMIT.is_some_and(|limit| quiet_turns + plies > limit) =>
            {
                Wdl::Draw
            }
            value => value.outcome(),
        }
    }

    /// The score of a position `ply` plies below the root of a search.
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
        let outcome = |value: Value, quiet_turns| value.with_quiet_turns::<checkers::Position>(quiet_turns);
        assert_eq!(outcome(Value::Win(20), 30), Wdl::Win);
        assert_eq!(outcome(Value::Win(20), 31), Wdl::Draw);
        assert_eq!(outcome(Value::Loss(0), 50), Wdl::Loss, "no move: lost before any draw");
        assert_eq!(outcome(Value::Draw, 0), Wdl::Draw);
        assert_eq!(Value::Win(20).with_quiet_turns::<loa::Position<8>>(1000), Wdl::Win, "a game without a limit");
    }

    #[test]
    fn the_score_of_a_value_counts_from_the_root() {
        assert_eq!(Value::Win(5).score(Ply(3)), Score::table_win(Ply(0), 8));
        assert_eq!(Value::Loss(5).score(Ply(3)), Score::table_loss(Ply(0), 8));
        assert_eq!(Value::Draw.score(Ply(3)), Score::DRAW);
    }

    #[test]
    fn display_tells_the_distance_of_a_decided_position() {
        assert_eq!(Value::Win(33).to_string(), "won, 33 plies to the next capture, crowning or end");
        assert_eq!(Value::Loss(1).to_string(), "lost, 1 ply to the next capture, crowning or end");
        assert_eq!(Value::Draw.to_string(), "drawn");
    }
}
