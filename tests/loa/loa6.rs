//! The real binary of the 6x6 request agent, run as a driver runs it. samples/README.md describes the answers in
//! samples/loa6.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use kingline::game::{Color, Ending, Game, History};
use kingline::loa::Position;
use kingline_players::protocol::request::{NAME, Request, as_x, read_answer, write_answer};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::support::command::*;
use crate::support::moves;

/// Time that suffices for the samples with few correct answers.
const TIME: &str = "--time=0.4";

fn ask(arguments: &[&str], request: impl AsRef<[u8]>) -> Ran {
    Dir::new().run_with_input(Program::Loa6, arguments, request)
}

fn request(position: Position<6>) -> Request {
    Request::Move { turn: 1, position }
}

/// Names of the samples.
fn samples() -> Vec<String> {
    let requests = paths_in("samples/loa6", ".request");
    requests.iter().map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned()).collect()
}

fn folder() -> PathBuf {
    root().join("samples/loa6")
}

#[test]
fn every_sample_gets_a_right_answer() {
    let samples = samples();
    assert!(samples.len() >= 20);
    for name in samples {
        let input = fs::read(folder().join(format!("{name}.request"))).expect("a request");
        let right = fs::read_to_string(folder().join(format!("{name}.answer"))).expect("an answer");
        let ran = ask(&[TIME], &input);
        if right.starts_with("line ") || right.starts_with("the game is over") {
            ran.exits_with(if right.starts_with("line ") { 2 } else { 3 });
            assert_eq!((ran.stdout.as_str(), ran.stderr), ("", format!("loa6: {right}")), "{name}");
            continue;
        }
        let Ok(Request::Move { position, .. }) = Request::read(input.as_slice()) else { panic!("{name}: no request") };
        let answer = &ran.exits_with(0).stdout;
        read_answer(answer, &position).unwrap_or_else(|error| panic!("{name}: {error}: {ran:#?}"));
        assert_eq!(ran.stderr, "", "{name}");
        if right != "any legal move\n" {
            for line in right.split_inclusive('\n') {
                read_answer(line, &position).unwrap_or_else(|error| panic!("{name}: {error}"));
            }
            assert!(right.split_inclusive('\n').any(|line| line == answer), "{name}: {ran:#?}");
        }
    }
}

#[test]
fn the_readme_describes_every_sample() {
    let page = include_str!("../../samples/README.md");
    for name in samples() {
        assert!(page.contains(&format!("| {name} |")), "{name} is not in samples/README.md");
    }
}

#[test]
fn the_name_is_one_printable_line() {
    for request in ["identify\n", "identify", "identify \r\n"] {
        assert_eq!(ask(&[], request).exits_with(0).stdout, format!("{NAME}\n"));
    }
    assert!((1..=80).contains(&NAME.len()) && NAME.bytes().all(|byte| matches!(byte, b' '..=b'~')));
}

/// The library's notation counts rows from the bottom, but answers count them from the top.
#[test]
fn legal_answers_match_independent_data() {
    let turned = |name: &str| -> String {
        let letters = name.trim_end_matches(['+', '?']).chars().filter(|&letter| letter != '-');
        let letters = letters.map(|letter| match letter.to_digit(10) {
            Some(row) => char::from_digit(7 - row, 10).expect("a row"),
            None => letter.to_ascii_uppercase(),
        });
        letters.chain(['\n']).collect()
    };
    for (position, expected) in moves::loa_lines::<6>() {
        let board = as_x(&position);
        let found: BTreeSet<String> = board.legal_moves().into_iter().map(write_answer).collect();
        assert_eq!(found, expected.iter().map(|name| turned(name)).collect(), "{position}");
        assert_eq!(Request::read(request(board).to_string().as_bytes()).expect("a request"), request(board));
    }
}

/// Plays from the start position, as the driver does: the agent moves for `sides`, and any other side moves at random.
fn play(sides: &[Color], plies: usize) -> History<Position<6>> {
    let mut rng = StdRng::seed_from_u64(3);
    let mut history = History::new(Position::start());
    for turn in 1..=plies as u32 {
        if history.ending().is_some() {
            break;
        }
        let position = history.position();
        let mv = if sides.contains(&position.turn()) {
            let board = as_x(&position);
            let ran = ask(&["--time=0.02"], Request::Move { turn, position: board }.to_string());
            // Exchanging the colors does not change the squares of a move.
            read_answer(&ran.exits_with(0).stdout, &board).unwrap_or_else(|error| panic!("{error}: {ran:#?}"))
        } else {
            let list = position.legal_moves();
            list[rng.random_range(0..list.len())]
        };
        history.play(mv);
    }
    history
}

#[test]
fn two_threads_answer_in_time() {
    // The second player's position is not solved, so that the search chooses.
    let position: Position<6> = "-bb-b-/w----w/w--b-w/-b---w/w--w-w/-bb--- black".parse().expect("a position");
    let start = Instant::now();
    let ran = ask(&["--threads=2", "--time=0.3"], request(position).to_string());
    read_answer(&ran.exits_with(0).stdout, &position).unwrap_or_else(|error| panic!("{error}: {ran:#?}"));
    assert!(start.elapsed() < Duration::from_millis(1300), "{:?}", start.elapsed());
}

#[test]
fn games_by_requests_are_legal_and_won_against_random_moves() {
    for color in Color::ALL {
        let game = play(&[color], 200);
        assert_eq!(game.ending(), Some(Ending::Win(color)), "{}", game.position());
    }
    play(&Color::ALL, 60);
}

/// Busy processes. They are killed when dropped, and end with this process.
pub(crate) struct Load(Vec<Child>);

