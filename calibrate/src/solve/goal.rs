//! Positions to prove, and the player that should win them.

use std::collections::HashSet;

use kingline::game::{Canonical, Color};
use kingline::knowledge::solved::Strategy;

/// Side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whose {
    Winner,
    Defender,
}

impl Whose {
    pub(super) fn other(self) -> Whose {
        match self {
            Whose::Winner => Whose::Defender,
            Whose::Defender => Whose::Winner,
        }
    }
}

/// Result for the winner that is to be proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Aim {
    /// The winner wins.
    Win,
    /// The winner does not lose: it can at least go on without end.
    Hold,
}

impl Aim {
    /// Returns what the other side needs so that this aim is missed.
    pub(super) fn against(self) -> Aim {
        match self {
            Aim::Win => Aim::Hold,
            Aim::Hold => Aim::Win,
        }
    }
}

/// Statement to prove: the side with this role at the start reaches this aim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    pub(super) whose: Whose,
    pub(super) aim: Aim,
}

/// State of a decided claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// The claimant reaches its aim.
    Proved,
    /// The claimant does not win: its opponent can at least go on without end.
    NotWon,
    /// The opponent wins.
    Lost,
}

/// Player that should win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Winner {
    /// The side to move.
    Mover,
    /// The player who begins the game, Black.
    First,
    /// The other player, White.
    Second,
    /// Either player. Tries both at the same time; also proves that neither wins.
    Either,
}

/// A position, the side that should win it, `None` for either, and whether it should only not lose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal<G> {
    pub(super) start: G,
    pub(super) winner: Option<Color>,
    pub(super) aim: Aim,
}

impl<G: Canonical> Goal<G> {
    /// Returns the goal that this player wins.
    pub(super) fn new(start: G, winner: Winner) -> Goal<G> {
        let winner = match winner {
            Winner::Mover => Some(start.turn()),
            Winner::First => Some(Color::Black),
            Winner::Second => Some(Color::White),
            Winner::Either => None,
        };
        Goal { start, winner, aim: Aim::Win }
    }

    /// Returns the role of the side to move; `None` if either side may win.
    pub(super) fn whose(&self) -> Option<Whose> {
        let is_winner = |winner| if winner == self.start.turn() { Whose::Winner } else { Whose::Defender };
        self.winner.map(is_winner)
    }

    /// Returns positions that together prove the goal, one of each form: the start, or the positions after each reply
    /// of the defender, with the winner to move. Leaves out replies that end the game.
    pub(super) fn parts(&self) -> Vec<Goal<G>> {
        if self.whose() != Some(Whose::Defender) {
            return vec![*self];
        }
        let after = self.start.legal_moves().into_iter().map(|mv| self.start.play(mv));
        let mut forms = HashSet::new();
        let new = after.filter(|after| after.outcome().is_none() && forms.insert(after.form()));
        new.map(|start| Goal { start, ..*self }).collect()
    }
}

/// Returns the positions, with the winner to move, that this strategy has to win for these goals.
pub(super) fn turns_of_winner<G: Canonical>(goals: &[Goal<G>], strategy: &Strategy<'_, G>) -> Vec<G> {
    let winner = |start: &G| if strategy.plies(start.form()).is_some() { !start.turn() } else { start.turn() };
    let parts = |goal: &Goal<G>| Goal { winner: goal.winner.or(Some(winner(&goal.start))), ..*goal }.parts();
    goals.iter().flat_map(parts).map(|part| part.start).collect()
}

#[cfg(test)]
mod tests {
    use kingline::game::Game;
    use kingline::loa::Position;

    use super::*;

    #[test]
    fn the_defenders_replies_are_the_parts() {
        let start = Position::<6>::start();
        let parts = |winner| Goal::new(start, winner).parts();
        assert_eq!([Winner::Mover, Winner::First, Winner::Either].map(|winner| parts(winner).len()), [1; 3]);
        // Six of 36 first moves differ by more than a symmetry.
        let replies = parts(Winner::Second);
        assert_eq!(replies.len(), 6);
        assert!(replies.iter().all(|part| part.winner == Some(Color::White) && part.start.turn() == Color::White));
        assert!(replies.iter().all(|part| part.whose() == Some(Whose::Winner)));
        let turns = |winner, lost: Option<u128>| {
            let bytes = Strategy::<Position<6>>::to_bytes(lost.map(|form| (form, 40)), 0);
            turns_of_winner(&[Goal::new(start, winner)], &Strategy::open(&bytes).unwrap()).len()
        };
        assert_eq!([turns(Winner::Either, None), turns(Winner::Either, Some(start.form()))], [1, 6]);
        assert_eq!(turns(Winner::Second, None), 6);
    }
}
