//! Properties of all command sessions and saved games, tested with random ones.

use std::ops::ControlFlow;
use std::time::Duration;

use kingline::draw::Paint;
use kingline::game::{Color, Game, Outcome};
use kingline::loa::sgf::Record;
use kingline::loa::{Position, Square};
use kingline_players::play::{Console, Session, Spectators, Strictness, Viewer};
use kingline_players::protocol::commands::{COURSE_2015, COURSE_2020, Dialect, Pace, Refusal};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Words of both dialects, complete and truncated. No command in these tests may read or write a file.
const WORDS: &str = "new|start|clear|auto|manual|set|dump|board|print|seed|limit|help|?|undo|redo|goto|moves|hint|time|level|\
    0.00001|position|-bb-----/--------/--------/--------/--------/--------/--------/w------w|b|s|black|WHITE|-|e|w|a1|b1|\
    h9|1|-2|99999999999999999999|#|save no/such/game.sgf|load no/such/game.sgf|b1-b3|a2-c2|c1-c3|h7-f7|a1-a1|z9-a1|\
    b1-b3x|\u{e9}|\0|";

fn parts(text: &'static str) -> Vec<&'static str> {
    text.split('|').collect()
}

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => vec(select(parts(WORDS)), 1..5).prop_map(|words| words.join(" ")),
        1 => (select(&["set"][..]), square(), select(&["black", "white", "-", "b", "w", "e"][..]), color())
            .prop_map(|(set, square, piece, next)| format!("{set} {square} {piece} {next}")),
        3 => (square(), square()).prop_map(|(from, to)| format!("{from}-{to}")),
    ]
}

fn square() -> impl Strategy<Value = Square> {
    (0..8usize, 0..8usize).prop_map(|(column, row)| Square::at(column, row).expect("a square"))
}

fn color() -> impl Strategy<Value = Color> {
    select(&Color::ALL[..])
}

fn dialect() -> impl Strategy<Value = &'static Dialect> {
    select(vec![&COURSE_2020, &COURSE_2015])
}

/// Runs a console, and returns its standard output and standard error.
fn converse(session: &mut Session, input: &str) -> (String, String) {
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let input = Box::new(input.as_bytes());
    let mut console = Console {
        input,
        output: Box::new(&mut output),
        errors: Box::new(&mut errors),
        log: None,
        viewer: Viewer::Program,
    };
    console.run(session, Strictness::GoOn).expect("streams that do not fail");
    drop(console);
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (text(output), text(errors))
}

/// Tests that a person sees the board without a command.
#[test]
fn a_person_sees_the_board_after_each_change() {
    let input = "manual white\nb1-b3\ndump\na2-a9\na2-c2\nundo\n";
    let mut seen = [String::new(), String::new()];
    let person = Viewer::Person { output: Paint::Plain, errors: Paint::Plain };
    for (viewer, seen) in [Viewer::Program, person].into_iter().zip(&mut seen) {
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        let input = Box::new(input.as_bytes());
        let (output_to, errors_to) = (Box::new(&mut output), Box::new(&mut errors));
        let mut console = Console { input, output: output_to, errors: errors_to, log: None, viewer };
        console.run(&mut session(&COURSE_2020), Strictness::GoOn).expect("streams that do not fail");
        drop(console);
        // The board is drawn at the start, after each move, and after an undo.
        let boards = String::from_utf8(errors).expect("text").matches(" to move\n").count();
        assert_eq!(boards, if viewer.is_person() { 4 } else { 0 });
        *seen = String::from_utf8(output).expect("text");
    }
    assert_eq!(seen[0], seen[1], "standard output does not change");
}

