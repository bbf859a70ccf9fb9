//! Turns a hold into a win, where there is one.
//!
//! A graph that proves a hold is content with a move back to an earlier position, although another one may win there. So
//! each position that the holder's strategy only holds is tried for itself, and those that it leads to come first: where
//! all of them turn out to be lost for the other side, so is the position.

use anyhow::Result;

use super::evaluated::Evaluated;
use super::node::{Aim, Claim, Whose};
use super::notes::Notes;
use super::run::Solver;
use super::strategy;

impl Solver<'_> {
    /// Tries to prove that the player with this role wins the positions that it only holds from `start`, or that the
    /// other side holds them as well: each with this number of nodes. Does nothing if the store knows that the other side
    /// holds from `start`.
    ///
    /// # Errors
    /// Fails if the store cannot be written, or lacks a part of the holder's strategy.
    pub(super) fn improve<G: Evaluated>(&self, start: &G, whose: Whose, nodes: u64, notes: &mut Notes) -> Result<()> {
        let is_no_win = match whose {
            Whose::Winner => self.store.misses(start.form(), Aim::Win),
            Whose::Defender => self.store.reaches(start, Aim::Hold),
        };
        if is_no_win {
            return Ok(());
        }
        let claim = Claim { whose: Whose::Defender, aim: Aim::Win };
        for position in strategy::only_held(self.store, start, whose)? {
            if self.store.reaches(&position, Aim::Hold) || !self.attempt(&position, &[claim], nodes, notes)?.is_empty()
            {
                continue;
            }
            self.is_held(&position, Whose::Winner, nodes, notes)?;
        }
        Ok(())
    }
}
