//! Board drawings for human readers.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `board` | what is drawn: the size, the squares, the names of rows and columns |
//! | `text` | how a board looks as text |
//! | `compact` | how a board is written in one word, for scripts |
//! | `svg` | how a board looks on a page |
//! | `shown` | what a page shows of a game, for each game |
//! | `board.css`, `board.js` | how pages style a board, and how scripts change it |
//!
//! Board notations that programs read and write belong to their game or protocol.

mod board;
mod compact;
pub mod shown;
mod svg;
mod text;

pub use board::{Board, Content, Labels};
pub use compact::compact;
pub use svg::{BOARD_CSS, BOARD_JS, Drawing, Grid, SHAPES};
pub use text::{CHECKERS, LOA, Paint, REQUEST, Style, framed, marked, painted, plain, plain_compact};
