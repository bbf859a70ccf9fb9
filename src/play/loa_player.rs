//! What does the automatic player of Lines of Action move? A proof-number solver looks for forced wins, then a
//! search chooses, both within one limit of time or of nodes.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use super::choice::{Choice, Why};
use super::params::SOLVER_PART;
use crate::evaluate::loa::Evaluation;
use crate::game::{Game, History};
use crate::loa::{Move, Position};
use crate::score::{Meaning, Ply, Score};
use crate::search::{Limits, Observer, Params, Prover, Searcher};

/// How a player thinks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LoaSettings {
    /// Parameters of the search.
    pub search: Params,
    /// The solver's part of time and nodes, 0 to 1; the search has the rest.
    pub solver: f64,
}

/// A player with its memory, for one game or several.
#[derive(Debug)]
pub struct LoaPlayer<const N: usize> {
    prover: Prover<Position<N>, Evaluation<N>>,
    searcher: Searcher<Position<N>, Evaluation<N>>,
    settings: LoaSettings,
    /// The position after the last winning move, and the score that its next turn must have at least.
    promise: Option<(Position<N>, Score)>,
}

impl Default for LoaSettings {
    fn default() -> LoaSettings {
        LoaSettings { search: Params::of_game::<Position<8>>(), solver: SOLVER_PART }
    }
}

impl<const N: usize> LoaPlayer<N> {
    /// A player with empty tables, which take at most `bytes` bytes. Players with different
    /// `variety` play different games.
    pub fn new(variety: u64, bytes: usize) -> LoaPlayer<N> {
        LoaPlayer::with_settings(LoaSettings::default(), variety, bytes)
    }

    /// Likewise, with other settings.
    pub fn with_settings(settings: LoaSettings, variety: u64, bytes: usize) -> LoaPlayer<N> {
        let evaluation = Evaluation::with_variety(variety);
        LoaPlayer {
            prover: Prover::new(evaluation).with_table_limit(bytes / 2),
            searcher: Searcher::new(evaluation).with_params(settings.search).with_table_limit(bytes / 2),
            settings,
            promise: None,
        }
    }

    /// The move to make in a position, or the current one of a [`History`]; none if there is no legal one.
    ///
    /// The limits are shared by the solver and the search. A move that wins at once is found within any. A win that
    /// was announced at the last turn is two plies nearer now, or more, if the limits let it be found again.
    pub fn choose(&mut self, from: impl Into<History<Position<N>>>, limits: Limits) -> Option<Choice<Position<N>>> {
        self.choose_watched(from, limits, &mut ())
    }

    /// Likewise, with the search watched by `observer`.
    pub(super) fn choose_watched(
        &mut self,
        from: impl Into<History<Position<N>>>,
        limits: Limits,
        observer: &mut impl Observer<Position<N>>,
    ) -> Option<Choice<Position<N>>> {
        let history = from.into();
        let position = history.position();
        let promised = self.promised(&position);
        let choice = self.think(&history, limits.started(), promised, observer)?;
        let score = choice.why.score().filter(|score| score.is_win()).or(promised);
        if let Some(Meaning::WinIn(plies)) = score.map(Score::meaning) {
            let next = Score::win_in(Ply(plies.saturating_sub(2)));
            self.promise = Some((position.play(choice.best), next));
        }
        Some(choice)
    }

    /// The best move to a position that the game has not had; none if there is none, or if all of them lose.
    ///
    /// The limits are shared by all such moves. Of `observer` only its stop is heard.
    pub(super) fn choose_new(
        &mut self,
        history: &History<Position<N>>,
        limits: Limits,
        observer: &mut impl Observer<Position<N>>,
    ) -> Option<Move> {
        let position = history.position();
        let is_new = |mv: &Move| {
            let after = position.play(*mv);
            after.outcome().is_none() && !history.positions().contains(&after)
        };
        let moves: Vec<Move> = position.legal_moves().into_iter().filter(is_new).collect();
        let limits = limits.part(1.0 / moves.len().max(1) as f64);
        let scored = moves.into_iter().map(|mv| {
            let mut after = history.clone();
            after.play(mv);
            (-self.searcher.search(&after, limits, &mut StopsWith(&mut *observer)).score, mv)
        });
        scored.filter(|(score, _)| !score.is_loss()).max_by_key(|&(score, _)| score).map(|(_, mv)| mv)
    }

    /// The score announced for this turn, if the last one was won and the game has gone on from there.
    fn promised(&self, position: &Position<N>) -> Option<Score> {
        let (before, score) = self.promise?;
        before.legal_moves().into_iter().any(|mv| before.play(mv) == *position).then_some(score)
    }

    fn think(
        &mut self,
        history: &History<Position<N>>,
        limits: Limits,
        promised: Option<Score>,
        observer: &mut impl Observer<Position<N>>,
    ) -> Option<Choice<Position<N>>> {
        if let [best] = history.position().legal_moves()[..] {
            return Some(Choice { best, why: Why::OnlyMove });
        }
        let mut proof = self.prover.prove(history, limits.part(self.settings.solver), &mut StopsWith(observer));
        let proved = proof.score.filter(|score| score.is_win()).zip(proof.line.first().copied());
        // The solver takes the first win that it finds. The search may have found a shorter one before.
        if let Some((score, best)) = proved
            && promised.is_none_or(|promised| score >= promised)
        {
            return Some(Choice { best, why: Why::Proved(proof) });
        }
        let mut report = self.searcher.search(history, limits.after(proof.nodes), observer);
        report.nodes += proof.nodes;
        if let Some((score, best)) = proved
            && score >= report.score
        {
            proof.nodes = report.nodes;
            return Some(Choice { best, why: Why::Proved(proof) });
        }
        Some(Choice { best: report.best?, why: Why::Searched(report) })
    }
}

/// Stops when another observer does, and hears nothing else of it.
struct StopsWith<'a, O>(&'a mut O);

impl<G: Game, O: Observer<G>> Observer<G> for StopsWith<'_, O> {
    fn poll(&mut self) -> ControlFlow<()> {
        self.0.poll()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(position: &str) -> String {
        let position: Position<6> = position.parse().unwrap();
        LoaPlayer::new(0, 1 << 20).choose(position, Limits::nodes(2000)).expect("a legal move").why.to_string()
    }

    #[test]
    fn a_level_game_is_searched_a_win_proved_a_forced_move_made() {
        let level = why("-bbbb-/w----w/w----w/w----w/w----w/-bbbb- black");
        assert!(level.starts_with(['+', '-']) && level.contains("; depth ") && level.ends_with(" nodes"), "{level}");
        let won = why("------/-bb---/----b-/--w---/------/w----w black");
        assert!(won.starts_with("proved: win in 1, "), "{won}");
        assert_eq!(why("----wb/-ww-ww/------/------/----w-/-w--wb black"), "the only move");
    }

    #[test]
    fn without_a_legal_move_there_is_no_choice() {
        let lost: Position<6> = "bw----/ww----/------/------/------/-----w black".parse().unwrap();
        assert!(lost.legal_moves().is_empty() && LoaPlayer::new(0, 1 << 20).choose(lost, Limits::nodes(1)).is_none());
    }
}
