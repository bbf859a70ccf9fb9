//! A tournament on Slurm, run by the scripts of samples/slurm.

use crate::support::referee::*;
use crate::support::slurm::Slurm;
use crate::tournament::command::{class, lines};

#[test]
fn a_slurm_array_plays_and_merges_a_tournament() {
    let own = Dir::new();
    let Some(mut slurm) = Slurm::start("tournament::slurm", &own.path("")) else { return };
    let addresses = slurm.addresses();
    assert!(addresses.len() >= 2 && addresses.iter().all(|address| address == "0100007F"), "{addresses:?}");

    let agents = [("a", 0), ("b", 1), ("c", 2), ("d", 3), ("e", 1)];
    let [cluster, alone] = [class(&agents), class(&agents)];
    let submit = root().join("samples/slurm/submit.sh");
    let submit = |slurm: &Slurm| {
        let mut command = slurm.command("sh");
        command.arg(&submit).args(["agents", "4", "--opening", "0", "--games", "4"]);
        command.env("MASTER", Program::Master.path());
        cluster.run_command(&mut command)
    };
    let ran = submit(&slurm);
    let job = ran.exits_with(0).stderr_contains(&["40 games to play"]).stdout.trim().to_owned();
    slurm.wait_for_end(&job);

    let table = cluster.master("tournament table agents.db --json");
    let expected = alone.master("tournament agents --opening 0 --games 4 --json");
    assert_eq!(lines(&table), lines(&expected), "{:?}", logs(&cluster));
    let merged = cluster.text(&format!("logs/merge-{job}.log"));
    contains(&merged, &["40 games added, 0 already known, 0 missing", "rank"]);
    let again = submit(&slurm);
    assert_eq!(again.exits_with(0).stderr_contains(&["nothing is left to play"]).stdout, "");
}

fn logs(dir: &Dir) -> Vec<String> {
    dir.names_in("logs").iter().map(|name| dir.text(&format!("logs/{name}"))).collect()
}
