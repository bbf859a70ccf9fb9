//! samples/slurm: self-play, for games to learn from, and proofs.

use crate::offline::selfplay::games_of;
use crate::support::command::*;
use crate::support::slurm::Slurm;

#[test]
fn a_slurm_array_plays_the_games_of_a_seed() {
    let own = Dir::new();
    let Some(mut slurm) = Slurm::start("offline::slurm", &own.path("")) else { return };
    let dir = Dir::new();
    dir.make_dir("logs");
    let script = root().join("samples/slurm/selfplay.sbatch");
    let mut command = slurm.command("sbatch");
    command.args(["--parsable", "--array=1-2"]).arg(&script);
    command
        .args("checkers games 2 --games 7 --nodes 200 --seed 5".split(' '))
        .env("CALIBRATE", Program::Calibrate.path());
    let ran = dir.run_command(&mut command);
    let job = ran.exits_with(0).stdout.trim().to_owned();
    slurm.wait_for_end(&job);
    let logs = [1, 2].map(|task| dir.read(&format!("logs/selfplay-{job}-{task}.log")));

    dir.calibrate("selfplay checkers --folder alone --games 7 --nodes 200 --seed 5").exits_with(0);
    let shards = ["games/checkers-1-of-2.games", "games/checkers-2-of-2.games"].map(|name| {
        assert!(dir.path(name).is_file(), "no {name}: {logs:?}");
        games_of(&dir, name)
    });
    let mut together = shards.concat();
    together.sort();
    assert_eq!(together, games_of(&dir, "alone/checkers-1-of-1.games"), "{logs:?}");
    assert!(shards.iter().all(|games| games.len() >= 3), "{logs:?}");
}

#[test]
fn a_slurm_array_proves_the_replies_to_a_move() {
    let own = Dir::new();
    let Some(mut slurm) = Slurm::start("offline::slurm, a proof", &own.path("")) else { return };
    let dir = Dir::new();
    dir.make_dir("logs");
    let script = root().join("samples/slurm/solve.sbatch");
    let goal = ["--board", "5", "--after", "b1-b3", "--winner", "first"];
    let mut command = slurm.command("sbatch");
    command.args(["--parsable", "--array=1-2", "--cpus-per-task=1", "--mem=0"]).arg(&script);
    command.args(["proofs", "2"]).args(goal).env("CALIBRATE", Program::Calibrate.path());
    let ran = dir.run_command(&mut command);
    let job = ran.exits_with(0).stdout.trim().to_owned();
    slurm.wait_for_end(&job);
    for task in [1, 2] {
        let log = dir.read(&format!("logs/solve-{job}-{task}.log")).unwrap_or_default();
        assert!(log.contains(&format!("shard {task}/2: ")) && log.contains("the side to move wins"), "{log}");
    }
    let merge = ["solve", "--board", "5", "--merge", "proofs/1-of-2.store", "proofs/2-of-2.store", "--store", "proof"];
    dir.run_with_args(Program::Calibrate, &merge).exits_with(0);
    let prove = [&["solve", "--store", "proof"], &goal[..]].concat();
    let ran = dir.run_with_args(Program::Calibrate, &prove);
    ran.exits_with(0).stderr_lacks(&["positions proved"]);
    assert!(ran.stdout.contains("the side to move loses, in at most "), "{ran:#?}");
}
