//! One search for every game: iterative deepening over a principal-variation search.
//!
//! It knows a game only through [`Searched`](crate::game::Searched), and the values of positions only through
//! [`Evaluator`](crate::game::Evaluator) and, near the end, [`Knowledge`](crate::game::Knowledge). It never prints; an
//! [`Observer`] watches it and can stop it.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `searcher`, `state` | what several searches share, how one begins, and what state it has |
//! | `deepen` | how deep to search, with which initial window, and until when |
//! | `alpha_beta` | what a node is worth, and one at the horizon |
//! | `order` | which moves to try first, and by how many plies late ones are reduced |
//! | `prune` | which nodes to cut unsearched |
//! | `path` | what a node is, and what the rules say about it, given the path to it |
//! | `table`, `buckets` | what earlier visits found out, and how it is stored |
//! | `limits`, `limit_check` | how long a search may take, who watches it, and whether it must stop |
//! | `threads` | how several threads search together |
//! | `proof` | whether one side has a forced win, however long |
//! | `params` | all parameters and constants of the search |

mod alpha_beta;
mod buckets;
mod deepen;
mod limit_check;
mod limits;
mod order;
mod params;
mod path;
mod proof;
mod searcher;
mod state;
mod table;
mod threads;

pub use limits::{Limits, Line, Observer, Report, TimeLimit};
pub use params::{Aspiration, Futility, LateMoveReduction, NullMove, POLL_NODES, Params, ProbCut, Reuse};
pub use proof::{Expectation, Proof, Prover};
pub use searcher::Searcher;

/// Node signature of this engine: for each game the nodes of searches to a fixed depth from fixed positions, a line each.
/// It changes with the search and the evaluations.
pub const SIGNATURE: &str = include_str!("search/signature.txt");
