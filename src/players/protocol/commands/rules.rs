//! Rules of the game in a few lines, for a person who asks for help.

use super::command::Control;
use super::dialect::{Dialect, Edits};

/// Rules of both editions.
const RULES: &str = "\
Black moves first. A piece moves along a row, a column or a diagonal, exactly as
many squares as there are pieces of both sides on that whole line, including
itself. It may jump over pieces of its own side, but not over enemy pieces. It
captures an enemy piece by landing on it; it may not land on its own side's.
To win, connect all your pieces into one group: squares that share a side or a
corner are connected, and a single piece is a group. A move that connects both
sides is a win for the side that made it. A side without a legal move loses.
";

impl Dialect {
    /// Returns the rules of the game, in lines of at most 80 columns.
    pub fn rules(&self) -> String {
        let limit = self.limit.map(|moves| format!("After {moves} moves of each side the game is a tie.\n"));
        RULES.to_owned() + &limit.unwrap_or_default()
    }

    /// Tells who plays which side, and how to change that. `players` are Black's and White's.
    pub fn players(&self, players: [Control; 2]) -> String {
        let (who, change) = match players {
            [Control::Manual, Control::Automatic] => {
                ("You play Black, and the machine plays White.", "White: manual white, then auto black")
            }
            [Control::Automatic, Control::Manual] => {
                ("You play White, and the machine plays Black.", "Black: manual black, then auto white")
            }
            [Control::Manual, Control::Manual] => ("You play both sides.", "Black alone: auto white"),
            [Control::Automatic, Control::Automatic] => ("The machine plays both sides.", "Black: manual black"),
        };
        let start = if self.edits == Edits::Stop { ", then start" } else { "" };
        format!("{who}\nTo play {change}{start}.\n")
    }
}

#[cfg(test)]
mod tests {
    use crate::protocol::commands::{COURSE_2015, COURSE_2020};

    #[test]
    fn rules_are_short_and_contain_nothing_that_scripts_look_for() {
        for dialect in [&COURSE_2020, &COURSE_2015] {
            let rules = dialect.rules();
            assert!(rules.lines().count() <= 15 && rules.lines().all(|line| line.len() <= 80), "{rules}");
            assert!(!["*", ">", "===", "::", "wins"].iter().any(|mark| rules.contains(mark)), "{rules}");
        }
        assert!(COURSE_2020.rules().contains("30 moves") && !COURSE_2015.rules().contains("tie"));
    }
}
