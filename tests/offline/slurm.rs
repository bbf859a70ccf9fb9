//! samples/slurm: self-play, for games to learn from.

use crate::offline::selfplay::{games_of, selfplay};
use crate::support::command::Dir;
use crate::support::programs::{Program, root};
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

    selfplay(&dir, "checkers --folder alone --games 7 --nodes 200 --seed 5").exits_with(0);
    let shards = ["games/checkers-1-of-2.games", "games/checkers-2-of-2.games"].map(|name| {
        assert!(dir.path(name).is_file(), "no {name}: {logs:?}");
        games_of(&dir, name)
    });
    let mut together = shards.concat();
    together.sort();
    assert_eq!(together, games_of(&dir, "alone/checkers-1-of-1.games"), "{logs:?}");
    assert!(shards.iter().all(|games| games.len() >= 3), "{logs:?}");
}
