//! `calibrate solve`: proofs for small Lines of Action boards, and their verification.

use std::fs;

use kingline::game::{Canonical, Color, Outcome};
use kingline::knowledge::solved::{ENDLESS, Strategy};
use kingline::loa::Position;
use kingline::loa::sgf::Record;
use kingline_players::terminal::in_thousands;

use super::REFUSED;
use crate::support::command::*;

pub(crate) fn solve(dir: &Dir, words: &(impl Words + ?Sized)) -> Ran {
    dir.calibrate(&[&["solve"], &*words.words()].concat())
}

/// Returns a directory with the complete strategy for 5x5 in `whole`.
fn solved() -> Dir {
    let dir = Dir::new();
    solve(&dir, "--board 5 --store store --strategy whole").exits_with(0);
    dir
}

#[test]
fn the_first_player_wins_on_four_and_on_five_columns() {
    // The length of the win is that of the first proof found, which depends on the evaluation.
    for (board, most) in [("4", 3), ("5", 30)] {
        let dir = Dir::new();
        let plies = |ran: &Ran| -> Option<u16> {
            let (_, rest) = ran.stdout.split_once("black: the side to move wins, in at most ")?;
            rest.split_once(" plies")?.0.parse().ok()
        };
        let ran = solve(&dir, &["--board", board, "--store", "store", "--strategy", "whole"]);
        let proved = plies(ran.exits_with(0)).unwrap_or_else(|| panic!("{ran:#?}"));
        assert!(proved <= most, "{ran:#?}");
        let ran = solve(&dir, &["--board", board, "--verify", "whole"]);
        assert_eq!(plies(ran.exits_with(0)), Some(proved), "{ran:#?}");
        assert!(ran.stdout.contains(": 0 failures"), "{ran:#?}");
    }
}

#[test]
fn a_killed_run_continues_and_a_later_one_adds_nothing() {
    let dir = solved();
    let whole = dir.bytes("store");
    let strategy = dir.bytes("whole");
    let again = solve(&dir, "--board 5 --store store --strategy again");
    again.exits_with(0);
    assert_eq!(dir.bytes("store"), whole, "nothing was added");
    assert_eq!(dir.bytes("again"), strategy);
    // A run that is killed while writing leaves part of a batch.
    for kept in [whole.len() - 1, whole.len() / 2, 30] {
        dir.write("store", &whole[..kept]);
        let ran = solve(&dir, "--board 5 --store store --strategy again");
        assert!(ran.exits_with(0).stdout.contains("the side to move wins"), "{ran:#?}");
        ran.stderr_contains(&["store: removed the last ", " bytes, an incomplete batch"]);
        solve(&dir, "--board 5 --verify again").exits_with(0);
    }
}

#[test]
fn a_strategy_that_is_cut_or_altered_is_refused() {
    let dir = solved();
    let whole = dir.bytes("whole");
    let refused = |bytes: &[u8], message: &str| {
        dir.write("spoiled", bytes);
        solve(&dir, "--board 5 --verify spoiled").exits_with(1).stderr_contains(&["calibrate: ", message]);
    };
    refused(&whole[..whole.len() - 1], "the recorded one");
    refused(&[&whole[..], b"x"].concat(), "the recorded one");
    refused(b"", "found something else, expected a strategy");
    let mut altered = whole.clone();
    *altered.last_mut().expect("a byte") ^= 1;
    refused(&altered, "the recorded one");
    solve(&dir, "--verify whole").exits_with(1).stderr_contains(&["for \"loa5\", expected one for \"loa6\""]);
    let ran = solve(&dir, "--board 5 --cut whole --output cut");
    ran.exits_with(1).stderr_contains(&["only the 6x6 strategy can be cut"]);
    let ran = solve(&dir, "--board 5 --store store --strategy again --output cut");
    ran.exits_with(1).stderr_contains(&["only the 6x6 strategy can be cut"]);
}

