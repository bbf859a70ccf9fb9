//! The automatic players of `loa`: legal moves, bounded time, and reproducible games with a seed.

use std::time::{Duration, Instant};

use kingline::game::Game;
use kingline::loa::Position;

use super::CASES;
use super::console::loa;
use crate::support::command::*;
use crate::support::dialog::Dialog;
use crate::support::table::rows;

/// Commands that make both sides automatic.
const ALONE_2020: &str = "auto black\n";
const ALONE_2015: &str = "auto black\nstart\n";

/// Moves and the end of a game, without prompts and banner.
fn messages(ran: &Ran) -> Vec<&str> {
    let lines = ran.exits_with(0).stdout.lines().skip(2).map(|line| line.rsplit("> ").next().unwrap_or(line));
    lines.filter(|line| !line.is_empty()).collect()
}

/// Asserts that all moves from the start position are legal, and that no move follows a win.
#[track_caller]
fn replay<'a>(moves: impl Iterator<Item = &'a str>) -> Position<8> {
    moves.fold(Position::start(), |position, mv| {
        assert_eq!(position.outcome(), None, "{mv} after the end");
        position.play(position.parse_move(mv).unwrap_or_else(|error| panic!("{position}: {error}")))
    })
}

#[test]
fn two_automatic_players_finish_a_game_in_the_2020_dialect() {
    let ran = loa(&["--time=0.002"], ALONE_2020);
    let all = messages(&ran);
    let (end, moves) = all.split_last().expect("an end");
    let position = replay(moves.iter().map(|line| line.strip_prefix("* ").expect("a move")));
    match *end {
        "* Tie game." => assert_eq!((moves.len(), position.outcome()), (60, None)),
        end => assert!(position.outcome().is_some_and(|_| end.ends_with(" wins.")), "{end}"),
    }
    assert!(ran.stdout.ends_with("\n-> ") && ran.stdout.matches('>').count() == 2, "{ran:?}");
}

#[test]
fn two_automatic_players_finish_a_game_in_the_2015_dialect() {
    let ran = loa(&["--dialect=2015", "--time=0.002"], ALONE_2015);
    let all = messages(&ran);
    let (end, moves) = all.split_last().expect("an end");
    let sides = ["B::", "W::"].into_iter().cycle();
    let position = replay(moves.iter().zip(sides).map(|(line, side)| line.strip_prefix(side).expect("a move")));
    assert!(position.outcome().is_some() && ["Black wins.", "White wins."].contains(end), "{end}");
    assert_eq!(ran.stdout.matches("wins").count(), 1);
}

#[test]
fn equal_seeds_give_equal_games_at_any_time() {
    let equal = |arguments: &[&str], input: &str| {
        let play = |time: &str| loa(&[&[time], arguments].concat(), input).exits_with(0).stdout.clone();
        let game = play("--time=0.001");
        assert_eq!([play("--time=0.001"), play("--time=5")], [game.clone(), game.clone()]);
        game
    };
    let alone = |seed: i64| format!("seed {seed}\nlimit 2\nauto black\n");
    for seed in [1, -4] {
        assert!(equal(&[], &alone(seed)).matches("* ").count() > 4);
    }
    equal(&["--dialect=2015"], "seed 18446744073709551615\nstart\nb1-b3\nc1-c3\nundo\nb8-b5\n");
}

/// The input has ended, so nobody is watching. The limit includes two seconds for a busy machine (§2).
#[test]
fn an_unwatched_game_is_short() {
    for (arguments, input) in [(&[][..], ALONE_2020), (&["--dialect=2015"], ALONE_2015)] {
        let start = Instant::now();
        let ran = loa(arguments, input);
        assert!(messages(&ran).last().is_some_and(|end| end.ends_with('.')), "{ran:?}");
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    }
}

/// A 2015 game in which both sides kept repeating moves and no rule ended the game.
const TO_AND_FRO: &str = "g8-g6 a7-c7 b8-b6 a6-c4 e1-g3 h3-f1 g1-e3 h4-e4 c1-a3 f1-g2 d1-d3 a4-d4 \
    a3-b2 d4-b2 d8-d6 h2-d2 b1-c1 g2-c2 e8-d7 h5-g4 d6-d2 g4-d4 b6-e6 b2-b3 c8-f5 a2-e6 \
    c1-g5 h7-e7 d2-b4 e7-g5 d7-d4 h6-e3 f8-f6 a5-d5 b4-c5 c7-d7 \
    c5-d6 d7-c7 d6-c5 c7-d7 c5-d6 d7-c7 d6-c5 c7-d7 c5-d6 d7-c7 d6-c5 c7-d7 c5-d6 d7-c7 d6-c5 c7-d7 c5-d6 d7-c7 \
    d6-c5 c7-d7";

