//! A small neural network for learned evaluations.
//!
//! ```text
//! pieces as the side to move sees them  --+-> HIDDEN neurons -- squared ReLU --+
//!                                         |   (the same weights)               +--> one number (weights of the bucket)
//! pieces as the other side sees them    --+-> HIDDEN neurons -- squared ReLU --+
//! direct features, if the game has any  ---------------------------------------+
//! ```
//!
//! A game says which input features each side sees; the network only knows their numbers. Both sides share the weights
//! of the first layer, as in Y. Nasu, "Efficiently Updatable Neural-Network-based Evaluation Functions for Computer
//! Shogi", 2018. Unlike there, the first layer is summed for each evaluation: only half of the nodes are evaluated, and
//! there are few features, so keeping the sums up to date at every node takes longer. All numbers are 16-bit integers.
//! The squared, clipped activation is computed as in <https://www.chessprogramming.org/NNUE>.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `layers` | what the layers are, and what they compute |
//! | `row` | how rows of numbers are summed and weighted |
//! | `file` | how weights are stored in a file |
//! | `source` | whether weights are embedded or read |

mod file;
mod layers;
mod row;
mod source;
#[cfg(test)]
mod tests;

pub use file::{MAGIC, Weights, WeightsError};
pub use layers::{HIDDEN_ONE, MOST_OUTPUT, Network, OUTPUT_ONE, Shape};
pub(crate) use row::Row;
pub(crate) use source::Source;