#[test]
fn a_side_without_a_win_is_reported() {
    let dir = Dir::new();
    let arguments = ["--board", "4", "--store", "store", "--strategy", "whole", "--after"];
    let ran = solve(&dir, &[&arguments[..], &["b1-b3"]].concat());
    ran.exits_with(1)
        .stderr_contains(&["the second player does not win: -bb-/wb-w", "the side to move loses, in at most "]);
    assert_eq!(dir.names(), ["store"]);
    solve(&dir, &[&arguments[..], &["b1-d1"]].concat())
        .exits_with(0)
        .stdout_contains(&[" white: the side to move wins, in at most 3 plies"]);
    // The second player's strategy does not cover the start.
    let ran = solve(&dir, "--board 4 --verify whole");
    ran.exits_with(1).stderr_contains(&["the strategy is wrong: 1 failures"]);
    assert!(ran.stdout.contains("no move leads to a lost position"), "{ran:#?}");
}

/// Returns the strategy's longest win that standard output reports for each position, negative for the side not to
/// move.
pub(crate) fn values(ran: &Ran) -> Vec<i32> {
    let value = |line: &str| -> Option<i32> {
        let (_, rest) = line.split_once(": the side to move ")?;
        let (sign, rest) = rest
            .strip_prefix("wins, in at most ")
            .map(|rest| (1, rest))
            .or_else(|| rest.strip_prefix("loses, in at most ").map(|rest| (-1, rest)))?;
        Some(sign * rest.split_once(" plies")?.0.parse::<i32>().ok()?)
    };
    ran.stdout.lines().filter_map(value).collect()
}

/// First moves of a board up to symmetry, and the player who wins after each.
const FIRST_MOVES: [(&str, &[(&str, &str)]); 2] = [
    ("4", &[("b1-b3", "first"), ("b1-d1", "second"), ("b1-d3", "second")]),
    ("5", &[("b1-b3", "first"), ("c1-c3", "first"), ("b1-d3", "first"), ("b1-e1", "second"), ("c1-a3", "second")]),
];

#[test]
fn every_first_move_of_small_boards_has_a_value() {
    for (board, moves) in FIRST_MOVES {
        let dir = Dir::new();
        let after: Vec<&str> = moves.iter().flat_map(|(mv, _)| ["--after", mv]).collect();
        let prove = |winners: &[&str]| {
            let fixed = ["--board", board, "--store", "store", "--strategy", "whole"];
            solve(&dir, &[&fixed, &after[..], winners].concat())
        };
        let either = prove(&["--winner", "either"]);
        let by = |value: i32| if value > 0 { "second" } else { "first" };
        let found = values(either.exits_with(0)).into_iter().map(by);
        assert!(found.eq(moves.iter().map(|(_, winner)| *winner)), "{either:#?}");
        // From the same store, with nothing to search: each with its winner.
        let winners: Vec<&str> = moves.iter().flat_map(|(_, winner)| ["--winner", winner]).collect();
        let proved = values(prove(&winners).exits_with(0));
        for winners in [&[][..], &winners] {
            let ran = solve(&dir, &[&["--board", board, "--verify", "whole"], &after[..], winners].concat());
            assert_eq!(values(ran.exits_with(0)), proved, "{ran:#?}");
        }
        // The other player does not win, and the strategy is not one for it.
        for (mv, winner) in moves {
            let other = if *winner == "first" { "second" } else { "first" };
            let goal = ["--board", board, "--after", mv, "--winner", other];
            let ran = solve(&dir, &[&goal[..], &["--store", "store"]].concat());
            ran.exits_with(1).stderr_contains(&[&format!("the {other} player does not win: "), ", in at most "]);
            solve(&dir, &[&goal[..], &["--verify", "whole"]].concat()).exits_with(1);
        }
    }
}

#[test]
fn a_position_that_neither_side_wins_has_a_strategy() {
    let dir = Dir::new();
    let goal = ["--board", "4", "--after", "b1-b3 d2-d4 b4-c3 d3-c2 c1-b1"];
    let neither = "white: neither side wins: both can go on without end";
    let prove = ["--store", "store", "--winner", "either", "--strategy", "whole"];
    solve(&dir, &[&goal[..], &prove].concat()).exits_with(0).stdout_contains(&[neither]);
    let verified = solve(&dir, &[&goal[..], &["--verify", "whole"]].concat());
    for expected in [neither, " of them only not won, ", ": 0 failures"] {
        assert!(verified.exits_with(0).stdout.contains(expected), "{verified:#?}");
    }
    for winner in ["first", "second"] {
        let named = [&goal[..], &["--winner", winner]].concat();
        let ran = solve(&dir, &[&named[..], &["--store", "store"]].concat());
        ran.exits_with(1).stderr_contains(&[&format!("the {winner} player does not win: ")]);
        solve(&dir, &[&named[..], &["--verify", "whole"]].concat()).exits_with(1);
    }
}

