//! Automatic player for Lines of Action. A proof-number solver looks for forced wins, then a search chooses a move.
//! Both share one time or node limit.

use std::num::NonZero;
use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use super::choice::{Choice, Why};
use super::params::{NEAR_END, SHORT_WIN, SOLVER_PART};
use kingline::evaluate::loa::Evaluation;
use kingline::game::{Game, History};
use kingline::loa::{Move, Position};
use kingline::score::{Depth, Meaning, Ply, Score};
use kingline::search::{Limits, Observer, Params, Proof, Prover, Report, Searcher};

/// Settings of a player.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LoaSettings {
    /// Parameters of the search.
    pub search: Params,
    /// Solver's share of the time and nodes, 0 to 1. The search gets the rest.
    pub solver: f64,
}

/// Player with its memory, for one or more games.
#[derive(Debug)]
pub struct LoaPlayer<const N: usize> {
    evaluation: Evaluation<N>,
    prover: Prover<Position<N>, Evaluation<N>>,
    searcher: Searcher<Position<N>, Evaluation<N>>,
    settings: LoaSettings,
    /// Threads of a search limited by time.
    threads: NonZero<usize>,
    /// Position after the last winning move, and the minimum score promised for the next turn.
    promise: Option<(Position<N>, Score)>,
}

impl Default for LoaSettings {
    fn default() -> LoaSettings {
        LoaSettings { search: Params::of_game::<Position<8>>(), solver: SOLVER_PART }
    }
}

impl<const N: usize> LoaPlayer<N> {
    /// Player with empty tables of at most `bytes` bytes. A different `variety` leads to different games.
    pub fn new(variety: u64, bytes: usize) -> LoaPlayer<N> {
        LoaPlayer::with(Evaluation::default().with_variety(variety), LoaSettings::default(), bytes)
    }

    /// Player with the given evaluation and settings, and empty tables of at most `bytes` bytes.
    pub fn with(evaluation: Evaluation<N>, settings: LoaSettings, bytes: usize) -> LoaPlayer<N> {
        LoaPlayer {
            prover: Prover::new(evaluation.clone()).with_table_limit(bytes / 2),
            searcher: Searcher::new(evaluation.clone()).with_params(settings.search).with_table_limit(bytes / 2),
            evaluation,
            settings,
            threads: NonZero::<usize>::MIN,
            promise: None,
        }
    }

    /// Uses this number of threads for searches, but one for the solver. A search limited by nodes takes one thread as
    /// well, so that equal limits give equal moves.
    #[must_use]
    pub fn with_threads(self, threads: NonZero<usize>) -> LoaPlayer<N> {
        LoaPlayer { threads, ..self }
    }

    /// Chooses a move in a position, or in the current position of a [`History`]; `None` if no move is legal.
    ///
    /// The solver and the search share the limits. A move that wins at once is found within any limits. A win announced
    /// on the last turn is now at least two plies nearer, if it can be found again within the limits.
    pub fn choose(&mut self, from: impl Into<History<Position<N>>>, limits: Limits) -> Option<Choice<Position<N>>> {
        self.choose_watched(from, limits, &mut ())
    }

    /// Chooses a move while `observer` watches the search.
    pub(super) fn choose_watched(
        &mut self,
        from: impl Into<History<Position<N>>>,
        limits: Limits,
        observer: &mut impl Observer<Position<N>>,
    ) -> Option<Choice<Position<N>>> {
        let history = from.into();
        let position = history.position();
        self.set_threads(limits);
        let promised = self.promised(&position);
        let choice = self.think(&history, limits.started(), promised, observer)?;
        let score = choice.why.score().filter(|score| score.is_win()).or(promised);
        if let Some(Meaning::WinIn(plies)) = score.map(Score::meaning) {
            let next = Score::win_in(Ply(plies.saturating_sub(2)));
            self.promise = Some((position.play(choice.best), next));
        }
        Some(choice)
    }

