//! Agents may have any number of files with any modes and use resources within the league's limits, but see nothing of
//! other agents.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use crate::support::referee::*;

/// Plays a short game between the agents in the folders `a` (Black) and `b`, with these limits.
fn play(dir: &Dir, limits: &Value) -> GameRecord {
    let clock = json!({ "counts": "cpu", "turn": null, "game": 20_000_000, "patience": 10_000_000 });
    dir.league(&json!({ "clock": clock, "limits": limits, "draws": "halves", "longest": 4 }));
    dir.play("a b --league league.json").remove(0)
}

/// Makes an agent that begins every turn with the shell line `first` and then plays well.
fn agent(dir: &Dir, name: &str, first: &str) {
    dir.scripted(name, Program::Homework, &format!("{first}\nexec ./engine"));
}

/// Kind of the fault by which Black lost, if any.
fn fault(record: &GameRecord) -> Option<FaultKind> {
    match &record.verdict.reason {
        EndReason::Fault(fault) => {
            assert_eq!(fault.side, Color::Black, "{}", record.verdict);
            Some(fault.kind)
        }
        reason => {
            assert!(matches!(reason, EndReason::Drawn { .. }), "{}", record.verdict);
            None
        }
    }
}

#[test]
fn an_agent_may_have_thousands_of_files_and_any_modes() {
    let dir = Dir::new();
    agent(&dir, "a", "cat note-4999 > /dev/null || exit 1");
    agent(&dir, "b", ":");
    for number in 0..5000 {
        dir.write(&format!("a/note-{number}"), "x");
    }
    // The modes of a class unpacked with umask 077.
    for (path, mode) in [("a/note-4999", 0o400), ("a/run.sh", 0o700), ("a/engine", 0o700), ("a", 0o700)] {
        dir.set_mode(path, mode);
    }
    assert_eq!(fault(&play(&dir, &json!({}))), None);
}

#[test]
fn the_leagues_limits_apply_and_peaks_are_recorded() {
    let dir = Dir::new();
    // The whole input is one line, which `tail` keeps in memory.
    agent(&dir, "a", "head -c 200000000 /dev/zero | tail > /dev/null; head -c 3000000 /dev/zero > scratch");
    agent(&dir, "b", ":");
    let record = play(&dir, &json!({}));
    assert_eq!(fault(&record), None);
    let peaks: Vec<_> = record.turns.iter().map(|turn| (turn.side, turn.peak.expect("known"))).collect();
    for (side, peak) in peaks {
        let memory = peak.memory.unwrap_or_else(|| {
            skipped("peaks of memory", "this machine does not report them");
            if side == Color::Black { 250_000_000 } else { 0 }
        });
        let used = (memory > 200_000_000, peak.processes > 1, peak.disk >= 3_000_000);
        assert_eq!(used, (side == Color::Black, side == Color::Black, side == Color::Black), "{side} {peak:?}");
    }
    assert_eq!(fault(&play(&dir, &json!({ "memory": 134_217_728 }))), Some(FaultKind::OverMemory));
    assert_eq!(fault(&play(&dir, &json!({ "disk": 1_048_576 }))), Some(FaultKind::OverDisk));
}

#[test]
fn output_is_discarded_and_agents_may_make_programs_run_them_and_share_memory() {
    for script in [
        "head -c 40000000 /dev/zero; head -c 40000000 /dev/zero >&2",
        "cp /bin/cat made && chmod +x made && echo 1 > /dev/shm/one && test \"$(./made /dev/shm/one)\" = 1 || exit 1",
    ] {
        let dir = Dir::new();
        agent(&dir, "a", script);
        agent(&dir, "b", ":");
        assert_eq!(fault(&play(&dir, &json!({}))), None, "{script}");
    }
}

/// Agents may read /opt, but not the files of other agents there.
#[test]
fn a_class_in_a_folder_of_the_system_is_hidden() {
    let Ok(class) = tempfile::tempdir_in("/opt") else {
        return skipped("a class below /opt", "/opt cannot be written");
    };
    fs::set_permissions(class.path(), Permissions::from_mode(0o755)).expect("modes");
    let dir = Dir::new();
    let class = class.path().display();
    // These paths are absolute, and so not in the directory.
    dir.agent(&format!("{class}/good"), Program::Homework, "homework");
    dir.script(&format!("{class}/thief"), &format!("ls {class} {class}/* {class}/*/* >&2\nexec {class}/good/homework"));
    let record = &dir.play(&format!("{class}/thief {class}/good --time 20"))[0];
    assert_eq!(fault(record), Some(FaultKind::Crashed), "{}", record.verdict);
    let read = &crate::support::referee::fault(record).read;
    assert!(!read.contains("good/homework\n"), "{read}");
}