#[test]
fn a_player_that_should_not_lose_has_a_strategy_of_its_own() {
    let board = ["--board", "4", "--aim", "hold"];
    let after = ["--after", "b1-b3 d2-d4 b4-c3 d3-c2 c1-b1"];
    for (winner, other, holds) in [
        ("first", "second", "the side to move does not win: the other side can at least go on without end"),
        ("second", "first", "the side to move does not lose: it can at least go on without end"),
    ] {
        let dir = Dir::new();
        let goal = [&board[..], &after, &["--winner", winner]].concat();
        solve(&dir, &[&goal[..], &["--store", "store", "--strategy", "whole"]].concat())
            .exits_with(0)
            .stdout_contains(&[holds]);
        let verified = solve(&dir, &[&goal[..], &["--verify", "whole"]].concat());
        for expected in [holds, " of them only not won, ", ": 0 failures"] {
            assert!(verified.exits_with(0).stdout.contains(expected), "{verified:#?}");
        }
        // It is none for the other player.
        solve(&dir, &[&board[..], &after, &["--winner", other, "--verify", "whole"]].concat()).exits_with(1);
    }
    // The first player wins after this move.
    let dir = Dir::new();
    let prove =
        |winner| solve(&dir, &[&board[..], &["--after", "b1-b3", "--store", "store", "--winner", winner]].concat());
    let lost = prove("second");
    lost.exits_with(1).stderr_contains(&["the second player loses: ", ": the side to move loses, in at most "]);
    assert!(prove("first").exits_with(0).stdout.contains(": the side to move loses, in at most "));
}

/// Whatever the aim, a strategy for `loa6` is proved, cut and verified with one set of options.
#[test]
fn a_strategy_is_cut_whatever_its_aim() {
    let record: Record<6> = include_str!("../../samples/loa6/longest.sgf").parse().expect("a game");
    let moves: Vec<String> = record.moves()[..36].iter().map(ToString::to_string).collect();
    let after = ["--after", &moves.join(" ")];
    for aim in ["win", "hold"] {
        let dir = Dir::new();
        let with = |command: &[&str]| solve(&dir, &[command, &after, &["--aim", aim]].concat());
        with(&["--store", "store", "--strategy", "whole", "--output", "part"]).exits_with(0);
        with(&["--cut", "whole", "--output", "again"]).exits_with(0);
        assert_eq!(dir.names(), ["again", "part", "store", "whole"]);
        with(&["--verify", "whole"]).exits_with(0);
        with(&["--verify", "part"]).exits_with(0).stdout_contains(&["all games are won"]);
    }
}

/// The loser needs the long part alone, and no solver.
#[test]
fn a_strategy_is_cut_for_the_loser() {
    let whole = fs::read(root().join("src/engine/knowledge/solved/loa6.strategy")).expect("a strategy");
    let dir = Dir::new();
    dir.write("whole", &whole);
    let ran = solve(&dir, "--cut whole --cut-for loser --plies 40 --output part");
    let part = dir.bytes("part");
    assert_eq!(ran.exits_with(0).stdout, format!("part: {} bytes\n", in_thousands(part.len() as u64)));
    let [whole, part] = [&whole, &part].map(|bytes| Strategy::<Position<6>>::open(bytes).expect("a strategy"));
    let mut long = whole.positions().filter(|(_, plies)| (40..ENDLESS).contains(plies));
    assert!(long.all(|(form, plies)| part.plies(form) == Some(plies)) && part.fewest_plies() == 40, "{ran:#?}");
    assert!(part.positions().all(|(form, plies)| whole.plies(form) == Some(plies)), "{ran:#?}");
    assert!((1..whole.len() / 20).contains(&part.len()), "{} positions", part.len());
    assert_eq!(dir.names(), ["part", "whole"]);
}