#[test]
fn a_game_without_a_limit_still_ends() {
    let moves = TO_AND_FRO.replace(' ', "\n");
    let ran = loa(
        &["--dialect=2015", "--time=0.000001"],
        format!("manual white\nstart\n{moves}\nauto white\nauto black\nstart\n"),
    );
    assert!(messages(&ran).last().is_some_and(|end| end.ends_with(" wins.")), "{ran:?}");
}

#[test]
fn a_seeded_player_takes_one_thread() {
    let play = |arguments: &[&str]| loa(arguments, "seed 3\nlimit 3\nauto black\n").exits_with(0).stdout.clone();
    let game = play(&[]);
    assert_eq!([play(&["--threads=2"]), play(&["--threads", "5"])], [game.clone(), game]);
}

#[test]
fn two_threads_play_a_legal_game_in_time() {
    let start = Instant::now();
    let ran = loa(&["--threads=2", "--time=0.05"], "limit 20\nauto black\n");
    let all = messages(&ran);
    replay(all.iter().filter_map(|line| line.strip_prefix("* ")).filter(|line| line.contains('-')));
    assert!(all.last().is_some_and(|end| end.ends_with('.')), "{ran:?}");
    assert!(start.elapsed() < Duration::from_secs(6), "40 moves of 0.05 s took {:?}", start.elapsed());
}

#[test]
fn wrong_numbers_of_threads_are_bad_usage() {
    for threads in ["0", "257", "-1", "2.5", "many", "99999999999999999999999", ""] {
        let ran = loa(&[&format!("--threads={threads}")], "quit\n");
        ran.exits_with(1).stderr_contains(&["--threads", "expected a number of threads from 1 to 256"]);
    }
    loa(&["--threads=256"], "quit\n").exits_with(0);
}

#[test]
fn other_seeds_give_other_games() {
    let game = |seed: i32| loa("", format!("seed {seed}\nlimit 3\nauto black\n")).exits_with(0).stdout.clone();
    let games: std::collections::BTreeSet<String> = (0..4).map(game).collect();
    assert!(games.len() >= 3, "{games:?}");
}

#[test]
fn an_automatic_player_to_move_moves_at_once() {
    for [dialect, commands, moves] in rows(CASES, "moves at once") {
        let moves: usize = moves.parse().expect("a number");
        let ran = loa(&["--time=0.01", "--dialect", dialect], format!("{commands}quit\n"));
        let printed = messages(&ran).len();
        // In one case both sides are briefly automatic, which is enough for a whole game.
        let is_right = if commands == "auto black\nmanual white\n" { printed > moves } else { printed == moves };
        assert!(is_right, "{dialect} {commands}: {ran:?}");
    }
}

/// Each thought after the first takes an hour, unless a line ends it.
#[test]
fn commands_are_obeyed_while_the_machine_plays_both_sides() {
    for (dialect, lines, mark) in [("2020", ["limit 300", "auto black"], "* "), ("2015", ["auto black", "start"], "::")]
    {
        let mut program = Dialog::new(Program::Loa, &["--dialect", dialect, "--time=0.3"]);
        lines.into_iter().for_each(|line| program.say(line));
        let mut next = || program.line().expect("a line");
        while !next().contains(mark) {}
        for line in ["time 3600", "nonsense", "dump"] {
            program.say(line);
        }
        let before: Vec<String> = std::iter::from_fn(|| program.line()).take_while(|line| line != "===").collect();
        assert!(before.len() < 40 && before.iter().all(|line| line.contains(mark)), "{before:?}");
        let turn = std::iter::from_fn(|| program.line()).find(|line| line.starts_with("Next move")).expect("a turn");
        program.say(&turn.replace("Next move:", "manual"));
        program.say("undo");
        program.say("dump");
        assert_eq!([program.line(), program.line()].map(Option::unwrap), ["===", "==="], "no move after that");
        program.say("quit");
        assert!(program.hang_up().success());
    }
}

/// Lines for a program that plays one side, or that do not arrive during a game, are answered in their order.
#[test]
fn scripts_mean_the_same_however_they_arrive() {
    let mut program = Dialog::new(Program::Loa, &["--time=0.3"]);
    program.say("b1-b3");
    program.say("dump");
    assert!(program.hear("*").starts_with("* ") && program.line().as_deref() == Some("==="));
    // The input ends during a game, which is played to its end.
    for arrival in ["echo auto black", "(echo auto black; sleep 0.3)", "(echo auto black; echo dump)"] {
        let ran = Dir::new().run_in_shell(&format!("{arrival} | \"$0\" --time=0.01"), Program::Loa);
        let prompts = 2 + arrival.matches("dump").count();
        let end = ran.exits_with(0).stdout.lines().filter(|line| line.ends_with('.')).count();
        assert_eq!((end, ran.stdout.matches("> ").count()), (3, prompts), "{ran:?}");
    }
}

