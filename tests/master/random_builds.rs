//! Random ends of builds: whatever a build leaves behind, no class ends, and each submission has its line.

use std::fmt::Write;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use kingline_players::figures::{Figure, Topic};

use super::builds::{class_with, grades};
use super::submissions::{As, grade, lacks, text, with};
use crate::support::figures;

/// A random script of a build, most of which leave something odd behind.
fn script(random: &mut StdRng) -> String {
    let mut script = String::new();
    let python = !lacks("python3");
    for _ in 0..random.random_range(1..=4) {
        let count = [1, 10, 100, 3000, 12_000][random.random_range(0..5)];
        let length = [1, 20, 100, 255][random.random_range(0..4)];
        let depth = [2, 10, 40, 60, 1000][random.random_range(0..5)];
        let place = [".", "a", "a/b", ".scratch"][random.random_range(0..4)];
        let name = format!("$(printf '%0{length}d' {})", random.random_range(0..9));
        let _ = write!(script, "mkdir -p {place}\n(cd {place} && ");
        let _ = match random.random_range(0..16) {
            0 => write!(script, "for i in $(seq {depth}); do mkdir {name} && cd {name} || exit; done"),
            1 => write!(script, "for i in $(seq {count}); do : > f$i; done"),
            2 => write!(script, "truncate -s {}M {name}", count / 10 + 1),
            3 => write!(script, "head -c {}0000 /dev/urandom > {name}", count / 10 + 1),
            4 => write!(script, "mkfifo {name}"),
            5 => write!(script, "touch $(printf 'a\\377\\001b')"),
            6 => write!(script, "ln -s {} {name}", ["/etc/passwd", "..", "../..", "run.sh", "{name}", "/"][count % 6]),
            7 => write!(script, "mkdir {name}; touch {name}/x; chmod 000 {name}/x {name}"),
            8 => write!(script, "touch {name}; chmod 7777 {name}; chmod 0111 ."),
            9 => write!(script, "ln ../build.sh {name}; rm -rf ../*"),
            10 if python => write!(
                script,
                "python3 -c \"import socket; socket.socket(socket.AF_UNIX).bind('s')\" || mknod n c 1 3 || :"
            ),
            11 => write!(script, "cat /dev/zero > {name}"),
            12 => write!(script, "while :; do :; done"),
            13 => write!(script, "rm -rf ./* .scratch; mkdir -p run.sh homework calibrate"),
            14 => write!(script, "yes | head -c 10000000; exec 1>&-"),
            _ => write!(script, "sleep 100 & exit 0"),
        };
        script.push_str(")\n");
    }
    let ends = [
        "cp run.sh.in run.sh",
        "cp run.sh.in run.sh; chmod +x run.sh",
        "ln -s run.sh.in run.sh",
        "exit 1",
        "kill -9 $$",
        "mkfifo run.sh",
        "chmod 000 .",
    ];
    script.push_str(ends[random.random_range(0..ends.len())]);
    script.push('\n');
    script
}

/// Grades classes of builds with these numbers; returns how many builds failed.
fn ends(numbers: std::ops::Range<u64>) -> usize {
    let class = class_with(r#"{"files": {"bytes": 50000000}, "build": {"seconds": 2, "memory": 134217728}}"#);
    for number in numbers.clone() {
        let script = script(&mut StdRng::seed_from_u64(number));
        let files = with(text("build.sh", &script), "run.sh.in", "printf 'E c3 b4\\n' > output.txt\n");
        As::Folder.write(&class, &format!("random-{number:03}"), &files);
    }
    let ran = grade(&class, &["--json", "--jobs", "2"]);
    let all = grades(ran.exits_with(0));
    let list = |name: &str| all[name].as_array().expect("a list").clone();
    let (graded, refused) = (list("grades"), list("not_graded"));
    assert_eq!(graded.len() + refused.len(), numbers.count(), "{}", ran.stderr);
    for refused in &refused {
        let why = refused["why"].as_str().expect("a reason");
        assert!(refused["is_machines"] == false && why.len() > 9, "{refused}");
    }
    for grade in &graded {
        assert!(grade["failed"].is_null() && grade["is_finished"] == true, "{grade}");
    }
    refused.len()
}

#[test]
fn random_ends_of_builds() {
    let failed = ends(0..20);
    assert!((1..20).contains(&failed), "{failed} of 20 failed");
}

/// Records the figure.
#[test]
#[ignore = "takes many minutes"]
fn five_hundred_random_ends_of_builds() {
    let failed: usize = (0..10).map(|class| ends(50 * class..50 * class + 50)).sum();
    let measured = format!("500 builds in 10 classes: no class ended, {failed} builds refused, each with its reason");
    let command = "cargo test --release -p kingline-master -- --ignored five_hundred_random_ends --nocapture";
    let figure = Figure::new("random ends of builds", measured).against("no class ends", failed < 500);
    figures::record(Topic::Referee, command, figure);
}