fn session(dialect: &'static Dialect) -> Session {
    Session::new(dialect, Some(Pace::Constant(Duration::from_micros(1))))
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn any_input_gives_well_formed_output(dialect in dialect(), lines in vec(line(), 1..30)) {
        let mut session = session(dialect);
        let (output, errors) = converse(&mut session, &(lines.join("\n") + "\n"));
        let after_prompts = |line: &str| line.rsplit("> ").next().unwrap_or_default().to_string();
        let mut is_dump = false;
        for line in output.lines().map(after_prompts) {
            if line == "===" {
                is_dump = !is_dump;
            }
            let ends = ["Black wins.", "White wins.", "Tie game."].contains(&line.trim_start_matches("* "));
            let mv = line.strip_prefix("* ").or(line.strip_prefix("B::")).or(line.strip_prefix("W::"));
            let is_move = mv.is_some_and(|mv| mv.len() == 5 && mv.as_bytes()[2] == b'-');
            for mark in ["*", "::", "wins"] {
                prop_assert!(!line.contains(mark) || ends || is_move, "{}", line);
            }
            prop_assert!(!line.contains('>') && (!line.contains("===") || line.len() == 3), "{}", line);
        }
        prop_assert!(!is_dump);
        for line in errors.lines().filter(|line| line.starts_with("Error")) {
            prop_assert!(line.len() < 400, "{}", line);
        }
    }

    #[test]
    fn a_refused_line_changes_nothing(dialect in dialect(), lines in vec(line(), 1..40)) {
        let mut session = session(dialect);
        for line in lines {
            let before = (session.state.position(), session.state.prompt());
            let refused = match dialect.read(&line) {
                Ok(Some(command)) => session.execute(&command).is_err(),
                Ok(None) | Err(_) => true,
            };
            prop_assert!(!refused || before == (session.state.position(), session.state.prompt()), "{}", line);
            while let Some(turn) = session.automatic_turn(Spectators::Present, &mut |_| ControlFlow::Continue(())) {
                prop_assert!(!refused, "{}", line);
                prop_assert!(turn.mv.is_some() || turn.text.contains("wins"));
            }
        }
    }

    #[test]
    fn analyses_change_nothing(dialect in dialect(), lines in vec((any::<bool>(), line()), 1..20)) {
        let output = |analyzes: bool| {
            let before = |analyzed: bool| if analyzes && analyzed { "analyze\n" } else { "" };
            let input: String = lines.iter().map(|(analyzed, line)| format!("{}{line}\n", before(*analyzed))).collect();
            let mut session = session(dialect);
            session.state.analyzes = true;
            converse(&mut session, &format!("seed 1\nlevel 1\n{input}")).0
        };
        let (with, without) = (output(true), output(false));
        let others = |text: &str| {
            let lines = text.lines().map(|line| line.rsplit("> ").next().unwrap_or_default().to_owned());
            let is_other = |line: &String| !(line.is_empty() || line.starts_with("info ") || line.starts_with("done"));
            lines.filter(is_other).collect::<Vec<_>>()
        };
        prop_assert_eq!(others(&with), others(&without));
    }

    #[test]
    fn undo_reverts_move_by_move_and_redo_makes_them_again(picks in vec(any::<Index>(), 0..40)) {
        let mut session = session(&COURSE_2020);
        let by_hand = COURSE_2020.read("manual white").expect("a command").expect("a command");
        session.execute(&by_hand).expect("a command");
        let mut seen = Vec::new();
        for pick in picks {
            let list = session.state.position().legal_moves();
            if list.is_empty() || session.state.prompt() == "-> " {
                break;
            }
            seen.push(session.state.position());
            let mv = COURSE_2020.read(&pick.get(&list).to_string()).expect("a move").expect("a move");
            session.execute(&mv).expect("a legal move");
        }
        let end = (session.state.position(), session.state.prompt());
        let command = |text: &str| COURSE_2020.read(text).expect("a command").expect("a command");
        for position in seen.iter().rev() {
            session.execute(&command("undo")).expect("a move to take back");
            prop_assert_eq!(session.state.position(), *position);
            prop_assert_ne!(session.state.prompt(), "-> ");
        }
        prop_assert_eq!(session.execute(&command("undo")), Err(Refusal::NothingToUndo));
        for position in seen.iter().skip(1) {
            session.execute(&command("redo")).expect("a move to make again");
            prop_assert_eq!(session.state.position(), *position);
        }
        if !seen.is_empty() {
            session.execute(&command("redo")).expect("a move to make again");
        }
        prop_assert_eq!((session.state.position(), session.state.prompt()), end);
        prop_assert_eq!(session.execute(&command("redo")), Err(Refusal::NothingToRedo));
        let (moves, most) = (seen.len() + 1, seen.len());
        let beyond = session.execute(&command(&format!("goto {moves}")));
        prop_assert_eq!(beyond, Err(Refusal::NoSuchPosition { moves, most }));
        for moves in (0..seen.len()).chain([seen.len()]) {
            session.execute(&command(&format!("goto {moves}"))).expect("a position of the game");
            prop_assert_eq!(session.state.position(), seen.get(moves).copied().unwrap_or(end.0));
        }
    }
}

/// Strategy for any board, or the start position.
fn board() -> impl Strategy<Value = Position<8>> {
    let any = (color(), vec(option::weighted(0.3, color()), 64)).prop_map(|(turn, squares)| {
        let placed = Square::all::<8>().zip(squares);
        Position::new(turn, placed.filter_map(|(square, piece)| piece.map(|color| (square, color))))
    });
    prop_oneof![any, color().prop_map(|turn| Position::start().with_turn(turn))]
}

fn record() -> impl Strategy<Value = Record> {
    let win = color().prop_map(Outcome::Win);
    let result = option::of(prop_oneof![win, Just(Outcome::Draw)]);
    (board(), vec(any::<Index>(), 0..80), result).prop_map(|(start, picks, result)| {
        let mut record = Record::new(start);
        for pick in picks {
            let list = record.position().legal_moves();
            if list.is_empty() || (!record.moves().is_empty() && record.position().outcome().is_some()) {
                break;
            }
            record.play(*pick.get(&list));
        }
        record.set_result(result);
        record
    })
}

/// Fragments of SGF text.
const PIECES: &str = "(|)|;|(;GM[9]|GM[9]|SZ[8]|SU[Custom]|AB[a1]|[b2]|AW[c3:d4]|AE[a1]|PL[W]|B[b1-b3]|W[a2-c2]|;B[b1:b3|]|[|\\|\
    \n| |RE[B+]|C[x]|B[resign]|BL[2.5]|WL[1e3]|GC[x\n\r\ny]|PB[z]|b|\u{e9}";

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn saved_game_round_trip(record in record()) {
        let text = record.to_string();
        prop_assert_eq!(text.parse(), Ok(record.clone()));
        prop_assert_eq!(text.replace('\n', "\r\n").parse(), Ok(record.clone()));
        // Another program may write lower case, comments and variations.
        let other = text.replace(";B[", " ; C[a\\]b;] B [").replace("-", "").replace(")\n", "(;)(;B[z9])\n)");
        prop_assert_eq!(other.parse(), Ok(record));
    }

    #[test]
    fn arbitrary_text_never_panics(text in any::<String>(), pieces in vec(select(parts(PIECES)), 0..24)) {
        let _ = text.parse::<Record>();
        let _ = format!("(;GM[9]{text})").parse::<Record>();
        if let Ok(record) = pieces.concat().parse::<Record>() {
            prop_assert_eq!(record.to_string().parse(), Ok(record));
        }
    }
}