#[test]
fn undo_goes_back_to_the_manual_player() {
    for commands in ["b1-b3\nundo\ndump\n", "b1-b3\nc1-c3\nundo\nundo\ndump\n"] {
        let ran = loa(&["--time=0.01"], commands);
        let dump = ran.exits_with(0).stdout.split("===\n").nth(1).expect("a dump").to_string();
        assert!(dump.starts_with("    - b b b b b b - \n") && dump.ends_with("Next move: black\n"), "{ran:?}");
    }
    // The automatic player moved first, so there is no earlier position to go back to.
    let ran = loa(&["--time=0.01", "--dialect=2015"], "auto black\nmanual white\nstart\nundo\n");
    ran.exits_with(0).stderr_contains(&["Error: nothing to undo"]);
}

#[test]
fn an_automatic_player_without_a_move_loses() {
    let empty = |next: &str| {
        let squares = "b1 c1 d1 e1 f1 g1 b8 c8 d8 e8 f8 g8 a2 a3 a4 a5 a6 a7 h2 h3 h4 h5 h6 h7";
        squares.split(' ').map(|square| format!("set {square} {next}\n")).collect::<String>()
    };
    // Black blocks White's pieces in two corners.
    let around = ["a2", "b1", "b2", "g7", "g8", "h7"];
    let mut input = format!("manual white\n{}set a1 white black\nset h8 white black\n", empty("- black"));
    input.extend(around.map(|square| format!("set {square} black black\n")));
    loa("", format!("{input}set c3 - white\ndump\nauto white\ndump\n"))
        .exits_with(0)
        .stdout_contains(&["w> * Black wins.\n-> ==="]);

    let mut input = empty("e") + "set a1 w\nset h8 w\n";
    input.extend(around.map(|square| format!("set {square} b\n")));
    let ran = loa(&["--dialect=2015"], format!("{input}start\nstart\n"));
    assert_eq!(ran.exits_with(0).stdout.matches("Black wins.\n").count(), 2, "{ran:?}");
}

#[test]
fn near_the_end_of_a_limited_game_a_short_win_is_found() {
    // White wins in 3 plies.
    let rows = "----w---/b-------/---b-b--/--wbb---/wwwwb-b-/--wwbw--/--------/--------";
    for pace in ["time 0.000001", "time 0.02", "time 0.1", "seed 1\nlevel 3", "seed 2\nlevel 4", "seed 3\nlevel 5"] {
        for limit in [2, 3, 4, 6] {
            let begin = format!("manual white\nlimit {limit}\nposition {rows} white\n{pace}\n");
            let ran = loa("", format!("{begin}auto white\nauto black\n"));
            let all = messages(&ran);
            assert_eq!((all.len(), all.last()), (4, Some(&"* White wins.")), "{pace}, limit {limit}: {ran:?}");
        }
    }
}

#[test]
fn a_win_in_one_is_played() {
    let folder = root().join("samples/loa");
    let game = std::fs::read_to_string(folder.join("2020-white-wins.in")).expect("a sample");
    let (game, _) = game.split_once("c4-g4").expect("the winning move");
    let ran = loa(&["--time=0.001"], format!("{game}auto white\n"));
    let all = messages(&ran);
    assert!(all.len() == 2 && all[1] == "* White wins.", "{ran:?}");
}

#[test]
fn a_level_changes_the_machines_moves_and_is_reproducible() {
    let game = |dialect: &str, level: u8| {
        let begin = if dialect == "2015" { "auto black\nstart\n" } else { "limit 300\nauto black\n" };
        let ran = loa(&["--dialect", dialect], format!("seed 4\nlevel {level}\n{begin}"));
        let stdout = ran.exits_with(0).stdout.clone();
        // `* b1-b3` in 2020, `B::b1-b3` in 2015.
        let moves = stdout.lines().filter(|line| line.len() > 5 && line.as_bytes()[line.len() - 3] == b'-');
        moves.map(|line| line[line.len() - 5..].to_owned()).collect::<Vec<_>>()
    };
    for dialect in ["2020", "2015"] {
        let [easiest, easy] = [1, 3].map(|level| game(dialect, level));
        assert!(easiest.len() > 10 && easiest != easy, "{easiest:?}");
        assert_eq!(game(dialect, 1), easiest);
    }
}
