//! Grading a class that is killed ends with the same gradebook.

use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::process::{Child, Stdio};
use std::thread;
use std::time::Instant;

use crate::master::sixty::write;
use crate::support::referee::*;
use crate::support::submissions::*;

/// The gradebook's columns that depend neither on a clock nor on the machine: name, points and state.
fn points(class: &Dir) -> Vec<String> {
    let book = class.text("book.csv");
    let kept = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        format!("{:?} {:?} {:?}", &fields[..5], fields[6], &fields[8..])
    };
    book.lines().map(kept).collect()
}

/// Adds `count` submissions of four kinds to a class.
fn mixed(class: &Dir, count: usize) {
    for number in 0..count {
        let files = match number % 4 {
            0 => text("homework.py", "open('output.txt', 'w').write('E c3 b4\\n')\n"),
            1 => text("run.sh", ANSWER),
            // This agent uses no time that counts, so that no drawn game is decided by chance.
            2 => c(),
            _ => text("homework.cpp", "int main() {}\n"),
        };
        As::Zip.write(class, &format!("student-{number:02}"), &files);
    }
}

#[test]
fn a_killed_class_continues_to_the_same_gradebook() {
    if is_skipped("master::submissions::a_killed_class", &["python3", "gcc", "g++"]) {
        return;
    }
    let words = "--csv book.csv --seed 5 --store class.grades";
    let [whole, killed] = [(); 2].map(|()| {
        let class = Dir::class(6);
        mixed(&class, 6);
        class
    });
    whole.grade(words).exits_with(0);
    let kept = || killed.read("class.grades").unwrap_or_default().matches("{\"answer\"").count();
    killed.kill_when(&mut master(&grade(words)), || kept() >= 9);
    let ran = killed.grade(words);
    ran.exits_with(0);
    let going_on =
        ran.stderr.lines().find(|line| line.contains("moves and games are done")).expect("how many are done");
    let known: usize = going_on.split(' ').nth(2).and_then(|known| known.parse().ok()).expect("a number");
    assert!((9..36).contains(&known), "{going_on}");
    assert_eq!(points(&killed), points(&whole));
    // A second run has nothing left to do; other terms make another exam.
    killed.grade(words).exits_with(0).stderr_contains(&["36 of 36"]);
    killed.course(&json!({ "moves": { "count": 2 } }));
    killed.refuses(&grade(words), &["class.grades", "belongs to another grading"]);
}

/// Starts grading the class of sixty with the quick course, but with so much time that no game is lost on it: on a busy
/// machine, threads and Java use more of it than on a quiet one.
fn start(class: &Dir) -> Child {
    let quick = fs::read_to_string(root().join("samples/courses/quick.json")).expect("a course");
    class.write("quick.json", quick.replace("\"seconds\": 9,", "\"seconds\": 90,"));
    let mut command = master("grade class --class --any-tier --seed 5 --csv book.csv --course quick.json");
    command.current_dir(class.path("")).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("a master")
}

/// Two submissions change, one is withdrawn, and one is handed in late.
fn change(class: &Dir) {
    class.write("class/py-folder/notes.txt", "changed");
    As::Zip.write(class, "py-silent", &python());
    fs::remove_file(class.path("class/py-checkers.zip")).expect("a submission");
    As::TarGz.write(class, "py-late", &python());
}

/// Records the figure.
#[test]
#[ignore = "takes many minutes"]
fn a_class_of_sixty_killed_at_ten_random_moments_has_the_same_gradebook() {
    let [whole, killed] = [(); 2].map(|()| {
        let class = Dir::class(1);
        write(&class);
        class
    });
    change(&whole);
    let began = Instant::now();
    start(&whole).wait().expect("an end");
    let took = began.elapsed();
    for stop in 0..10 {
        let mut master = start(&killed);
        let share = f64::from(u32::try_from(RandomState::new().hash_one(stop) % 1000).unwrap_or_default()) / 1000.0;
        thread::sleep(took.mul_f64(share / 6.0));
        master.kill().expect("a master to kill");
        master.wait().expect("an end");
        if stop == 4 {
            change(&killed);
        }
    }
    start(&killed).wait().expect("an end");
    assert_eq!(points(&killed), points(&whole));
    assert_eq!(points(&whole).len(), 61, "sixty students and a header");
    let name = "a class of 60 with samples/courses/quick.json, killed at 10 random moments, 4 submissions changed";
    let measured = format!("the same gradebook; {} s without the kills", took.as_secs());
    figure("class_of_sixty_killed", name, measured, "the same gradebook", true);
}
