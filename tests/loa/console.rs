//! The `loa` program: the samples byte for byte, its options and its files.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

use kingline::game::Game;
use kingline::loa::Position;
use kingline::loa::sgf::Record;
use kingline::score::Score;
use kingline_players::review::Judged;

use super::CASES;
use crate::support::command::*;
use crate::support::table::rows;

/// Command that makes both sides manual.
const BY_HAND: &str = "manual white\n";

pub(super) fn loa(arguments: &(impl Words + ?Sized), input: impl AsRef<[u8]>) -> Ran {
    Dir::new().run_with_input(Program::Loa, arguments, input)
}

fn loa_2015(input: &str) -> Ran {
    loa(&["--dialect", "2015"], input)
}

/// Standard output without prompts and banner.
fn lines(ran: &Ran) -> Vec<&str> {
    let lines = ran.stdout.lines().skip(2);
    lines.map(|line| line.rsplit("> ").next().unwrap_or(line)).filter(|line| !line.is_empty()).collect()
}

#[test]
fn samples_match_byte_for_byte() {
    let mut samples: BTreeMap<String, [String; 2]> = BTreeMap::new();
    for path in paths_in("samples/loa", "") {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let which = usize::from(path.extension().is_some_and(|extension| extension == "out"));
        samples.entry(name).or_default()[which] = fs::read_to_string(&path).expect("a sample");
    }
    assert!(samples.len() >= 16);
    let page = include_str!("../../samples/README.md");
    for (name, [input, output]) in samples {
        assert!(page.contains(&format!("| {name} |")), "{name} is not in samples/README.md");
        let dialect = name.split('-').next().expect("a dialect");
        let ran = loa(&["--dialect", dialect], &input);
        assert_eq!(ran.exits_with(0).stdout, output, "{name}: {}", ran.stderr);
        // The same game from a file with CRLF line endings to a file.
        let dir = Dir::new().with("a.in", input.replace('\n', "\r\n"));
        let ran = dir.run_with_args(Program::Loa, &["--dialect", dialect, "a.in", "a.out"]);
        assert_eq!((ran.exits_with(0).stdout.as_str(), dir.read("a.out")), ("", Some(output)), "{name}");
    }
}

#[test]
fn every_refused_line_is_an_error_and_changes_nothing() {
    for [dialect, line, message] in rows(CASES, "refused lines") {
        let asked = loa(&["--dialect", dialect], format!("{BY_HAND}dump\n{line}\ndump\n"));
        asked.exits_with(0).stderr_contains(&[&format!("Error: {message}")]);
        assert_eq!(asked.stderr.lines().count(), 1, "{asked:?}");
        let plain = loa(&["--dialect", dialect], format!("{BY_HAND}dump\n#\ndump\n"));
        assert_eq!(asked.stdout, plain.stdout, "{line}");
        // Lines before the error are executed. Lines after it are not read.
        let strict = loa(&["--strict", "--dialect", dialect], format!("{BY_HAND}dump\n{line}\ndump\n"));
        assert_eq!(lines(strict.exits_with(2).stderr_contains(&[message])), lines(&plain)[..11], "{line}");
    }
}

#[test]
fn after_the_end_moves_are_refused_and_players_can_change() {
    let won = "2020-black-wins";
    let folder = root().join("samples/loa");
    let game = fs::read_to_string(folder.join(won).with_extension("in")).expect("a sample");
    let (game, _) = game.split_once("dump").expect("a dump");
    let ran = loa(
        "",
        format!("{game}auto black\nmanual black\nset a1 white black\nlimit 7\nlimit 8\nlimit 0\nb1-b3\ndump\n"),
    );
    ran.exits_with(0);
    let refused = |limit: u8| format!("Error: move limit too small: found {limit}, expected at least 8\n");
    assert_eq!(ran.stderr, refused(7) + &refused(0) + "Error: no game in progress\n");
    assert!(ran.stdout.contains("-> ===\n") && !ran.stdout.contains("b> ==="), "{ran:?}");
}