/// The positions of a strategy for the loser are proved lost by a solver where the strategy ends.
#[test]
fn a_strategy_of_the_loser_is_closed_by_the_solver() {
    let strategy = fs::read(root().join("src/engine/knowledge/solved/loa6.strategy")).expect("a strategy");
    let strategy = Strategy::<Position<6>>::open(&strategy).expect("a strategy");
    let record: Record<6> = include_str!("../../samples/loa6/longest.sgf").parse().expect("a game");
    let moves: Vec<String> = record.moves()[..37].iter().map(ToString::to_string).collect();
    let lost = record.positions()[37].form();
    let part = Strategy::<Position<6>>::to_bytes(strategy.plies(lost).map(|plies| (lost, plies)), 1);
    let dir = Dir::new();
    dir.write("part", part);
    let verify = |nodes| solve(&dir, &["--verify", "part", "--after", &moves.join(" "), "--nodes", nodes]);
    let closed = verify("3000000");
    for expected in ["the side to move loses, in at most ", " replies leave the file, 0 of them not proved"] {
        assert!(closed.exits_with(0).stdout.contains(expected), "{closed:#?}");
    }
    let open = verify("1");
    open.exits_with(1).stderr_contains(&["replies are not proved; help: try more --nodes"]);
    assert!(open.stdout.lines().any(|line| line.ends_with(" black")), "each is printed: {open:#?}");
}

/// A cut strategy gains the positions in which the solver needs long.
#[test]
fn a_cut_strategy_is_extended() {
    let record: Record<6> = include_str!("../../samples/loa6/longest.sgf").parse().expect("a game");
    let moves: Vec<String> = record.moves()[..8].iter().map(ToString::to_string).collect();
    let (dir, after, shipped) = (Dir::new(), moves.join(" "), root().join("src/engine/knowledge/solved/loa6.strategy"));
    let with = |command: &[&str]| solve(&dir, &[command, &["--after", &after]].concat());
    with(&["--cut", shipped.to_str().expect("a path"), "--output", "part"]).exits_with(0);
    with(&["--verify", "part", "--nodes", "20000"]).exits_with(0).stdout_contains(&["all games are won"]);
    with(&["--cut", "part", "--nodes", "20000", "--output", "again"]).exits_with(0);
    assert_eq!(fs::read(dir.path("again")).ok(), fs::read(dir.path("part")).ok(), "nothing is missing");
}

/// A cut keeps its journal beside its output. It does not take any other file for it.
#[test]
fn another_file_in_place_of_the_journal_of_a_cut_is_left_alone() {
    let won = ["--after", "b1-b3", "--winner", "first"];
    let strategy = root().join("src/engine/knowledge/solved/loa6.strategy");
    let dir = Dir::new().with("part.journal", "my only copy\n");
    let ran = solve(&dir, &[&["--cut", strategy.to_str().expect("a path"), "--output", "part"], &won[..]].concat());
    ran.exits_with(2).stderr_contains(&["part.journal: expected the journal of a cut", "help: move it away"]);
    assert_eq!((dir.names(), dir.read("part.journal")), (vec!["part.journal".into()], Some("my only copy\n".into())));
}

/// The replies of the other player can be shared as well.
#[test]
fn shards_prove_that_a_player_does_not_lose() {
    let goal = ["--board", "4", "--aim", "hold", "--after", "b1-b3 d2-d4 b4-c3 d3-c2 c1-b1", "--winner", "first"];
    let dir = Dir::new();
    for (store, shard) in [("1.store", "1/2"), ("2.store", "2/2")] {
        solve(&dir, &[&goal[..], &["--store", store, "--shard", shard]].concat())
            .exits_with(0)
            .stdout_contains(&[" of 5 positions decided"]);
    }
    solve(&dir, "--board 4 --merge 1.store 2.store --store store").exits_with(0);
    solve(&dir, &[&goal[..], &["--store", "store"]].concat()).exits_with(0).stdout_contains(&["; 0 s of CPU time"]);
}

#[test]
fn the_second_players_longest_game_is_written() {
    let dir = Dir::new();
    let goal = ["--board", "5", "--after", "b1-b3"];
    solve(&dir, &[&goal[..], &["--winner", "first", "--store", "store", "--strategy", "whole"]].concat()).exits_with(0);
    let ran = solve(&dir, &[&goal[..], &["--verify", "whole", "--longest", "longest.sgf"]].concat());
    let [value] = values(ran.exits_with(0))[..] else { panic!("{ran:#?}") };
    assert!(value < 0, "{ran:#?}");
    let record: Record<5> = dir.text("longest.sgf").parse().expect("a game");
    assert_eq!((record.moves().len() as i32, record.result()), (-value, Some(Outcome::Win(Color::Black))));
}

