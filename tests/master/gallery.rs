//! Honest agents that do what a shell would let them do: under the referee they answer as in a plain shell.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use kingline::checkers::{Diagram, Move, Position};
use kingline::game::{Color, Game};
use kingline_master::record::GameRecord;
use kingline_players::protocol::turn_files::read_answer;

use super::honest::{Gallery, Honest, as_source, copy, four_games, honest, wrong};

const PYTHON: &str = "python3 -c 'import sqlite3'";
const JAVA: &str = "java -version";
const CC: &str = "cc --version";
const NODE: &str = "node --version";

const AGENTS: &[Honest] = &[
    honest("chmod", "c", "chmod +x ./plain && exec ./plain", "true"),
    honest("javac over class files", "java", "javac *.java && exec java Homework", "javac -version"),
    honest(
        "a log that came along",
        "shell",
        "echo a turn >> log.txt && awk -f moves.awk input.txt > output.txt",
        "true",
    )
    .with(&[("log.txt", "handed in\n")]),
    honest("a folder of logs", "shell", "date >> logs/turns.txt && awk -f moves.awk input.txt > output.txt", "true")
        .with(&[("logs/turns.txt", "handed in\n")]),
    honest("python tempfile in tmp", "python", "exec python3 with_tmp.py", PYTHON),
    honest("java createTempFile", "java", "exec java TempFile", JAVA),
    honest("c tmpfile", "c", "exec ./tmpfile", "true"),
    honest("python getpass", "python", "exec python3 with_user.py", PYTHON),
    honest("node userInfo", "node", "exec node with_user.js", NODE),
    honest("c getpwuid", "c", "exec ./user", "true"),
    honest("c stack limit", "c", "exec ./stack", "true"),
    honest("python manager", "python", "exec python3 with_manager.py", PYTHON),
    honest("python forkserver", "python", "exec python3 with_forkserver.py", PYTHON),
    honest("python openpty", "python", "exec python3 with_terminal.py", PYTHON),
    honest("c shmget", "c", "exec ./segment", "true"),
    honest("python loopback", "python", "exec python3 with_socket.py", PYTHON),
    honest("perl fork", "perl", "exec perl -I. with_fork.pl", "perl -e 1"),
    honest("perl temporary files", "perl", "exec perl -I. with_temp.pl", "perl -e 1"),
    honest("tcl with events", "tcl", "exec tclsh plain.tcl", "echo exit | tclsh"),
    honest("bash", "shell", "exec bash play.bash", "bash -c true"),
    honest(
        "pipes and sed",
        "shell",
        "sed -i s/old/new/ state.txt && awk -f moves.awk input.txt | tee copy > output.txt",
        "true",
    )
    .with(&[("state.txt", "old\n")]),
    honest(
        "named pipe",
        "shell",
        "mkfifo turn && { awk -f moves.awk input.txt > turn & cat turn > output.txt; wait; }",
        "true",
    ),
    honest("node workers", "node", "exec node with_workers.js", NODE),
    honest("java mapped file", "java", "exec java Mapped", JAVA),
    honest("c named semaphores", "c", "exec ./semaphore", "true"),
    honest("python database", "python", "exec python3 with_database.py", PYTHON),
    as_source("make", "c", "touch plain.c && make -s engine && exec ./engine", "make --version && cc --version").with(
        &[("Makefile", "engine: plain.c moves.h\n\t$(CC) -O1 -o engine plain.c\n"), ("engine", "an older one\n")],
    ),
    as_source(
        "a folder for objects",
        "c",
        "cc -O1 -c -o build/plain.o plain.c && cc -o engine build/plain.o && exec ./engine",
        CC,
    )
    .with(&[("build/plain.o", "an older one\n")]),
];

/// Number of turns of each game.
const TURNS: u32 = 4;

/// Turn that an agent chooses in a plain shell, in a copy of its folder.
fn in_a_shell(folder: &Path, position: &Position) -> Result<Move, String> {
    let place = tempfile::tempdir().expect("a folder");
    copy(folder, place.path());
    let side = if position.turn() == Color::Black { "BLACK" } else { "WHITE" };
    fs::write(place.path().join("input.txt"), format!("GAME\n{side}\n60.000\n{}", Diagram(position)))
        .expect("an input");
    let mut command = Command::new("sh");
    command.arg("run.sh").current_dir(place.path()).env("PATH", "/usr/local/bin:/usr/bin:/bin").stdin(Stdio::null());
    // Folder of its own files, if it keeps any.
    let output = command.env("HOME", place.path()).output().expect("a shell");
    let answer = fs::read_to_string(place.path().join("output.txt")).unwrap_or_default();
    let errors = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("{}: {errors}", output.status));
    }
    read_answer(&answer, position).map_err(|error| format!("{error}; stderr: {errors}"))
}

/// Compares the turns of a game under the referee with those in a plain shell.
fn compare(gallery: &Gallery, agent: &Honest, folder: &Path) -> Result<(), String> {
    let ran = gallery.play(agent, &[]);
    if let Some(wrong) = wrong(&ran, 1) {
        return Err(wrong);
    }
    let record: GameRecord = serde_json::from_str(ran.stdout.trim()).expect("a record");
    let mut position = Position::start();
    for turn in &record.turns {
        let mv = turn.mv.as_ref().and_then(|mv| position.parse_move(mv).ok()).expect("a legal turn");
        let plain =
            in_a_shell(folder, &position).unwrap_or_else(|why| panic!("{} in a plain shell: {why}", agent.name));
        if mv != plain {
            return Err(format!(
                "{} under the referee, {} in a plain shell",
                position.notation(mv),
                position.notation(plain)
            ));
        }
        position = position.play(mv);
    }
    assert_eq!(record.turns.len(), TURNS as usize);
    Ok(())
}

#[test]
#[ignore = "takes minutes"]
fn honest_agents_answer_as_in_a_plain_shell() {
    let gallery = Gallery::new(AGENTS, TURNS);
    let mut different = Vec::new();
    for agent in AGENTS {
        let Some(folder) = gallery.agent(agent) else { continue };
        if let Err(how) = compare(&gallery, agent, &folder) {
            different.push(format!("{}: {how}", agent.name));
        }
    }
    assert!(different.is_empty(), "{} of {} agents:\n{}", different.len(), AGENTS.len(), different.join("\n"));
}

/// Records the figure.
#[test]
#[ignore = "takes half an hour"]
fn four_games_of_the_gallery_on_every_tier() {
    four_games(
        AGENTS,
        20,
        "four_games_of_the_gallery",
        "honest agents as in a plain shell, 4 games each on every tier",
    );
}
