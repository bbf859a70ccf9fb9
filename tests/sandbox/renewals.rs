//! Whatever an agent leaves in its working directory, the next turn starts with its own files alone.

use kingline_master::sandbox::{Cell, DiskLimit, JobEnd, Run};

use super::{job, limits, sandbox};
use crate::support::command::Dir;

const SMALL: DiskLimit = DiskLimit { bytes: 1 << 20, files: 100 };

/// A cell furnished with a few files.
fn furnished(dir: &Dir) -> Cell {
    dir.make_dir("own");
    dir.make_dir("own/logs");
    dir.write("own/data", "mine");
    dir.write("own/logs/old", "1\n");
    dir.write("own/calibration.txt", "fast");
    dir.make_dir("run");
    let mut cell = sandbox().cell(&dir.path("run"), "cell", SMALL).expect("a cell");
    cell.furnish(&dir.path("own"), limits().memory).expect("the files");
    cell
}

fn shell(cell: &mut Cell, script: &str) -> Run {
    cell.run(&job("/bin/sh", &["-c", script])).expect("a run")
}

/// Everything that can carry a note: names, types, modes, sizes, links, times and contents.
const LIST: &str = "find . /tmp /dev/shm -xdev ! -path '/tmp/*' -printf '%p %y %m %s %l %T@ %n\\n' 2>&1 | sort; \
                    cat data logs/old calibration.txt";

#[test]
fn no_end_of_a_turn_keeps_the_next_one_from_starting() {
    let dir = Dir::new();
    let mut cell = furnished(&dir);
    let first = shell(&mut cell, LIST).stdout;
    assert!(String::from_utf8_lossy(&first).ends_with("mine1\nfast"), "{}", String::from_utf8_lossy(&first));
    for script in [
        "rm -rf data logs calibration.txt; i=0; while : > $i 2>/dev/null; do i=$((i+1)); done",
        "rm -rf *; head -c 2M /dev/zero > full 2>/dev/null; exit 0",
        "mkdir playdata.txt && mkdir playdata.txt/x && chmod 000 playdata.txt/x playdata.txt",
        "rm data; ln -s /etc/passwd data; mkfifo pipe; chmod 000 .",
        "mv logs gone; ln data again; rm calibration.txt; mkdir calibration.txt",
        "i=0; while mkdir d 2>/dev/null && cd d; do i=$((i+1)); done; exit 0",
        "touch \"$(head -c 255 /dev/zero | tr '\\0' x)\"; truncate -s 100G sparse; exit 0",
    ] {
        let end = shell(&mut cell, script).end;
        assert!(matches!(end, JobEnd::Exited(_) | JobEnd::OverDisk | JobEnd::Signalled(_)), "{script}: {end}");
        cell.renew().expect(script);
        cell.write("input.txt", b"?").expect(script);
        cell.remove("input.txt").expect(script);
        let again = shell(&mut cell, "cat data logs/old calibration.txt; ls").stdout;
        assert_eq!(String::from_utf8_lossy(&again), "mine1\nfastcalibration.txt\ndata\nlogs\n", "{script}");
    }
    drop(cell);
    assert_eq!(dir.names_in("run").len(), 0, "nothing stays behind");
}

#[test]
fn nothing_remembers_an_earlier_turn() {
    let dir = Dir::new();
    let mut cell = furnished(&dir);
    let list = |cell: &mut Cell| {
        cell.renew().expect("a renewal");
        let listed = String::from_utf8_lossy(&shell(cell, LIST).stdout).into_owned();
        // The folders themselves are as old as the turn.
        let lines =
            listed.lines().filter(|line| ![". d", "/tmp d", "/dev/shm d"].iter().any(|at| line.starts_with(at)));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let before = list(&mut cell);
    for note in [
        "echo 1 > note; touch -d 2001-01-01 data; chmod 600 data; rm data; ln -s logs data; touch -h -d 2002-02-02 data",
        "chmod 777 . logs; touch -d 2003-03-03 . logs /tmp /dev/shm; echo 1 > /dev/shm/note; echo 1 > /tmp/note",
        "setfattr -n user.note -v 1 data logs . 2>/dev/null; echo 2 > logs/old; mv logs moved; exit 0",
    ] {
        assert_eq!(shell(&mut cell, note).end, JobEnd::Exited(0), "{note}");
        assert_eq!(list(&mut cell), before, "{note}");
    }
}

#[test]
fn an_agent_may_use_its_files_as_in_a_plain_shell() {
    let dir = Dir::new();
    let mut cell = furnished(&dir);
    let run = shell(
        &mut cell,
        "set -e; echo 2 >> logs/old; chmod +x data; mktemp > /dev/null; ulimit -S -s 65536; \
         test \"$(id -un)\" != '' && test \"$(wc -l < logs/old)\" = 2 && test -x data",
    );
    assert_eq!(run.end, JobEnd::Exited(0), "{}", String::from_utf8_lossy(&run.stderr));
}
