//! What must hold of every position, game and text, tried on random ones.

use kingline::checkers::{Diagram, HandWritten, Piece, Position, Route, Square, pdn};
use kingline::game::{Color, Evaluator, Game, History, MoveList, Progress, parse_move, perft};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};

type Move = <Position as Game>::Move;

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

fn moves(position: &Position) -> Vec<Move> {
    let mut list = MoveList::new();
    position.moves(&mut list);
    list.to_vec()
}

/// Plays from `start` until no pick or no move is left; each pick chooses among the legal moves.
fn play(start: Position, picks: &[Index]) -> Vec<(Position, Move)> {
    let mut position = start;
    let mut game = Vec::new();
    for pick in picks {
        let list = moves(&position);
        if list.is_empty() {
            break;
        }
        let mv = *pick.get(&list);
        game.push((position, mv));
        position = position.play(mv);
    }
    game
}

fn last(start: Position, game: &[(Position, Move)]) -> Position {
    game.last().map_or(start, |&(position, mv)| position.play(mv))
}

fn picks() -> impl Strategy<Value = Vec<Index>> {
    vec(any::<Index>(), 0..160)
}

fn color() -> impl Strategy<Value = Color> + Clone {
    select(&Color::ALL[..])
}

/// Anything on any dark square, men on their crowning rows too.
fn any_board() -> impl Strategy<Value = Position> {
    let piece = (color(), select(&[Piece::Man, Piece::King][..]));
    (color(), 0.05..0.99).prop_flat_map(move |(turn, filled)| {
        vec(option::weighted(filled, piece.clone()), 32).prop_map(move |squares| {
            let placed = Square::all().zip(squares);
            Position::new(turn, placed.filter_map(|(square, piece)| piece.map(|(color, piece)| (square, color, piece))))
        })
    })
}

/// The same position, built from its pieces.
fn rebuilt(position: &Position) -> Position {
    let placed = Square::all().filter_map(|square| position.at(square).map(|(color, piece)| (square, color, piece)));
    Position::new(position.turn(), placed)
}

/// The same position, written as rows and read again.
fn redrawn(position: &Position) -> Position {
    let text = Diagram(position).to_string();
    let rows: Vec<&str> = text.lines().collect();
    Diagram::read(rows.try_into().expect("eight rows"), position.turn()).expect("a board")
}

/// What holds of a position, wherever it comes from.
fn check_position(position: &Position) -> Result<(), TestCaseError> {
    prop_assert_eq!(position.to_string().parse(), Ok(*position));
    prop_assert_eq!(redrawn(position), *position);
    prop_assert_eq!(rebuilt(position), *position);
    prop_assert_eq!(rebuilt(position).key(), position.key());

    let list = moves(position);
    prop_assert_eq!(position.must_jump(), list.iter().any(|mv| mv.captures() > 0));
    for (index, &mv) in list.iter().enumerate() {
        prop_assert!(!list[..index].contains(&mv), "{} twice", position.notation(mv));
        prop_assert_eq!(position.must_jump(), mv.captures() > 0);
        let written = position.notation(mv).to_string();
        prop_assert_eq!(parse_move(position, &written), Ok(mv));
        prop_assert_eq!(pdn::read_move(position, &written), Ok(mv));
        let routes = Route::all(position, mv);
        prop_assert!(!routes.is_empty());
        for route in routes {
            prop_assert_eq!(Route::find(position, route.squares()), Some(mv), "{}", route);
            prop_assert_eq!(route.is_jump(), mv.captures() > 0);
        }
        let after = position.play(mv);
        prop_assert_eq!(after.turn(), !position.turn());
        prop_assert_eq!(after.count(after.turn()) + mv.captures(), position.count(after.turn()));
        prop_assert_eq!(after.count(position.turn()), position.count(position.turn()));
        prop_assert_eq!(rebuilt(&after).key(), after.key());
    }

    let flipped = position.flipped();
    prop_assert_eq!(flipped.flipped(), *position);
    prop_assert_eq!(moves(&flipped).len(), list.len());
    Ok(())
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn positions_of_games(picks in picks()) {
        let game = play(Position::start(), &picks);
        for (position, _) in &game {
            check_position(position)?;
        }
        let position = last(Position::start(), &game);
        check_position(&position)?;
        prop_assert_eq!(perft(position, 3), perft(position.flipped(), 3));
    }

    #[test]
    fn the_evaluation_is_carried_exactly_and_knows_no_color(picks in picks()) {
        let value = |position: &Position| HandWritten.evaluate(HandWritten.start(position), position);
        let mut state = HandWritten.start(&Position::start());
        for (position, mv) in play(Position::start(), &picks) {
            prop_assert_eq!(value(&position), value(&position.flipped()));
            let after = position.play(mv);
            state = HandWritten.advance(state, &position, mv, &after);
            prop_assert_eq!(state, HandWritten.start(&after));
        }
    }

    #[test]
    fn histories_count_what_was_played(picks in picks()) {
        let game = play(Position::start(), &picks);
        let mut history = History::new(Position::start());
        let (mut quiet, mut seen) = (0, vec![Position::start()]);
        for (position, mv) in game {
            let crowns = position.play(mv).kings(position.turn()) > position.kings(position.turn());
            let zeroing = mv.captures() > 0 || crowns;
            prop_assert_eq!(position.progress(mv) == Progress::Zeroing, zeroing);
            prop_assert_eq!(position.is_quiet(mv), mv.captures() == 0);
            history.play(mv);
            quiet = if zeroing { 0 } else { quiet + 1 };
            seen.push(position.play(mv));
            prop_assert_eq!(history.position(), position.play(mv));
            prop_assert_eq!(history.quiet_turns(), quiet);
            // All earlier positions, not only those that the history keeps.
            prop_assert_eq!(history.occurrences(), seen.iter().filter(|&&one| one == history.position()).count());
        }
    }
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn any_board_at_all(position in any_board()) {
        prop_assert!(moves(&position).len() < kingline::game::MAX_MOVES);
        check_position(&position)?;
        prop_assert_eq!(perft(position, 2), perft(position.flipped(), 2));
    }

    #[test]
    fn no_text_is_too_strange(text in any::<String>(), position in any_board()) {
        let _ = text.parse::<Position>();
        let _ = text.parse::<Square>();
        let _ = pdn::read_move(&position, &text);
        let _ = parse_move(&position, &text);
        let _ = pdn::Record::read_all(&text);
    }

    #[test]
    fn no_text_of_familiar_words_is_too_strange(words in vec(select(WORDS), 0..24), position in any_board()) {
        let text = words.concat();
        let _ = pdn::read_move(&position, &text);
        if let Ok(read) = text.parse::<Position>() {
            check_position(&read)?;
        }
        if let Ok(records) = pdn::Record::read_all(&text) {
            let written: Vec<String> = records.iter().map(ToString::to_string).collect();
            prop_assert_eq!(pdn::Record::read_all(&written.concat()), Ok(records));
        }
    }
}

