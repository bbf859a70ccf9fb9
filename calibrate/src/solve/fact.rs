//! Facts about the positions of a proof.

/// Fact about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fact {
    /// The side to move loses in at most this many plies.
    Lost(u16),
    /// The side to move does not win: the other side can at least go on without end.
    NotWon,
    /// Search score for the side that is not to move, in hundredths of the evaluation's unit.
    Score(i16),
    /// The solver tried the position without deciding it.
    Tried,
}

/// All facts about a position.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Facts {
    pub(super) lost: Option<u16>,
    pub(super) not_won: bool,
    pub(super) score: Option<i16>,
    pub(super) tried: bool,
}

impl Facts {
    /// Returns each fact.
    pub(super) fn each(self) -> impl Iterator<Item = Fact> {
        let Facts { lost, not_won, score, tried } = self;
        let [not_won, tried] =
            [(not_won, Fact::NotWon), (tried, Fact::Tried)].map(|(is_so, fact)| is_so.then_some(fact));
        [lost.map(Fact::Lost), not_won, score.map(Fact::Score), tried].into_iter().flatten()
    }

    /// Adds a fact. Keeps the shorter of two distances to a loss.
    pub(super) fn add(&mut self, fact: Fact) {
        match fact {
            Fact::Lost(plies) => self.lost = Some(self.lost.map_or(plies, |known| known.min(plies))),
            Fact::NotWon => self.not_won = true,
            Fact::Score(score) => self.score = Some(score),
            Fact::Tried => self.tried = true,
        }
    }
}
