//! A person as a player.

use anyhow::bail;

use crate::league::clock_rules::Spent;
use crate::record::{FaultKind, Violation};
use crate::referee::player::{Answer, Ask, GameEnd, Player};
use kingline::draw::Board;
use kingline::game::Color;

/// A way to ask a person for moves.
pub trait Person {
    /// Asks for a move in the last position shown, by its number among the legal moves; `None` if the person has left.
    fn choose(&self) -> Option<usize>;
}

/// A person at the board. Persons have no clock: their moves cost no time.
pub(super) struct PersonPlayer<'a>(pub(super) &'a dyn Person);

impl<G: Board> Player<G> for PersonPlayer<'_> {
    fn begin(&mut self, _: Color) -> anyhow::Result<()> {
        Ok(())
    }

    fn choose(&mut self, ask: &Ask<G>) -> anyhow::Result<Answer<G::Move>> {
        let Some(number) = self.0.choose() else { bail!("the person left the game") };
        let legal = ask.history.position().legal_moves();
        let wrong = || Violation {
            kind: FaultKind::Illegal,
            read: format!("move {number}"),
            expected: format!("one of {} legal moves", legal.len()),
        };
        Ok(Answer::new(legal.get(number).copied().ok_or_else(wrong), Spent::default()))
    }

    fn finish(&mut self, _: &GameEnd<G>) -> anyhow::Result<Option<Violation>> {
        Ok(None)
    }
}