#[test]
fn shards_prove_the_replies_and_are_merged() {
    let dir = Dir::new();
    let goal = ["--board", "5", "--after", "b1-b3", "--winner", "first"];
    let mut counts = 0;
    for shard in ["1/3", "2/3", "3/3"] {
        let store = format!("store{}", &shard[..1]);
        let ran = solve(&dir, &[&goal[..], &["--store", &store, "--shard", shard]].concat());
        let decided = values(ran.exits_with(0));
        assert!(decided.iter().all(|&value| value > 0), "{ran:#?}");
        // A proof may show another reply lost on the way.
        let last = ran.stdout.lines().last().and_then(|line| line.strip_prefix(&format!("shard {shard}: ")));
        let counted =
            last.and_then(|rest| rest.strip_suffix(" of 16 positions decided")).and_then(|it| it.parse().ok());
        let counted: usize = counted.unwrap_or_else(|| panic!("{ran:#?}"));
        assert!(counted >= decided.len() && counted >= 5, "{ran:#?}");
        counts += counted;
        // A second run finds nothing left to do.
        let again = solve(&dir, &[&goal[..], &["--store", &store, "--shard", shard]].concat());
        assert!(values(again.exits_with(0)).is_empty(), "{again:#?}");
    }
    let merge = ["--board", "5", "--merge", "store1", "store2", "store3", "--store", "merged"];
    solve(&dir, &merge).exits_with(0).stdout_contains(&["merged: "]);
    let merged = dir.bytes("merged");
    // Merged again, nothing changes.
    assert!(solve(&dir, &merge).exits_with(0).stdout.contains(" facts kept of "));
    assert_eq!(dir.bytes("merged"), merged);
    // Every reply is known: only the start is added.
    let ran = solve(&dir, &[&goal[..], &["--store", "merged", "--strategy", "whole"]].concat());
    ran.exits_with(0).stderr_lacks(&["positions proved"]);
    let [value] = values(&ran)[..] else { panic!("{ran:#?}") };
    assert!(value < 0 && counts == 16, "{ran:#?}");
    assert_eq!(dir.bytes("merged").len(), merged.len() + 16 + 20);
    solve(&dir, &[&goal[..], &["--verify", "whole"]].concat()).exits_with(0);
}

#[test]
fn damaged_and_foreign_stores_are_not_merged() {
    let dir = Dir::new();
    solve(&dir, "--board 4 --store four").exits_with(0);
    let four = dir.bytes("four");
    let title = "kingline solve 1 loa4\n".len();
    let merge = |part: &str| solve(&dir, &["--board", "4", "--merge", "four", part, "--store", "merged"]);
    for place in title + 8..four.len() {
        let mut altered = four.clone();
        altered[place] ^= 1;
        dir.write("part", &altered);
        merge("part").exits_with(1).stderr_contains(&[&format!("part is damaged: the batch at byte {title}: found ")]);
        assert_eq!(dir.read("merged").as_deref(), Some("kingline solve 1 loa4\n"), "nothing is merged");
    }
    merge("nowhere").exits_with(1).stderr_contains(&["cannot read nowhere"]);
    dir.write("notes", "mine\n");
    merge("notes").exits_with(1).stderr_contains(&["notes: found \"mine\", expected \"kingline solve 1 loa4\""]);
    // A killed run leaves an incomplete batch at the end; the others count.
    dir.write("part", [&four[..], &four[title..four.len() - 1]].concat());
    merge("part").exits_with(0).stderr_contains(&["part: left out the last ", " bytes, an incomplete batch"]);
    let ran = solve(&dir, "--board 4 --store merged");
    assert_eq!(values(ran.exits_with(0)), [3], "{ran:#?}");
    assert_eq!(dir.bytes("part").len(), 2 * four.len() - title - 1, "parts are only read");
}

#[test]
fn bad_usage_is_reported() {
    let dir = Dir::new().with("notes", "mine\n");
    dir.run_rows(Program::Calibrate, REFUSED, "solve");
    assert_eq!(dir.read("notes").as_deref(), Some("mine\n"));
}