#[test]
fn after_the_end_start_announces_the_win_again_until_set_takes_it_apart() {
    let game = fs::read_to_string(root().join("samples/loa/2020-black-wins.in")).expect("a sample");
    let game = game.split("dump").next().expect("a game").replace(BY_HAND, "manual white\nstart\n");
    let ran = loa_2015(&format!("{game}start\nauto black\nmanual black\nstart\na5-c5\nset h8 b\nstart\n"));
    ran.exits_with(0);
    assert_eq!(ran.stderr, "Error: game not started\n");
    assert!(lines(&ran) == ["Black wins."; 3] && ran.stdout.ends_with("-> w> "), "{ran:?}");
}

#[test]
fn after_autoprint_the_board_follows_each_move() {
    let board = "  8 | - b b b b b b -\n";
    for (line, boards) in [("#", 0), ("autoprint", 2), ("AutoPrint it", 2)] {
        let ran = loa_2015(&format!("{line}\nmanual white\nstart\nb1-b3\na2-c2\nundo\nclear\n"));
        assert_eq!((ran.exits_with(0).stdout.matches(board).count(), ran.stderr.as_str()), (boards, ""), "{ran:?}");
    }
    let ran = loa(&["--dialect=2015", "--time=0.01"], "autoprint\nstart\nb1-b3\nquit\n");
    let moved = ran.exits_with(0).stdout.split_once("W::").expect("a move").1;
    assert!(moved[5..].starts_with("\n  8 | ") && moved.ends_with(" Black to move\nb> "), "{ran:?}");
    // The board comes before the result.
    let won = "position bb------/--------/--b-----/--------/--------/--------/w------w/-------- black\n";
    let ran = loa_2015(&format!("autoprint\n{won}start\nc6-c7\n"));
    assert!(ran.exits_with(0).stdout.ends_with(" White to move\nBlack wins.\n-> "), "{ran:?}");
    loa(&["--strict"], "autoprint\n").exits_with(2);
}

#[test]
fn a_limit_is_larger_than_the_moves_of_either_player() {
    for (line, least) in [("b1-b3\nlimit 1", 2), ("b1-b3\na2-c2\nlimit 1", 2), ("b1-b3\na2-c2\ne1-c3\nlimit 2", 3)] {
        let ran = loa("", format!("{BY_HAND}{line}\nlimit {least}\n"));
        ran.exits_with(0);
        assert!(ran.stderr.starts_with("Error: move limit too small: ") && ran.stderr.lines().count() == 1, "{ran:?}");
        assert!(ran.stderr.ends_with(&format!("expected at least {least}\n")), "{ran:?}");
    }
    // Black moved twice, because `set` skipped White's turn.
    let ran = loa("", format!("{BY_HAND}b1-b3\nset a1 - black\ne1-c3\nlimit 2\nlimit 3\n"));
    assert_eq!(ran.exits_with(0).stderr, "Error: move limit too small: found 2, expected at least 3\n");
}

#[test]
fn print_shows_the_board_only_to_people() {
    let ran = loa("", format!("{BY_HAND}print\n"));
    ran.exits_with(0).stderr_contains(&["  8 | - b b b b b b -\n", "Black to move"]).stderr_lacks(&["==="]);
    assert_eq!(ran.stdout, loa("", format!("{BY_HAND}#\n")).stdout);
}

#[test]
fn the_first_example_of_the_help_is_a_legal_first_move() {
    for (dialect, start) in [("2020", ""), ("2015", "start\n")] {
        let help = loa(&["--dialect", dialect], "help\n").stderr;
        let example = help.lines().find_map(|line| line.split(' ').next().filter(|word| word.contains('-')));
        let line = format!("{BY_HAND}{start}{}\n", example.expect("a move"));
        assert_eq!(loa(&["--dialect", dialect], line).exits_with(0).stderr, "", "{example:?}");
    }
}

