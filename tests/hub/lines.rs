//! Lines to `hub`, and its answers.

use std::time::{Duration, Instant};

use kingline::checkers::Position;
use kingline::evaluate::checkers::Evaluation;
use kingline::game::{Color, Ending, Game, History, Rules};
use kingline::knowledge::tablebase::Tablebase;
use kingline::search::{Limits, Searcher};
use kingline_players::protocol::hub::{read_move, write_move, write_position};
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, IteratorRandom};
use rand::{RngExt, SeedableRng};

use crate::support::command::*;
use crate::support::dialog::Dialog;

fn hub(lines: &str) -> Ran {
    Dir::new().run_with_input(Program::Hub, "", lines)
}

#[test]
fn a_session_is_answered_line_by_line() {
    let ran = hub(
        "hub\nset-param name=threads value=2\nset-param name=hash value=1\ninit\nping\npos\nlevel depth=3\ngo think\n",
    );
    let out = &ran.exits_with(0).stdout;
    let words: Vec<&str> = out.lines().map(|line| line.split(' ').next().unwrap_or_default()).collect();
    let start = ["id", "param", "param", "param", "param", "param", "param", "wait", "ready", "pong", "info"];
    assert_eq!((&words[..11], words.last()), (&start[..], Some(&"done")), "{out}");
    assert!(out.contains("param name=variant value=english type=enum values=\"english\"\n"), "{out}");
    assert_eq!(ran.stderr, "");
}

