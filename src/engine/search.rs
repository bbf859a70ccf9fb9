//! One search for every game: iterative deepening over a principal-variation search.
//!
//! It knows a game only through [`Game`](crate::game::Game), and the values of positions only through
//! [`Evaluator`](crate::game::Evaluator) and, near the end, [`Knowledge`](crate::game::Knowledge). It never prints; an
//! [`Observer`] watches it and can stop it.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `searcher` | what several searches share, and how one begins |
//! | `observer` | what a search reports, and who may stop it |
//! | `deepen` | how deep to search, with which initial window, and until when |
//! | `alpha_beta` | what a node is worth |
//! | `quiescence` | what a node at the horizon is worth |
//! | `order` | which moves to try first |
//! | `prune` | which nodes to cut unsearched |
//! | `reduce` | by how many plies late moves are reduced |
//! | `window` | which scores still matter |
//! | `node` | what the search stores with a position |
//! | `path` | what the rules say about a node, given the path to it, and what its key is |
//! | `table`, `buckets`, `bucket` | what earlier visits found out, and how it is stored |
//! | `evaluations` | what evaluations were computed before |
//! | `threads` | how several threads search together |
//! | `limits` | how long a search may take |
//! | `limit_check` | whether a running search must stop |
//! | `state` | what state a search in progress has, and which nodes need no search |
//! | `proof` | whether one side has a forced win, however long |
//! | `params` | all parameters and constants of the search |

mod alpha_beta;
mod bucket;
mod buckets;
mod deepen;
mod evaluations;
mod limit_check;
mod limits;
mod node;
mod observer;
mod order;
mod params;
mod path;
mod proof;
mod prune;
mod quiescence;
mod reduce;
mod searcher;
mod state;
mod table;
mod threads;
mod window;

pub use limits::{Limits, TimeLimit};
pub use observer::{Line, Observer, Report};
pub use params::{Aspiration, Futility, LateMoveReduction, NullMove, POLL_NODES, Params, ProbCut, Reuse};
pub use proof::{Expectation, Proof, Prover};
pub use searcher::Searcher;

/// Node signature of this engine: for each game the nodes of searches to a fixed depth from fixed positions, a line each.
/// It changes with the search and the evaluations.
pub const SIGNATURE: &str = include_str!("search/signature.txt");