#[test]
fn the_option_debug_changes_nothing() {
    let input = format!("{BY_HAND}b1-b3\ndump\n");
    let plain = loa("", &input);
    for option in ["--debug=0", "--debug=3"] {
        let ran = loa(&[option], &input);
        assert_eq!((&ran.exits_with(0).stdout, &ran.stderr), (&plain.stdout, &plain.stderr));
    }
    loa(&["--debug=x"], "").exits_with(1).stderr_contains(&["--debug"]);
}

#[test]
fn help_goes_to_standard_error_and_names_every_command() {
    let ran = loa("", "manual white\nhelp\n?\n");
    assert_eq!(lines(ran.exits_with(0)), [""; 0]);
    let all = "new|auto P|set CR P N|dump|seed N|limit N|undo|moves|save F|load F|quit";
    ran.stderr_contains(&all.split('|').collect::<Vec<_>>());
    let ran = loa_2015("h\n");
    ran.exits_with(0)
        .stderr_contains(&["start", "clear", "board", "set CR P ", "autoprint", "seed N"])
        .stderr_lacks(&["limit", "new "]);
    for text in [ran.stdout, ran.stderr] {
        assert!(!text.contains("wins") && !text.contains("::") && !text.contains('*'), "{text}");
    }
}

#[test]
fn help_tells_who_plays_which_side_and_how_to_change_that() {
    for (dialect, start) in [("2020", ""), ("2015", ", then start")] {
        let help = |line: &str| loa(&["--dialect", dialect, "--time=0.001"], format!("{line}\nhelp\n")).stderr;
        let first = help("#");
        for (line, [who, other]) in [
            ("#", ["You play Black, and the machine plays White.", "White: manual white, then auto black"]),
            (
                "manual white\nauto black",
                ["You play White, and the machine plays Black.", "Black: manual black, then auto white"],
            ),
            ("manual white", ["You play both sides.", "Black alone: auto white"]),
            ("auto black", ["The machine plays both sides.", "Black: manual black"]),
        ] {
            assert!(help(line).contains(&format!("\n{who}\nTo play {other}{start}.\n")), "{line}: {}", help(line));
        }
        assert!(
            first.contains("+0.10 is for the side to move") && first.contains("+1.00 is\nworth about 9 points of 10.")
        );
        let points = 10.0 * Position::<8>::start().chances(Score::estimate(100)).points();
        assert_eq!(points.round(), 9.0);
        assert!(first.lines().rev().take(4).all(|line| line.len() <= 80), "{first}");
    }
}

#[test]
fn the_end_of_input_and_quit_end_the_program() {
    for input in ["", "quit", "quit\n", "QUIT now\nb1-b3\n", "b1-b3\nq", "q\nb1-b3\n", "Exit\nb1-b3\n"] {
        loa(&["--time=0.01"], input).exits_with(0);
    }
    assert_eq!(lines(&loa("", "manual white\ndump")).len(), 11, "a last line without a newline counts");
    for (dialect, line) in [("2015", "q"), ("2015", "exit"), ("2020", "q"), ("2020", "exit")] {
        let ran = loa(&["–dialect", dialect, "—strict"], format!("{line}\ndump\n"));
        assert_eq!(ran.exits_with(0).stdout.matches("> ").count(), 1, "{dialect} {line}");
    }
}

#[test]
fn the_log_contains_every_line_and_every_automatic_move() {
    let dir = Dir::new().with("old.log", "what was there\n");
    let input = "  dump \n\n# why\nnonsense\nb1-b3\nnew\nmanual white\nauto black\n";
    let ran = dir.run_with_input(Program::Loa, &["--log=old.log", "--time=0.01"], input);
    let automatic: Vec<&str> = lines(ran.exits_with(0)).iter().filter_map(|line| line.strip_prefix("* ")).collect();
    let [answer, opening] = automatic[..] else { panic!("{ran:?}") };
    let expected =
        ["dump", "# why", "nonsense", "b1-b3", answer, "new", "manual white", "auto black", opening].join("\n") + "\n";
    assert_eq!(dir.read("old.log"), Some(expected));
}