#[test]
fn the_protocol_may_be_named_as_clients_of_other_programs_do() {
    let lines = "hub\ninit\npos\nlevel depth=3\ngo think\n";
    let words = |ran: &Ran| {
        let lines = ran.exits_with(0).stdout.lines();
        lines.map(|line| line.split(' ').next().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    let named = Dir::new().run_with_input(Program::Hub, &["hub"], lines);
    assert_eq!(words(&named), words(&hub(lines)));
    for wrong in [&["dxp"][..], &["hub", "hub"], &["Hub"]] {
        let ran = Dir::new().run_with_input(Program::Hub, wrong, lines);
        assert!(ran.exits_with(2).stdout.is_empty(), "{ran:?}");
    }
}

#[test]
fn positions_that_no_game_reaches_are_taken_with_a_message() {
    let position: Position = "B:WK5,K22:B29,K11".parse().expect("a position");
    let ran = hub(&format!("init\npos pos={}\nlevel depth=4\ngo think\n", write_position(&position)));
    let lines: Vec<&str> = ran.exits_with(0).stdout.lines().collect();
    let message = "error message=\"Black's man on 29 is on its crowning row; it stays a man and cannot move\"";
    assert_eq!(lines[..2], ["ready", message]);
    assert!(lines[lines.len() - 1].starts_with("done move=11-"), "{lines:?}");
}

#[test]
fn the_moves_are_those_of_the_engine() {
    const NODES: u64 = 5_000;
    let (mut history, mut moves) = (History::from(Position::start()), Vec::new());
    for _ in 0..12 {
        let mut searcher = Searcher::new(Evaluation::default()).with_knowledge(Tablebase::with_embedded(None));
        let report = searcher.search(&history, Limits::nodes(NODES), &mut ());
        let expected = report.best.expect("a move");
        let legal = history.position().legal_moves().len();
        let start = write_position(&Position::start());
        let lines = format!("init\npos pos={start} moves=\"{}\"\nlevel nodes={NODES}\ngo think\n", moves.join(" "));
        let ran = hub(&lines);
        let out = &ran.exits_with(0).stdout;
        let last = out.lines().last().expect("a line");
        let done = format!("done move={}", write_move(expected));
        assert!(last.split(" ponder=").next() == Some(&done) || legal == 1, "{lines}{out}{done}");
        moves.push(write_move(expected));
        history.play(expected);
    }
}

/// Lets the program play both sides to the end. Returns the winner if there is one, and the greatest number of quiet
/// turns.
fn played_out(start: &str, rules: Rules) -> (Option<Color>, u16) {
    let mut hub = Dialog::new(Program::Hub, &[]);
    hub.say(&format!("set-param name=rules value={rules}"));
    hub.ask("init", "ready");
    let start: Position = start.parse().expect("a position");
    let (mut history, mut moves, mut most) = (History::new(start).under(rules), Vec::new(), 0);
    while history.ending().is_none() {
        hub.say(&format!("pos pos={} moves=\"{}\"\nlevel nodes=2000", write_position(&start), moves.join(" ")));
        let done = hub.ask("go think", "done");
        let mv = done.split_whitespace().find_map(|word| word.strip_prefix("move=")).expect("a move");
        history.play(read_move(&history.position(), mv).expect("a legal move"));
        moves.push(mv.to_owned());
        most = most.max(history.quiet_turns());
    }
    let winner = match history.ending() {
        Some(Ending::Win(winner)) => Some(winner),
        _ => None,
    };
    (winner, most)
}

#[test]
fn wins_past_the_courses_limit_are_won_unless_its_rules_are_set() {
    // By distance, and by a crowning into such a win. In the last one the side to move loses.
    for (start, winner, quiet_turns) in [
        ("W:WK30,K31:B8,K12", Color::White, 72),
        ("B:WK27,K30:B8,K12", Color::White, 70),
        ("W:W5,10:B3,4", Color::White, 0),
        ("W:W12,30:B22,28", Color::Black, 0),
    ] {
        let (won_by, most) = played_out(start, Rules::Game);
        assert!(won_by == Some(winner) && most >= quiet_turns, "{start}: {won_by:?}, {most} quiet turns");
        assert_eq!(played_out(start, Rules::Course).0, None, "{start}");
    }
}

#[test]
fn a_search_without_limits_ends_at_stop_and_pings_are_answered_meanwhile() {
    let mut hub = Dialog::new(Program::Hub, &[]);
    hub.ask("init", "ready");
    for purpose in ["think", "ponder", "analyze"] {
        hub.say("pos\nlevel infinite");
        hub.ask(&format!("go {purpose}"), "info");
        hub.ask("ping", "pong");
        assert!(hub.ask("stop", "done").starts_with("done move="));
    }
}

#[test]
fn pondering_goes_on_until_the_expected_move_is_made() {
    let mut hub = Dialog::new(Program::Hub, &[]);
    hub.ask("init\npos\nlevel move-time=0.2\ngo ponder", "info");
    let hit = Instant::now();
    hub.ask("ponder-hit", "done");
    let took = hit.elapsed();
    assert!(took >= Duration::from_millis(140) && took < Duration::from_secs(20), "{took:?}");
    // One legal move, known before the hit: it is not sent before.
    hub.ask("pos pos=WeeeeeeeeeeeeeeeebeeeeeeeeeeeeeWe\nlevel move-time=0.1\ngo ponder\nping", "pong");
    hub.ask("ponder-hit", "done");
}

#[test]
fn depth_and_nodes_limit_a_search_after_the_hit() {
    for level in ["depth=6", "nodes=3000"] {
        let mut hub = Dialog::new(Program::Hub, &[]);
        hub.say(&format!("init\npos\nlevel {level}\ngo ponder"));
        let depth = |line: &str| line.split(' ').find_map(|word| word.strip_prefix("depth=")?.parse::<u32>().ok());
        while depth(&hub.hear("info")) < Some(8) {}
        hub.ask("ping", "pong");
        hub.ask("ponder-hit", "done");
    }
}

/// The program reads no more lines, so a search that only a line could end must end by itself.
#[test]
fn the_end_of_input_ends_every_search() {
    let endless = [
        "level infinite\ngo think",
        "level inc=1 moves=9\ngo think",
        "level infinite\ngo think\nlevel depth=3",
        "level infinite\ngo ponder\nponder-hit",
        "level depth=3\ngo ponder",
        "level depth=3\ngo analyze",
    ];
    let limited = ["level depth=3\ngo think\nlevel infinite", "level nodes=100\ngo ponder\nponder-hit"];
    for lines in endless.into_iter().chain(limited) {
        let out = hub(&format!("init\npos\n{lines}\n")).exits_with(0).stdout.clone();
        assert!(out.lines().last().is_some_and(|line| line.starts_with("done move=")), "{lines}: {out}");
        let out = hub(&format!("init\npos\n{lines}\nquit\n")).exits_with(0).stdout.clone();
        assert!(!endless.contains(&lines) || !out.contains("done"), "{lines}: {out}");
    }
    let out = hub("init\npos\nlevel depth=3\ngo think\nlevel infinite\n").stdout;
    assert!(out.contains("info depth=3 "), "the level of the search counts: {out}");
}

#[test]
fn a_board_program_that_has_ended_ends_the_search() {
    let mut hub = Dialog::new(Program::Hub, &[]);
    hub.ask("init\npos\ngo analyze", "info");
    assert!(hub.hang_up().success());
}

#[test]
fn a_win_in_one_ply_is_reported_as_an_iteration() {
    let position: Position = "W:W22,32:B18".parse().expect("a position");
    let out = hub(&format!("init\npos pos={}\nlevel depth=1\ngo analyze\n", write_position(&position))).stdout;
    let infos: Vec<&str> = out.lines().filter(|line| line.starts_with("info ")).collect();
    assert!(matches!(infos[..], [info] if info.starts_with("info depth=1 score=99.99 ")), "{out}");
}

#[test]
fn lines_without_a_search_have_no_answer() {
    let ran = hub("stop\nponder-hit\nstop\nping\nquit\nping\n");
    assert_eq!(ran.exits_with(0).stdout, "pong\n");
}

#[test]
fn levels_of_nothing_still_give_a_move() {
    for level in ["depth=0", "nodes=0", "move-time=0", "time=0", "time=0 inc=0 moves=1"] {
        let out = hub(&format!("init\npos\nlevel {level}\ngo think\n")).stdout;
        assert!(out.lines().last().is_some_and(|line| line.starts_with("done move=")), "{level}: {out}");
    }
}

#[test]
fn a_game_that_is_over_has_no_move() {
    let out = hub("init\npos pos=Weeeeeeeeeeeeeeeeeeeeeeeeeeeeeebb\nlevel nodes=10\ngo think\n").stdout;
    assert_eq!(out.lines().last(), Some("done"), "{out}");
}

#[test]
fn wrong_parameters_are_refused_and_change_nothing() {
    let dir = Dir::new().with("bad", "weights?");
    for (line, expected) in [
        ("name=threads value=0", "a number from 1 to 256"),
        ("name=hash value=x", "a number from 1 to 65536"),
        ("name=variant value=normal", "expected english"),
        ("name=rules value=chess", "rules: found 'chess', expected game or course"),
        ("name=speed value=1", "expected variant, rules, threads"),
        ("name=evaluation value=missing", "cannot read 'missing'"),
        ("name=evaluation value=bad", "cannot use 'bad'"),
        ("name=tables value=bad", "cannot use 'bad'"),
    ] {
        let ran = dir.run_with_input(Program::Hub, "", format!("set-param {line}\nhub\n"));
        let out = &ran.exits_with(0).stdout;
        let first = out.lines().next().unwrap_or_default();
        assert!(first.starts_with("error message=\"") && first.contains(expected), "{line}: {out}");
        assert!(out.contains("name=threads value=1 ") && out.contains("name=evaluation value=\"\" "), "{line}: {out}");
    }
}

/// Damaged and shuffled lines: each is answered or passed over, and the program still plays.
#[test]
fn any_lines_may_come() {
    const LINES: &str = "\
        hub|init|ping|new-game|pos pos=Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww moves=\"11-15 23-19\"|\
        pos pos=BeeeeebeeeweeeWbeeBweeeeeewweeeee|level depth=3|level moves=3 time=0.01 inc=0.01|\
        level nodes=100|set-param name=hash value=1|ponder-hit|stop";
    let mut rng = StdRng::seed_from_u64(1);
    let mut text = String::from("level nodes=100\n");
    for _ in 0..10_000 {
        let mut line = LINES.split('|').choose(&mut rng).expect("a line").as_bytes().to_vec();
        for _ in 0..rng.random_range(0..3) {
            let place = rng.random_range(0..line.len());
            match rng.random_range(0..3) {
                0 => line[place] = rng.random_range(b' '..=b'~'),
                1 => line.truncate(place.max(1)),
                _ => line.insert(place, *b"\" =x1-W".choose(&mut rng).expect("a letter")),
            }
        }
        text.push_str(&String::from_utf8(line).expect("ASCII"));
        text.push('\n');
        if rng.random_ratio(1, 8) {
            text.push_str("level nodes=100\ngo think\n");
        }
    }
    text.push_str("pos\nlevel depth=2\ngo think\nping\n");
    let mut bytes = text.into_bytes();
    bytes.extend(b"\xff\xfe\n");
    bytes.extend([b' '; 70_000]);
    let ran = Dir::new().run_with_input(Program::Hub, "", bytes);
    let out = &ran.exits_with(0).stdout;
    assert!(out.contains("done move=") && out.contains("error message="), "{out}");
    assert!(out.contains("a line of more than 65536 bytes"), "{out}");
    assert_eq!(ran.stderr, "");
}

/// `cargo test --release --test players -- --ignored hub::lines::a_hundred_stops --nocapture`
#[test]
#[ignore = "needs a free core"]
fn a_hundred_stops_are_answered_within_ten_milliseconds() {
    let mut hub = Dialog::new(Program::Hub, &[]);
    hub.say("init\npos");
    hub.assert_stops_within_ten_milliseconds("go analyze");
}
