//! Hostile builds and hostile folders: each is a line about its submission, within the limits of the course.

use std::fmt::Write;
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::support::referee::*;
use crate::support::submissions::*;
use crate::support::table::rows;

use super::CASES;

/// Limits that make hostile builds fail quickly.
fn short() -> Value {
    json!({ "files": { "bytes": 100_000_000 }, "build": { "seconds": 4, "memory": 402_653_184 } })
}

/// A class with one move and these limits before it.
pub(super) fn class_with(preparation: &Value) -> Dir {
    let class = Dir::class(1);
    class.course(&json!({ "preparation": preparation }));
    class
}

/// Adds a submission that is built by a script.
fn script(class: &Dir, name: &str, script: &str) {
    class.write(&format!("class/{name}/build.sh"), script);
    class.write(&format!("class/{name}/run.sh.in"), ANSWER);
}

/// The reason why a submission is not graded.
fn why<'a>(all: &'a Value, name: &str) -> &'a str {
    let refused = list(&all["not_graded"]).iter().find(|refused| refused["name"] == name);
    let refused = refused.unwrap_or_else(|| panic!("{name} is graded: {all:#}"));
    assert_eq!(refused["is_machines"], false, "{refused}");
    refused["why"].as_str().expect("a reason")
}

/// The grade of a submission, which the referee did not fail to give.
pub(super) fn graded<'a>(all: &'a Value, name: &str) -> &'a Value {
    let grade = list(&all["grades"]).iter().find(|grade| grade["agent"] == name);
    let grade = grade.unwrap_or_else(|| panic!("{name} is not graded: {all:#}"));
    assert!(grade["failed"].is_null() && grade["is_finished"] == true, "{grade}");
    grade
}

#[test]
fn hostile_builds_are_lines_of_their_submissions() {
    let class = class_with(&short());
    let all = rows::<3>(CASES, "builds that fail");
    for [name, commands, _] in &all {
        script(&class, name, &format!("{commands}\n"));
    }
    let works = rows(CASES, "builds that work");
    for [name, commands] in &works {
        script(&class, name, &format!("{commands}\ncp run.sh.in run.sh\n"));
    }
    let begin = Instant::now();
    let grades_of: Value = class.grade("--json --jobs 2").exits_with(0).json();
    let took = begin.elapsed();
    for [name, _, expected] in &all {
        let why = why(&grades_of, name);
        assert!(why.contains(expected), "{name}: expected {expected:?}: {why}");
    }
    for [name, _] in works {
        graded(&grades_of, name);
    }
    assert_eq!(list(&grades_of["grades"]).len(), 4);
    let size = class.run_command(Command::new("du").args(["-sk", "--apparent-size", "class.grades.files"])).stdout;
    let kept: u64 = size.split_whitespace().next().and_then(|size| size.parse().ok()).expect("a number");
    assert!(kept < 1000, "{kept} KiB are kept");

    // Failures are remembered: nothing is built again.
    let begin = Instant::now();
    let again = class.grade("--json --jobs 2").exits_with(0).json::<Value>();
    let took_again = begin.elapsed();
    assert_eq!(again["not_graded"], grades_of["not_graded"]);
    assert!(took_again < took / 3, "{took_again:?}, first {took:?}");
}

#[test]
fn a_compiler_that_reads_without_end_is_stopped() {
    if is_skipped("master::builds::a_compiler_that_reads_without_end", &["gcc", "g++"]) {
        return;
    }
    let class = class_with(&short());
    class.write("class/zero/homework.c", "#include \"/dev/zero\"\nint main() {}\n");
    let nested = "template<int n> struct A { A<2*n> a; A<2*n+1> b; };\nA<1> a;\nint main() {}\n";
    class.write("class/nested/homework.cpp", nested);
    As::Folder.write(&class, "right", &c());
    let begin = Instant::now();
    let all = class.grade("--json").exits_with(0).json::<Value>();
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
    let told = why(&all, "zero");
    let is_named = ["preparation.build.memory", "preparation.build.seconds", "out of memory"];
    assert!(told.contains("gcc") && is_named.iter().any(|part| told.contains(part)), "{told}");
    why(&all, "nested");
    assert_eq!(graded(&all, "right")["points"], 1);
}