#[test]
fn unopenable_files_are_errors() {
    let dir = Dir::new();
    for (arguments, message) in [
        (&["missing.in"][..], "cannot open missing.in: No such file"),
        (&["-", "no/such.out"], "cannot create no/such.out: No such file"),
        (&["--log=no/such.log"], "cannot create no/such.log: No such file"),
        (&["--log=."], "cannot create .: Is a directory"),
        (&["."], "cannot read commands: Is a directory"),
        #[cfg(not(feature = "display"))]
        (
            &["--display", "--log=log"],
            "--display is not in this build; help: run `cargo build --release --features display`",
        ),
    ] {
        let ran = dir.run_with_input(Program::Loa, arguments, "dump\n");
        ran.exits_with(1).stderr_contains(&["loa: ", message]);
        assert!(dir.names().is_empty() && !ran.stdout.contains("==="), "{ran:?}");
    }
}

#[test]
fn bad_usage_prints_the_usage() {
    for arguments in ["--dialect 2016", "--dialect", "--nonsense", "-x", "a b c", "--time", "--strict=1"] {
        let ran = loa(arguments, "");
        assert_eq!(ran.exits_with(1).stderr_contains(&["Usage: loa [OPTIONS]"]).stdout, "");
    }
    for time in ["0", "-1", "0.0", "-0", "nan", "inf", "1e9", "3600.5", "", "x", "1,5", "1s"] {
        loa(&[&format!("--time={time}")], "").exits_with(1).stderr_contains(&["--time", "above 0"]);
    }
    for option in ["--help", "--version"] {
        let ran = loa(&[option], "");
        assert_eq!((ran.exits_with(0).stderr.as_str(), ran.stdout.contains("loa")), ("", true));
    }
    for time in ["0.001", "3600", "1e-9", ".5"] {
        loa(&["--time", time], "quit\n").exits_with(0);
    }
}

#[test]
fn prompts_are_printed_before_input_is_read() {
    let mut command = Command::new(Program::Loa.path());
    command.arg("--time=0.01").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("a program that starts");
    let (mut stdin, mut stdout) = (child.stdin.take().expect("stdin"), child.stdout.take().expect("stdout"));
    let mut seen = String::new();
    for (line, prompts) in [("b1-b3\n", 2), ("manual white\n", 3), ("new\n", 4), ("quit\n", 5)] {
        let mut byte = [0];
        while seen.matches("> ").count() < prompts - 1 {
            assert_eq!(stdout.read(&mut byte).expect("output"), 1, "{seen}");
            seen.push(char::from(byte[0]));
        }
        stdin.write_all(line.as_bytes()).expect("input");
    }
    assert!(seen.ends_with("b> b> b> "), "{seen}");
    assert!(child.wait().expect("a child").success());
}

