//! Board drawings for human readers, as text and SVG; board notations that programs read and write belong to their game
//! or protocol.

mod board;
pub mod shown;
mod svg;
mod text;

pub use board::{Board, Content, Labels, compact};
pub use svg::{BOARD_CSS, BOARD_JS, Drawing, Grid, SHAPES};
pub use text::{CHECKERS, LOA, Paint, REQUEST, Style, framed, marked, painted, plain, plain_compact};
