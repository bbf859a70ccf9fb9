//! Positions that a proof rests on.
//!
//! The solver remembers that a position is lost and in how many plies, but not why. So the proof is walked again down
//! to the end of the game: all of the loser's moves, and one of the winner's moves that leads to a position known to be
//! lost. A position enters the store after all positions that it rests on. Therefore no position rests on itself,
//! whatever the solver remembers.

use kingline::game::Outcome;
use kingline::score::{Meaning, Score};
use kingline::search::{Limits, Prover};

use super::evaluated::Evaluated;
use super::store::Fact;
use super::store::Store;

/// Node limit for repeating a proof that the solver's table has lost.
const AGAIN: u64 = 2_000_000;

/// Walk through one of the solver's proofs.
pub(super) struct ReadOut<'a, G: Evaluated> {
    pub(super) store: &'a Store,
    pub(super) prover: &'a mut Prover<G, G::ForSolver>,
    /// Lost positions on the way here. A form may occur twice; the second position is nearer to the end.
    way: Vec<G>,
    /// Nodes that the solver visited again.
    pub(super) nodes: u64,
}

/// Error: the solver's table has lost the proof, and a short search found no other one, or only a repetition.
#[derive(Clone, Copy, Debug)]
pub(super) struct Forgotten;

impl<'a, G: Evaluated> ReadOut<'a, G> {
    pub(super) fn new(store: &'a Store, prover: &'a mut Prover<G, G::ForSolver>) -> ReadOut<'a, G> {
        ReadOut { store, prover, way: Vec::new(), nodes: 0 }
    }

    /// Adds a position that was proved lost, and all positions that it rests on, to the store. Returns the largest
    /// number of plies in which it is lost.
    pub(super) fn lost(&mut self, position: &G) -> Result<u16, Forgotten> {
        let form = position.form();
        if let Some(plies) = self.store.lost(form) {
            return Ok(plies);
        }
        if self.way.contains(position) {
            return Err(Forgotten);
        }
        self.way.push(*position);
        let plies = self.after_replies(position);
        self.way.pop();
        self.store.add(form, Fact::Lost(plies?));
        plies
    }

    fn after_replies(&mut self, position: &G) -> Result<u16, Forgotten> {
        let mut most = 0;
        for mv in position.legal_moves() {
            let after = position.play(mv);
            let plies = match after.outcome() {
                Some(Outcome::Win(winner)) if winner == after.turn() => 0,
                Some(_) => return Err(Forgotten),
                None => self.won(&after)?,
            };
            most = most.max(plies + 1);
        }
        Ok(most)
    }

    /// Adds the positions that a proved win rests on. Returns the largest number of plies in which the position is won.
    pub(super) fn won(&mut self, position: &G) -> Result<u16, Forgotten> {
        if let Some(plies) = self.store.won(position) {
            return Ok(plies);
        }
        for mv in self.remembered(position) {
            if let Ok(plies) = self.lost(&position.play(mv)) {
                return Ok(plies + 1);
            }
        }
        let proof = self.prover.prove(*position, Limits::nodes(AGAIN), &mut ());
        self.nodes += proof.nodes;
        match (proof.score, proof.line.first()) {
            (Some(score), Some(&mv)) if score.is_win() => Ok(self.lost(&position.play(mv))? + 1),
            _ => Err(Forgotten),
        }
    }

    /// Returns the moves to positions that the solver knows to be lost, quickest loss first.
    fn remembered(&self, position: &G) -> Vec<G::Move> {
        let plies = |mv| match self.prover.known(&position.play(mv)).map(Score::meaning) {
            Some(Meaning::LossIn(plies)) => Some((plies, mv)),
            _ => None,
        };
        let mut moves: Vec<(u16, G::Move)> = position.legal_moves().into_iter().filter_map(plies).collect();
        moves.sort_by_key(|&(plies, _)| plies);
        moves.into_iter().map(|(_, mv)| mv).collect()
    }
}