#[test]
fn games_can_be_saved_and_loaded() {
    let dir = Dir::new();
    let run = |input: &str| dir.run_with_input(Program::Loa, "", format!("{BY_HAND}{input}"));
    let dump = |ran: &Ran| ran.stdout.split("===").nth(1).expect("a dump").to_string();
    run("b1-b3\na2-c2\nc1-e3\nsave game.sgf\n").exits_with(0).stderr_lacks(&["Error"]);
    assert_eq!(dir.names(), ["game.sgf"]);
    dir.write("notes.txt", "mine");
    run("b1-b3\nsave notes.txt\n").stderr_contains(&["Error: notes.txt: found something else, expected a saved game"]);
    assert_eq!(dir.read("notes.txt").as_deref(), Some("mine"));
    dir.delete("notes.txt");
    dir.write("empty.sgf", "");
    run("save empty.sgf\n").stderr_lacks(&["replaced", "Error"]);
    run("save empty.sgf\n").stderr_contains(&["replaced the game in empty.sgf\n"]);
    run("load game.sgf\nsave  my game.sgf \nload my game.sgf\nundo\n").exits_with(0).stderr_lacks(&["Error"]);
    assert_eq!(dir.read("my game.sgf"), dir.read("game.sgf"));
    let text = dir.text("game.sgf");
    assert!(text.ends_with(";B[b1-b3];W[a2-c2];B[c1-e3])\n"), "{text}");

    let straight = run("b1-b3\na2-c2\nc1-e3\ndump\n");
    let ran = run("load game.sgf\ndump\n");
    assert_eq!(dump(ran.exits_with(0)), dump(&straight));
    let back = run("load game.sgf\nundo\nundo\nundo\nundo\ndump\n");
    assert!(dump(back.stderr_contains(&["nothing to undo"])).contains("Next move: black"));

    // A set-up position, and a game that starts from it.
    run("set a2 - white\nset d4 black white\nh2-f4\nsave game.sgf\n").exits_with(0);
    let ran = run("load game.sgf\ndump\n");
    assert!(dump(&ran).contains("    w - - b - w - w \n") && dump(&ran).contains("Next move: black"), "{ran:?}");

    // In the 2015 dialect a loaded game waits for `start`.
    let input = "manual white\nstart\nload game.sgf\na3-c3\nstart\nb8-a8\ndump\n";
    dir.run_with_input(Program::Loa, &["--dialect=2015"], input).exits_with(0).stderr_contains(&["game not started"]);
}

#[test]
fn a_damaged_game_is_an_error_with_its_line_and_changes_nothing() {
    let dir = Dir::new();
    for [text, message] in rows(CASES, "damaged games") {
        dir.write("bad.sgf", text);
        let ran = dir.run_with_input(Program::Loa, "", format!("{BY_HAND}b1-b3\nload bad.sgf\ndump\nundo\ndump\n"));
        let plain = dir.run_with_input(Program::Loa, "", format!("{BY_HAND}b1-b3\n#\ndump\nundo\ndump\n"));
        assert_eq!(ran.exits_with(0).stdout, plain.stdout);
        ran.stderr_contains(&["Error: bad.sgf, line ", message]);
    }
}

#[test]
fn a_game_longer_than_the_limit_is_not_loaded() {
    let dir = Dir::new();
    let game = "b1-b3\na2-c2\ne1-c3\nh2-f2\n";
    dir.run_with_input(Program::Loa, "", format!("{BY_HAND}{game}save a.sgf\n")).exits_with(0);
    let ran =
        dir.run_with_input(Program::Loa, "", format!("{BY_HAND}limit 1\nload a.sgf\nlimit 2\nload a.sgf\nlimit 3\n"));
    ran.exits_with(0).stderr_contains(&["Error: game too long: found 4 moves of both sides, expected at most 2\n"]);
    assert_eq!(lines(&ran), ["* Tie game."], "{ran:?}");
}

/// Tests that every record in samples/records parses and round-trips, and that `load` leads to its last position.
#[test]
fn sample_records_can_be_loaded() {
    let mut moves = Vec::new();
    for path in paths_in("samples/records", "") {
        let text = fs::read_to_string(&path).expect("a record");
        let record: Record = text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(record.to_string().parse(), Ok(record.clone()));
        assert_eq!(record.result().is_some(), [56, 60].contains(&record.moves().len()), "{}", path.display());

        let ran = loa("", format!("{BY_HAND}load {}\ndump\n", path.display()));
        ran.exits_with(0).stderr_lacks(&["Error"]);
        let rows: Vec<String> =
            ran.stdout.lines().filter_map(|line| line.strip_prefix("    ")).map(str::to_owned).collect();
        let position = record.position();
        let expected = (0..8).rev().map(|row| position.row(row).flat_map(|square| [square, ' ']).collect::<String>());
        assert_eq!(rows, expected.collect::<Vec<_>>(), "{}", path.display());
        moves.push(record.moves().len());
    }
    moves.sort_unstable();
    assert_eq!(moves, [2, 5, 56, 60]);
}

