//! Turns with little time left.

use crate::support::command::Dir;
use crate::support::programs::Program;

/// Two kings against one, won in 7 plies.
const WON: &str = ".....W..\n........\n........\n........\n.....W..\n..B.....\n........\n........\n";

#[test]
fn the_endgame_tables_choose_on_any_clock() {
    for left in ["300", "0.3", "0.1", "0.05"] {
        let dir = Dir::with_input(format!("GAME\nWHITE\n{left}\n{WON}"));
        dir.run(Program::Homework).exits_with(0).stderr_contains(&["by the endgame tables: won, 7 plies"]);
    }
}
