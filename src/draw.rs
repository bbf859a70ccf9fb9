//! How is a board drawn, for people?
//!
//! | file | question it answers |
//! | --- | --- |
//! | `board` | what is there to draw: size, squares, names of rows and columns |
//! | `text` | how does a board look as text |
//! | `compact` | how is a board written in one word, for scripts |
//! | `svg` | how does a board look on a page |
//! | `board.css`, `board.js` | its colors, and how a script draws on it |
//!
//! Boards as programs read and write them are notations, and stand with their game or protocol.

mod board;
mod compact;
mod svg;
mod text;

pub use board::{Board, Content, Labels};
pub use compact::compact;
pub use svg::{Drawing, Grid, SHAPES};
pub use text::{CHECKERS, LOA, Paint, REQUEST, Style, framed, painted, plain};