#[test]
fn moves_are_listed_by_piece_on_standard_error() {
    for (dialect, begin) in [("2020", ""), ("2015", "start\n")] {
        let run = |line: &str| loa(&["--dialect", dialect], format!("{BY_HAND}{begin}{line}\ndump\n"));
        let ran = run("moves");
        assert_eq!(ran.exits_with(0).stdout, run("#").stdout);
        let lines: Vec<&str> = ran.stderr.lines().collect();
        assert_eq!((lines.len(), lines[0]), (12, "b1-h1 b1-b3 b1-d3"), "{lines:?}");
        for line in lines {
            assert!(line.split(' ').all(|mv| mv[..2] == line[..2]), "{line}");
        }
        let mut listed: Vec<&str> = ran.stderr.split_whitespace().collect();
        let list = Position::<8>::start().legal_moves();
        let mut legal: Vec<String> = list.iter().map(ToString::to_string).collect();
        listed.sort_unstable();
        legal.sort_unstable();
        assert_eq!(listed, legal);
    }
    assert_eq!(loa_2015("moves\n").stderr, "Error: game not started\n");
    let nobody = "position --------/--------/--------/--------/--------/--------/--------/w------w black\nmoves\n";
    assert_eq!(loa("", format!("{BY_HAND}{nobody}")).stderr, "no legal move\n");
}

#[test]
fn a_hint_is_a_legal_move_and_leaves_the_game_as_it_is() {
    for (dialect, begin) in [("2020", ""), ("2015", "start\n")] {
        let ran = loa(&["--time=0.05", "--dialect", dialect], format!("{BY_HAND}{begin}hint\ndump\n"));
        let hint = ran.exits_with(0).stderr.lines().next().expect("a hint");
        let (mv, why) = hint.split_once(": ").expect("a move and why");
        let is_legal = Position::<8>::start().legal_moves().iter().any(|legal| legal.to_string() == mv);
        assert!(is_legal && why.contains("; depth ") && why.ends_with(" nodes"), "{hint}");
        assert!(ran.stdout.contains("    - b b b b b b - \n    w - -") && ran.stdout.contains("Next move: black"));
    }
}

#[test]
fn a_game_goes_back_and_on_and_begins_elsewhere() {
    let moves = "b1-b3\na2-c2\nc1-e3\n";
    let dump_after = |commands: &str| loa("", format!("{BY_HAND}{commands}\ndump\n")).exits_with(0).stdout.clone();
    let board = |text: &str| text.split("===\n").nth(1).expect("a dump").to_owned();
    let all = board(&dump_after(moves));
    assert_eq!(board(&dump_after(&format!("{moves}undo\nundo\nredo\nredo"))), all);
    assert_eq!(board(&dump_after(&format!("{moves}goto 0\ngoto 3"))), all);
    assert_eq!(board(&dump_after(&format!("{moves}goto 1"))), board(&dump_after("b1-b3")));
    // Moves made after going back replace the earlier ones.
    assert_eq!(board(&dump_after(&format!("{moves}goto 1\na2-c2\nc1-e3"))), all);
    let rows = "-bbbbbb-/w------w/w------w/w------w/w------w/w------w/w------w/-bbbbbb-";
    assert_eq!(board(&dump_after(&format!("{moves}position {rows} black"))), board(&dump_after("")));
    // A game ends again when its last move is redone.
    let won = "position bb------/--------/--b-----/--------/--------/--------/w------w/-------- black\n";
    let ended = dump_after(&format!("{won}c6-c7\nundo\nredo"));
    assert_eq!(ended.matches("* Black wins.").count(), 2, "{ended}");
}
