//! Games by another program's client, pydraughts.

use std::process::Command;

use crate::support::command::Dir;
use crate::support::programs::Program;
use crate::support::skipped::skipped;

/// Plays a game of the engine against itself by the client, and prints its moves and whether it is over.
const GAME: &str = "\
import sys
import draughts, draughts.engine
engine = draughts.engine.HubEngine([sys.argv[1]])
engine.configure({'hash': '16', 'variant': 'english'})
engine.init()
board = draughts.Board(variant='english')
plies = 0
while not board.is_over() and plies < 300:
    board.push(engine.play(board, draughts.engine.Limit(nodes=2000), False).move)
    plies += 1
engine.quit()
engine.kill_process()
print(plies, engine.id['name'], sorted(engine.options))
";

#[test]
fn pydraughts_plays_a_game() {
    let found = Command::new("python3").args(["-c", "import draughts.engine"]).output();
    if !found.is_ok_and(|found| found.status.success()) {
        return skipped("hub::clients::pydraughts_plays_a_game", "no pydraughts here");
    }
    let mut python = Command::new("python3");
    python.args(["-W", "ignore", "-c", GAME]).arg(Program::Hub.path());
    let ran = Dir::new().run_command(&mut python);
    let out = &ran.exits_with(0).stdout;
    let plies: u32 = out.split(' ').next().and_then(|plies| plies.parse().ok()).expect("a number of plies");
    assert!(plies >= 40, "{out}");
    assert!(out.ends_with("kingline ['evaluation', 'hash', 'tables', 'threads', 'variant']\n"), "{out}");
}