#[test]
fn hostile_folders_are_lines_of_their_submissions() {
    let class = class_with(&json!({ "files": { "entries": 200, "bytes": 1_000_000 } }));
    for name in ["kmsg", "pipe", "crowd", "long", "up", "fine", "no-program"] {
        class.make_dir(&format!("class/{name}"));
        if !["kmsg", "pipe", "no-program"].contains(&name) {
            class.write(&format!("class/{name}/run.sh"), ANSWER);
        }
    }
    let link = |target: &str, path: &str| {
        class.link(target, &format!("class/{path}"));
    };
    link("/proc/kmsg", "kmsg/homework.java");
    class.make_pipe("class/pipe/homework.java");
    (0..201).for_each(|number| class.write(&format!("class/crowd/{number}"), ""));
    fs::File::create(class.path("class/long/data")).and_then(|file| file.set_len(1 << 40)).expect("a sparse file");
    link("../fine/run.sh", "up/other");
    link("run.sh", "fine/other");
    link("/usr/bin/python3", "fine/python");
    class.make_pipe("class/fine/pipe");
    class.make_pipe("class/no-program/main.py");
    let expected = [
        ("kmsg", "expected a program"),
        ("pipe", "expected a program"),
        ("crowd", "too many files, expected at most 200 files and folders"),
        ("long", "too big, expected at most 976.6 KiB"),
        ("up", "other: a link to ../fine/run.sh, expected a place inside"),
        ("no-program", "no program"),
    ];
    let all = class.grade("--json").exits_with(0).json::<Value>();
    for (name, expected) in expected {
        assert!(why(&all, name).contains(expected), "{name}: expected {expected:?}: {}", why(&all, name));
    }
    graded(&all, "fine");
    // Each of them alone, in the standard league; none hangs.
    for name in ["kmsg", "pipe", "long", "up"] {
        let folder = format!("class/{name}");
        class.master(&["check", &folder]).exits_with(1).stdout_contains(&["WRONG   §2 there is a program"]);
        class.master(&["grade", &folder, "--any-tier"]).exits_with(2);
    }
}

#[test]
fn builds_run_at_the_same_time_and_end_on_sigterm() {
    let class = class_with(&json!({}));
    for number in 0..4 {
        let script_of = format!("date +%s > begun; sleep 5; date +%s > ended; cp run.sh.in run.sh # {number}\n");
        script(&class, &format!("slow-{number}"), &script_of);
    }
    class.grade("--jobs 4").exits_with(0);
    let built = class.names_in("class.grades.files/built");
    let [begun, ended] = ["begun", "ended"].map(|file| {
        let time = |name: &String| class.text(&format!("class.grades.files/built/{name}/{file}"));
        built.iter().map(time).collect::<Vec<String>>()
    });
    assert!(begun.len() == 4 && begun.iter().max() <= ended.iter().min(), "{begun:?} {ended:?}");

    script(&class, "endless", "sleep 1000\n");
    let child = class.spawn(&mut master(&grade("")));
    std::thread::sleep(Duration::from_secs(2));
    let begin = Instant::now();
    send(Signal::SIGTERM, &child);
    let ran = class.wait_for(child);
    assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
    ran.exits_with(1).stderr_contains(&["stopped before all agents were built", "run the same command again"]);
}

#[test]
fn limits_that_contradict_themselves_are_refused_by_name() {
    let class = class_with(&json!({}));
    class.write("class/one/run.sh", "exit 0\n");
    for (preparation, expected) in [
        (json!({ "files": { "entries": 0 } }), "preparation.files.entries is 0, expected at least 1"),
        (json!({ "build": { "seconds": 0 } }), "preparation.build.seconds is 0"),
        (json!({ "build": { "memory": 4096 } }), "preparation.build.memory is 4096 bytes, expected at least"),
        (json!({ "calibrate": { "seconds": 0 } }), "preparation.calibrate.seconds is 0"),
        (json!({ "calibrate": { "memory": 0 } }), "unknown field `memory`"),
    ] {
        class.course(&json!({ "preparation": preparation }));
        class.refuses(&grade(""), &["course.json", expected]);
        blitz_with(&class, &preparation);
        let arguments = ["check", "class/one", "--league", "league.json"];
        class.refuses(&arguments, &["league.json", expected]);
    }
    for field in ["memory", "files", "disk", "processes", "open_files", "output"] {
        class.course(&json!({ "limits": { field: 0 } }));
        class.refuses(&grade(""), &[&format!("limits.{field} is 0, expected at least")]);
    }
}

/// Writes league.json: the blitz league, with these limits before its games.
pub(super) fn blitz_with(class: &Dir, preparation: &Value) {
    let blitz = fs::read_to_string(root().join("samples/leagues/blitz.json")).expect("a league");
    class.write("league.json", blitz.replacen('{', &format!("{{ \"preparation\": {preparation},"), 1));
}

/// A random script of a build, most of which leave something odd behind.
fn random_script(random: &mut StdRng) -> String {
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
    let build = json!({ "seconds": 2, "memory": 134_217_728 });
    let class = class_with(&json!({ "files": { "bytes": 50_000_000 }, "build": build }));
    for number in numbers.clone() {
        script(&class, &format!("random-{number:03}"), &random_script(&mut StdRng::seed_from_u64(number)));
    }
    let ran = class.grade("--json --jobs 2");
    let all = ran.exits_with(0).json::<Value>();
    let (graded, refused) = (list(&all["grades"]), list(&all["not_graded"]));
    assert_eq!(graded.len() + refused.len(), numbers.count(), "{}", ran.stderr);
    for refused in refused {
        let why = refused["why"].as_str().expect("a reason");
        assert!(refused["is_machines"] == false && why.len() > 9, "{refused}");
    }
    for grade in graded {
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
    figure("five_hundred_random_ends", "random ends of builds", measured, "no class ends", failed < 500);
}
