//! Games that can be solved, and their evaluations.

use kingline::evaluate;
use kingline::game::{Canonical, Evaluator, Searched};
use kingline::loa::Position;

/// Game with an evaluation for searches and one for the solver. Both only decide what is examined first.
pub(super) trait Evaluated: Canonical + Searched + Send + Sync {
    type ForSearch: Evaluator<Self>;
    type ForSolver: Evaluator<Self>;

    /// Returns the evaluation for searches.
    fn for_search() -> Self::ForSearch;

    /// Returns the evaluation for the solver.
    fn for_solver() -> Self::ForSolver;
}

/// The solver needs about as many nodes with either evaluation, and is faster with the hand-written one.
impl<const N: usize> Evaluated for Position<N> {
    type ForSearch = evaluate::loa::Evaluation<N>;
    type ForSolver = evaluate::solver::Evaluation<N>;

    fn for_search() -> Self::ForSearch {
        Self::ForSearch::default()
    }

    fn for_solver() -> Self::ForSolver {
        Self::ForSolver::default()
    }
}
