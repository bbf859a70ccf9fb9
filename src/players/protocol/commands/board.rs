//! Board as printed for programs.

use kingline::game::{Color, Game};
use kingline::loa::Position;

/// Text of the board as printed for programs (§3).
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dumps_match_the_contract() {
        let position: Position<8> =
            "-bbbbbb-/w------w/w------w/w------w/w------w/w------w/w------w/-bbbbbb- black".parse().unwrap();
        let side = "    w - - - - - - w \n".repeat(6);
        let ends = "    - b b b b b b - \n";
        assert_eq!(dump(&position), format!("===\n{ends}{side}{ends}Next move: black\n===\n"));
    }
}