/// Pieces of PDN text.
const WORDS: &[&str] = &[
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    ";",
    "$",
    "$1",
    "\"",
    "\\",
    "\n",
    "\r\n",
    " ",
    " ",
    "1",
    ".",
    "1.",
    "...",
    "*",
    "!",
    "?",
    "1-0",
    "1/2-1/2",
    "11-15",
    "23-19",
    "8x11",
    "x",
    "-",
    "[Event \"",
    "[FEN \"",
    "[Result \"0-1\"]",
    "\"]",
    "B:",
    ":W",
    ":B",
    "K",
    "W:",
    "21",
    "1-4",
    ",",
    "\u{e9}",
];

/// A tag as people may set it.
fn tag() -> impl Strategy<Value = (String, String)> {
    let name = prop_oneof![
        select(&["Event", "Site", "Date", "Round", "White", "Black", "Opening"][..]).prop_map(String::from),
        "[A-Za-z][A-Za-z0-9_]{0,8}",
    ];
    (name, prop_oneof!["[\\\\\"\\[\\]{}; a]{0,12}", any::<String>()])
}

fn result() -> impl Strategy<Value = pdn::GameResult> {
    use pdn::GameResult::{Draw, Open, Win};
    select(&[Win(Color::Black), Win(Color::White), Draw, Open][..])
}

/// Whole games, some from the start, some from any board.
fn record() -> impl Strategy<Value = pdn::Record> {
    let start = prop_oneof![Just(Position::start()), any_board()];
    (start, picks(), vec(tag(), 0..8), result()).prop_map(|(start, picks, tags, result)| {
        let mut record = pdn::Record::new(start);
        for (name, value) in tags {
            // Names that the record keeps for itself are refused.
            let _ = record.set_tag(&name, &value);
        }
        for (_, mv) in play(start, &picks) {
            record.push(mv).expect("a legal move");
        }
        record.set_result(result);
        record
    })
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn records_are_read_as_they_were_written(records in vec(record(), 0..4)) {
        let text: Vec<String> = records.iter().map(ToString::to_string).collect();
        prop_assert_eq!(pdn::Record::read_all(&text.join("\n")), Ok(records.clone()));
        prop_assert_eq!(pdn::Record::read_all(&text.join("\n").replace('\n', "\r\n")), Ok(records.clone()));
        for (text, record) in text.iter().zip(records) {
            prop_assert!(text.lines().all(|line| line.starts_with('[') || line.len() <= 80));
            prop_assert_eq!(text.parse(), Ok(record));
        }
    }
}
