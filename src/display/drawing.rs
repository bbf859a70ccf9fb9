//! The board as SVG, for the page and its help.

use crate::draw::{Board, Drawing, Grid, Labels, compact};
use crate::loa::Position;

/// Draws a board as an SVG element.
pub(super) fn board(position: &Position<8>, id: &str, label: &str) -> String {
    let grid = Grid { size: Position::<8>::SIZE, labels: Labels::FromBottom };
    Drawing { grid, id, label, board: &compact(position), mv: None }.to_string()
}