impl Load {
    pub(crate) fn new(per_core: usize) -> Load {
        let cores = available_parallelism().map_or(2, usize::from);
        let busy = "exec 2>&-; while kill -0 $PPID; do :; done";
        let start = |_| Command::new("sh").args(["-c", busy]).stdin(Stdio::null()).spawn().expect("a shell");
        Load((0..per_core * cores).map(start).collect())
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[test]
fn answers_are_in_time_on_a_loaded_machine() {
    let middle = "-bb-b-/w----w/w--b-w/-b---w/w--w-w/-bb--- black".parse().expect("a position");
    let load = Load::new(2);
    for position in [Position::start(), middle] {
        let start = Instant::now();
        let ran = ask(&[], request(position).to_string());
        let took = start.elapsed();
        read_answer(&ran.exits_with(0).stdout, &position).unwrap_or_else(|error| panic!("{error}: {ran:#?}"));
        assert!(took < Duration::from_millis(2700), "{took:?}");
    }
    drop(load);
}

/// A process is begun before its program: here by a shell that sleeps first.
#[test]
#[cfg(target_os = "linux")]
fn the_time_counts_from_the_start_of_the_process() {
    let open: Position<6> = "-wwww-/b----b/b-w--b/b----b/b----b/-w-ww- black".parse().expect("a position");
    let dir = Dir::new().with("request", request(open).to_string());
    let took = |line: &str| {
        let start = Instant::now();
        let ran = dir.run_in_shell(line, Program::Loa6);
        read_answer(&ran.exits_with(0).stdout, &open).unwrap_or_else(|error| panic!("{error}: {ran:#?}"));
        start.elapsed()
    };
    let whole = took("exec \"$0\" --time=1.5 < request");
    assert!(whole >= Duration::from_millis(1400), "{whole:?}: the position must take the whole time");
    let late = took("sleep 1.3; exec \"$0\" --time=1.5 < request");
    // The solver may go on after the time, until 2.3 s.
    assert!(late < Duration::from_millis(2700), "{late:?}");
}

#[test]
fn requests_are_answered_before_end_of_input() {
    for request in [Request::Identify, request(Position::start())].map(|request| request.to_string()) {
        for form in [request.clone(), request.trim_end().to_owned(), format!("\u{feff}\r\n{}", request.trim_end())] {
            let mut command = Program::Loa6.command();
            command.arg("--time=0.05").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = command.spawn().expect("a program that starts");
            let mut pipe = child.stdin.take().expect("a pipe");
            pipe.write_all(form.as_bytes()).expect("a reader");
            assert!(Dir::new().wait_for(child).exits_with(0).stdout.len() >= 5, "{form:?}");
            drop(pipe);
        }
    }
}

#[test]
fn invalid_requests_are_errors_without_an_answer() {
    let good = request(Position::start()).to_string();
    let long = [good.clone(), " ".repeat(2 << 20)].concat();
    assert_eq!(ask(&["--time=0.01"], &long).exits_with(0).stdout.len(), 5, "blanks after the request are ignored");
    for (input, message) in [
        (&b"\x00\xff\xfe"[..], "line 1: found \"\\0\u{fffd}\u{fffd}\""),
        (&[b'x'; 2 << 20], "in a line of at most 1024 bytes"),
        (good.replacen(".\n", &format!(".{}\n", " ".repeat(2 << 20)), 1).as_bytes(), "line 4: "),
        (good.replacen('1', &"9".repeat(2 << 20), 1).as_bytes(), "line 2: "),
        (good.replacen('1', "-1", 1).as_bytes(), "line 2: found \"-1\""),
        (good.replacen("O", "\u{1F600}", 1).as_bytes(), "line 5: "),
    ] {
        let ran = ask(&[], input);
        assert_eq!(ran.exits_with(2).stderr_contains(&["loa6: ", "expected", message]).stdout, "");
        assert!(ran.stderr.len() < 400, "{}", ran.stderr);
    }
    Dir::new()
        .run_in_shell("exec \"$0\" < .", Program::Loa6)
        .exits_with(2)
        .stderr_contains(&["cannot read standard input"]);
    Dir::new().run_in_shell("exec \"$0\" <&-", Program::Loa6).exits_with(2).stderr_contains(&["line 1: "]);
}

#[test]
fn bad_usage_exits_with_2() {
    for threads in ["0", "257", "-1", "x"] {
        let ran = ask(&[&format!("--threads={threads}")], "identify\n");
        ran.exits_with(2).stderr_contains(&["--threads", "expected a number of threads from 1 to 256"]);
    }
    for argument in ["identify", "--time", "--time=0", "--time=-1", "--time=2.01", "--time=nan", "--time=x", "-x"] {
        assert_eq!(ask(&[argument], "identify\n").exits_with(2).stdout, "", "{argument}");
    }
    for option in ["--help", "--version"] {
        assert!(!ask(&[option], "").exits_with(0).stdout.is_empty());
    }
}

#[test]
fn an_unwritable_answer_is_an_error_unless_the_reader_is_gone() {
    let dir = Dir::new().with("request", request(Position::start()).to_string());
    let run = |line: &str| dir.run_in_shell(line, Program::Loa6);
    run("exec \"$0\" --time=0.01 < request > /dev/full")
        .exits_with(1)
        .stderr_contains(&["cannot write the answer", "No space"]);
    run("{ sleep 0.1; \"$0\" --time=0.01 < request; echo $? > code; } | true").exits_with(0).stderr_lacks(&["loa6"]);
    assert_eq!(dir.read("code").as_deref(), Some("0\n"));
    run("exec \"$0\" --time=0.01 < request >&- 2>&-").exits_with(0);
    run("exec \"$0\" --time=3 < request 2>/dev/full").exits_with(2);
}
