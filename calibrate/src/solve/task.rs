//! Thread tasks and their results.

/// Task of a thread.
#[derive(Clone, Copy, Debug)]
pub(super) enum Task<G> {
    /// Finds the winner's best move in this position.
    Best(G),
    /// Searches this many nodes for the winner's best move in this position, which had been searched before.
    Deepen(G, u64),
    /// Scores all of the winner's moves in this position.
    Others(G),
    /// Scores the positions after all of the defender's moves in this position, with short searches.
    Replies(G),
    /// Tries to prove this position of the defender lost within this number of solver nodes.
    Solve(G, u64),
}

/// Result of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// The winner wins, and the store knows how.
    Proved,
    /// The defender wins.
    Refuted,
    /// The store has new scores, or a note that the solver has tried.
    More,
}