    /// Chooses the best move to a position that has not occurred in the game; `None` if there is no such move, or if
    /// all of them lose.
    ///
    /// All such moves share the limits. `observer` can only stop the search.
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
        self.set_threads(limits);
        let scored = moves.into_iter().map(|mv| {
            let mut after = history.clone();
            after.play(mv);
            (-self.searcher.search(&after, limits, &mut StopsWith(&mut *observer)).score, mv)
        });
        scored.filter(|(score, _)| !score.is_loss()).max_by_key(|&(score, _)| score).map(|(_, mv)| mv)
    }

    fn set_threads(&mut self, limits: Limits) {
        self.searcher.set_threads(if limits.nodes.is_some() { NonZero::<usize>::MIN } else { self.threads });
    }

    /// Score announced for this turn, if the last move was winning and the game has continued from there.
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
        let mut proof = self.prove(history, limits, observer);
        let proved = proof.score.filter(|score| score.is_win()).zip(proof.line.first().copied());
        // The solver takes the first win that it finds; an earlier search may have found a shorter one.
        if let Some((score, best)) = proved
            && promised.is_none_or(|promised| score >= promised)
        {
            return Some(Choice { best, why: Why::Proved(proof) });
        }
        let mut report = self.searcher.search(history, limits.after(proof.nodes), observer);
        report.nodes += proof.nodes;
        let found = proved.map_or(report.score, |(score, _)| score.max(report.score));
        if let Some(promised) = promised.filter(|&promised| found < promised) {
            let limits = limits.after(report.nodes);
            let mut exact = self.win_again(history, promised, limits, observer);
            exact.nodes += report.nodes;
            if exact.score >= promised {
                return Some(Choice { best: exact.best?, why: Why::Searched(exact) });
            }
            report.nodes = exact.nodes;
        }
        if let Some((score, best)) = proved
            && score >= report.score
        {
            proof.nodes = report.nodes;
            return Some(Choice { best, why: Why::Proved(proof) });
        }
        Some(Choice { best: report.best?, why: Why::Searched(report) })
    }
}

impl<const N: usize> LoaPlayer<N> {
    /// Tries to prove a win; near the end of a limited game a short one first.
    fn prove(
        &mut self,
        history: &History<Position<N>>,
        limits: Limits,
        observer: &mut impl Observer<Position<N>>,
    ) -> Proof<Position<N>> {
        let is_near_end = limits.game_plies.is_some_and(|plies| plies <= NEAR_END);
        let (depth, share) = SHORT_WIN;
        let short = is_near_end.then_some((Some(depth), share));
        let mut all = Proof { score: None, line: Vec::new(), nodes: 0 };
        for (depth, share) in short.into_iter().chain([(limits.depth, self.settings.solver)]) {
            let limits = Limits { depth, ..limits.after(all.nodes).part(share) };
            let proof = self.prover.prove(history, limits, &mut StopsWith(&mut *observer));
            all = Proof { nodes: all.nodes + proof.nodes, ..proof };
            if all.score.is_some_and(Score::is_win) {
                break;
            }
        }
        all
    }

    /// Searches for a win that was announced, without the techniques that may hide it behind a longer one.
    fn win_again(
        &self,
        history: &History<Position<N>>,
        promised: Score,
        limits: Limits,
        observer: &mut impl Observer<Position<N>>,
    ) -> Report<Position<N>> {
        const TABLE_BYTES: usize = 1 << 20;
        let plies = if let Meaning::WinIn(plies) = promised.meaning() { plies } else { 0 };
        let limits = Limits { depth: Some(Depth(i16::try_from(plies).unwrap_or(i16::MAX))), ..limits };
        let searcher = Searcher::new(self.evaluation.clone()).with_params(Params::exact());
        searcher.with_table_limit(TABLE_BYTES).search(history, limits, observer)
    }
}

/// Observer that stops when another observer does, but reports nothing to it.
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
