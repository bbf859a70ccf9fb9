//! How do boards look, to programs and to people?

use std::fmt::Write;

use crate::game::{Color, Game};
use crate::loa::Position;

/// The board for programs (§3).
pub fn dump(position: &Position<8>) -> String {
    let mut text = String::from("===\n");
    for row in (0..8).rev() {
        text.push_str("    ");
        position.row(row).for_each(|square| text.extend([square, ' ']));
        text.push('\n');
    }
    let turn = if position.turn() == Color::Black { "black" } else { "white" };
    text + &format!("Next move: {turn}\n===\n")
}

/// The board for people (§4).
pub fn labelled(position: &Position<8>) -> String {
    let mut text = String::new();
    for row in (0..8).rev() {
        let squares: Vec<String> = position.row(row).map(String::from).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {} | {}", row + 1, squares.join(" "));
    }
    text + &format!("    +----------------\n      a b c d e f g h     {} to move\n", position.turn())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_look_as_the_contract_says() {
        let position: Position<8> =
            "-bbbbbb-/w------w/w------w/w------w/w------w/w------w/w------w/-bbbbbb- black".parse().unwrap();
        let side = "    w - - - - - - w \n".repeat(6);
        let ends = "    - b b b b b b - \n";
        assert_eq!(dump(&position), format!("===\n{ends}{side}{ends}Next move: black\n===\n"));
        let shown = labelled(&position.with_turn(Color::White));
        assert!(shown.starts_with("  8 | - b b b b b b -\n  7 | w - - - - - - w\n"), "{shown}");
        assert!(shown.ends_with("      a b c d e f g h     White to move\n"), "{shown}");
        for mark in ["*", "===", ">", "::", "wins"] {
            assert!(!shown.contains(mark), "{mark}");
        }
    }
}
