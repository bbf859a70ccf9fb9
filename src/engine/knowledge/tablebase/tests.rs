//! Probes and chosen turns, checked against values of positions of up to four pieces that are solved here.

use std::sync::LazyLock;

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

use super::board::{Board, Material};
use super::build::{SolvedValues, numbers};
use super::choose::TableMove;
use super::index::Index;
use super::probe::{DistanceSearch, ProbeError, Tablebase, most_pieces};
use super::turns::for_each_quiet_before;
use super::value::LONGEST;
use super::{MOST_PIECES, embedded};
use crate::checkers::{Move, Position};
use crate::game::{Color, DrawReason, Ending, Game, History, Knowledge, MoveList, Progress, Rules, Value, Wdl};
use crate::score::Score;

fn course(position: Position) -> History<Position> {
    History::new(position).under(Rules::Course)
}

fn materials() -> impl Iterator<Item = Material> {
    (2..=4).flat_map(|pieces| Material::all(pieces, 3))
}

fn exact(position: &Position) -> Value {
    exact_under(position, Rules::Course)
}

static VALUES: LazyLock<SolvedValues> = LazyLock::new(|| SolvedValues::up_to(4));

fn exact_under(position: &Position, rules: Rules) -> Value {
    if position.count(position.turn()) == 0 { Value::Loss(0) } else { VALUES.exact(position, rules).unwrap() }
}

/// Value of a position for the side to move if it makes this turn, with no quiet turn before it.
fn worth(position: &Position, mv: Move) -> Value {
    let value = exact(&position.play(mv));
    match value {
        _ if position.progress(mv) == Progress::Zeroing => Value::by_zeroing(value.outcome().reversed()),
        Value::Loss(plies) if plies < LONGEST => Value::Win(plies + 1),
        Value::Win(plies) if plies < LONGEST => Value::Loss(plies + 1),
        _ => Value::Draw,
    }
}

/// Samples about `count` positions of a material, with White to move.
fn some(material: Material, count: u32) -> impl Iterator<Item = Position> {
    let all = numbers(material);
    (0..all)
        .step_by((all / count + 1) as usize)
        .filter_map(move |number| Index::new(material).board(number))
        .map(Board::position)
}

fn turns(position: &Position) -> MoveList<Move> {
    position.legal_moves()
}

/// Returns a game that leads to a position by `quiet_turns` quiet turns, without a repetition; `None` if none was
/// found.
fn game_to(position: Position, quiet_turns: usize, rng: &mut StdRng) -> Option<History<Position>> {
    let mut backward = vec![position];
    while backward.len() <= quiet_turns {
        let now = backward[backward.len() - 1];
        let mut before = Vec::new();
        // A board converts to a position with White to move, but sides must alternate.
        for_each_quiet_before(Board::of(&now), |board| before.push(board.position()));
        if now.turn() == before.first()?.turn() {
            before.iter_mut().for_each(|position| *position = position.flipped());
        }
        before.shuffle(rng);
        let fits = |earlier: &Position| !earlier.must_jump() && !backward.contains(earlier);
        backward.push(before.into_iter().find(fits)?);
    }
    let mut history = course(backward.pop()?);
    while let Some(next) = backward.pop() {
        let position = history.position();
        let mv = turns(&position).iter().copied().find(|&mv| position.play(mv) == next)?;
        history.play(mv);
    }
    Some(history)
}

#[test]
fn the_embedded_tables_have_the_expected_number_of_pieces() {
    assert_eq!(most_pieces(embedded().unwrap()), MOST_PIECES);
}

#[test]
fn distances_are_exact() {
    let tablebase = Tablebase::with_embedded(None);
    for position in materials().flat_map(|material| some(material, 200)) {
        assert_eq!(tablebase.value(&position, Rules::Course), Ok(exact(&position)), "{position}");
        let flipped = position.flipped();
        assert_eq!(tablebase.value(&flipped, Rules::Course), Ok(exact(&position)), "{flipped}");
    }
}

#[test]
fn outcomes_under_a_count_are_exact() {
    let tablebase = Tablebase::with_embedded(None);
    for position in materials().flat_map(|material| some(material, 40)) {
        let mut distances = DistanceSearch::new(&tablebase, Rules::Course, u64::MAX);
        for quiet_turns in (0..=50).step_by(3) {
            let outcome = distances.outcome(Board::of(&position), quiet_turns);
            assert_eq!(
                outcome,
                Ok(exact(&position).with_quiet_turns::<Position>(quiet_turns, Rules::Course)),
                "{position} {quiet_turns}"
            );
        }
    }
}

/// Returns every `step`-th position of up to four pieces that is decided only without the course's limit.
fn cursed(step: usize) -> impl Iterator<Item = Position> {
    let numbers = |material| VALUES.cursed(material).iter().map(move |&(number, _)| (material, number));
    let boards = materials().flat_map(numbers).filter_map(|(material, number)| Index::new(material).board(number));
    boards.map(Board::position).step_by(step)
}

#[test]
fn cursed_positions_are_drawn_by_the_course_alone() {
    let tablebase = Tablebase::with_embedded(None);
    let mut farthest = 0;
    for position in cursed(7) {
        assert_eq!(tablebase.value(&position, Rules::Course), Ok(Value::Draw), "{position}");
        let value = exact_under(&position, Rules::Game);
        assert_eq!(tablebase.value(&position, Rules::Game), Ok(value), "{position}");
        let (Value::Win(plies) | Value::Loss(plies)) = value else { panic!("{position} is drawn") };
        farthest = farthest.max(plies);
        let known = [Rules::Game, Rules::Course].map(|rules| tablebase.probe(&position, 20, rules));
        assert_eq!(known.map(|known| known.map(Value::outcome)), [Some(value.outcome()), Some(Wdl::Draw)]);
    }
    assert!(farthest > LONGEST, "{farthest}");
}

#[test]
fn cursed_wins_are_won_against_the_longest_defense() {
    let mut longest = 0;
    for position in cursed(97).filter(|position| matches!(exact_under(position, Rules::Game), Value::Win(_))) {
        let mut history = History::new(position);
        let mut plies = 0;
        while history.ending().is_none() {
            history.play(choose(&history).expect("a tabled position").mv);
            plies += 1;
        }
        assert_eq!(history.ending(), Some(Ending::Win(position.turn())), "{position}");
        longest = longest.max(plies);
    }
    assert!(longest > LONGEST, "{longest}");
}

const KINGS: [Material; 4] = [kings(2, 1), kings(1, 2), kings(3, 1), kings(2, 2)];

const fn kings(own: u8, theirs: u8) -> Material {
    Material { men: 0, kings: own, their_men: 0, their_kings: theirs }
}

fn level(_: &Position) -> Score {
    Score::DRAW
}

fn choose(history: &History<Position>) -> Result<TableMove, ProbeError> {
    Tablebase::with_embedded(None).choose(history, &level, u64::MAX)
}

/// Returns true if a choice in a position of this value is the best one. In a lost position, the choice may lose a few
/// plies sooner than necessary, but no sooner than it claims.
#[track_caller]
fn is_best(choice: TableMove, position: &Position, value: Value) -> bool {
    let found = worth(position, choice.mv);
    match (value, choice.value, found) {
        (Value::Loss(most), Value::Loss(claimed), Value::Loss(found)) => {
            assert!(claimed <= found && found <= most, "{position}");
        }
        _ => assert_eq!((choice.value, found), (value, value), "{position}"),
    }
    (choice.value, found) == (value, value)
}

/// Returns positions of all materials with a legal turn, and their values.
fn samples(each: u32) -> impl Iterator<Item = (Position, Value)> {
    let positions = materials().flat_map(move |material| some(material, each));
    positions.filter(|position| !turns(position).is_empty()).map(|position| (position, exact(&position)))
}

#[test]
fn choices_without_quiet_turns_are_best() {
    let (mut count, mut best) = (0, 0);
    for (position, value) in samples(60) {
        for (position, color) in [(position, Color::White), (position.flipped(), Color::Black)] {
            assert_eq!(position.turn(), color);
            best += u32::from(is_best(choose(&course(position)).unwrap(), &position, value));
            count += 1;
        }
    }
    assert!(count > 2000 && count - best <= count / 100, "{best} of {count}");
}

/// Tests each position after as many quiet turns as its win or loss allows before the draw, and after one more.
#[test]
fn a_win_or_loss_beyond_the_count_is_a_draw() {
    let mut rng = StdRng::seed_from_u64(1);
    let (mut fitting, mut late) = ([0; 2], [0; 2]);
    for (position, value) in samples(150) {
        let (side, plies) = match value {
            Value::Win(plies) => (0, plies),
            Value::Loss(plies) => (1, plies),
            Value::Draw => continue,
        };
        let left = usize::from(LONGEST - plies);
        if let Some(history) = game_to(position, left, &mut rng) {
            fitting[side] += u32::from(is_best(choose(&history).unwrap(), &position, value));
        }
        if plies > 1
            && let Some(history) = game_to(position, left + 1, &mut rng)
        {
            let choice = choose(&history).unwrap();
            assert_eq!(choice.value, Value::Draw, "{position} after {} quiet turns", left + 1);
            let after = position.play(choice.mv);
            let quiet_turns = if position.progress(choice.mv) == Progress::Zeroing { 0 } else { left as u16 + 2 };
            assert_eq!(exact(&after).with_quiet_turns::<Position>(quiet_turns, Rules::Course), Wdl::Draw, "{position}");
            late[side] += 1;
        }
    }
    assert!(fitting.into_iter().chain(late).all(|count| count > 20), "{fitting:?} {late:?}");
}

#[test]
fn draws_are_kept_under_any_count() {
    let mut rng = StdRng::seed_from_u64(2);
    let mut count = 0;
    for (place, (position, value)) in samples(60).enumerate().filter(|(_, (_, value))| *value == Value::Draw) {
        let Some(history) = game_to(position, place % 50, &mut rng) else { continue };
        let choice = choose(&history).unwrap();
        assert_eq!((choice.value, worth(&position, choice.mv).outcome()), (value, Wdl::Draw), "{position}");
        count += 1;
    }
    assert!(count > 100, "{count}");
}

#[test]
fn having_no_move_loses_even_after_the_last_quiet_turn() {
    // Two men block a corner, and the king closes it with the last quiet turn.
    let material = Material { men: 2, kings: 1, their_men: 0, their_kings: 1 };
    let mut rng = StdRng::seed_from_u64(3);
    let mut count = 0;
    for position in some(material, u32::MAX) {
        let shuts_in = |mv: Move| position.progress(mv) != Progress::Zeroing && turns(&position.play(mv)).is_empty();
        if !turns(&position).iter().any(|&mv| shuts_in(mv)) {
            continue;
        }
        let mut tries = (0..10).filter_map(|_| game_to(position, usize::from(LONGEST) - 1, &mut rng));
        let Some(mut history) = tries.next() else { continue };
        let choice = choose(&history).unwrap();
        assert_eq!(choice.value, Value::Win(1), "{position}");
        history.play(choice.mv);
        assert_eq!(history.ending(), Some(Ending::Win(Color::White)), "{position}");
        count += 1;
    }
    assert!(count > 1, "{count}");
}

/// Returns a game of eight positions, the same four twice, in which the turn chosen in `position` would repeat the
/// first of them a third time; `None` if there is no such game.
fn repeated_twice(position: Position) -> Option<History<Position>> {
    let there = choose(&course(position)).ok()?.mv;
    if position.progress(there) == Progress::Zeroing {
        return None;
    }
    let back = |position: &Position, mv: Move| {
        turns(position).iter().copied().find(|back| (back.from(), back.to()) == (mv.to(), mv.from()))
    };
    let first = position.play(there);
    turns(&first).iter().find_map(|&reply| {
        let second = first.play(reply);
        let third = second.play(back(&second, there)?);
        let end = back(&third, reply)?;
        if third.play(end) != position {
            return None;
        }
        let mut history = History::new(first);
        let round = [reply, back(&second, there)?, end, there];
        round.iter().cycle().take(7).for_each(|&mv| history.play(mv));
        (history.positions().len() == 8).then_some(history)
    })
}

#[test]
fn a_win_avoids_the_third_repetition() {
    let mut count = 0;
    for position in KINGS.into_iter().flat_map(|material| some(material, 300)) {
        let Value::Win(_) = exact(&position) else { continue };
        let Some(mut history) = repeated_twice(position) else { continue };
        let choice = choose(&history).unwrap();
        // The repetition may be the only winning turn.
        let Value::Win(_) = choice.value else { continue };
        while history.ending().is_none() {
            let mv = choose(&history).unwrap().mv;
            history.play(mv);
        }
        assert_eq!(history.ending(), Some(Ending::Win(Color::White)), "{position}");
        count += 1;
    }
    assert!(count > 20, "{count}");
}

#[test]
fn a_loss_is_saved_by_the_third_repetition() {
    let mut count = 0;
    for position in KINGS.into_iter().flat_map(|material| some(material, 300)) {
        let Value::Loss(_) = exact(&position) else { continue };
        let Some(mut history) = repeated_twice(position) else { continue };
        let choice = choose(&history).unwrap();
        assert_eq!(choice.value, Value::Draw, "{position}");
        history.play(choice.mv);
        assert_eq!(history.ending(), Some(Ending::Draw(DrawReason::Repetition)), "{position}");
        count += 1;
    }
    assert!(count > 20, "{count}");
}

#[test]
fn missing_tables_and_too_few_probes_are_errors() {
    let blocked: Position = "W:W29:B25,K22".parse().unwrap();
    assert_eq!(turns(&blocked).len(), 0);
    assert_eq!(choose(&History::new(blocked)), Err(ProbeError::NotTabled));
    assert_eq!(choose(&History::new(Position::start())), Err(ProbeError::NotTabled));
    let far: Position = "W:WK1,K2:BK32".parse().unwrap();
    let few = Tablebase::with_embedded(None).choose(&History::new(far), &level, 3);
    assert_eq!(few, Err(ProbeError::Unfinished));
}

#[test]
fn with_few_probes_a_winning_turn_is_chosen_and_its_distance_is_a_bound() {
    let tablebase = Tablebase::with_embedded(None);
    let (mut cut_short, mut answered) = (0, 0);
    for (position, value) in samples(20) {
        let Value::Win(plies) = value else { continue };
        let most = tablebase.choose(&course(position), &level, 40);
        let Ok(TableMove { mv, value: Value::Win(bound) }) = most else { continue };
        assert_eq!(worth(&position, mv).outcome(), Wdl::Win, "{position}");
        assert!(bound >= plies, "{position}: {bound}, expected at least {plies}");
        cut_short += u32::from(bound > plies);
        answered += 1;
    }
    assert!(cut_short > 20 && answered > 200, "{cut_short} of {answered}");
}

#[test]
fn a_man_on_its_crowning_row_is_in_no_table() {
    let tablebase = Tablebase::with_embedded(None);
    for text in ["W:WK14,3:BK23", "B:WK14,3:BK23", "W:W14:B9,30", "B:WK14,K11,K25:B31,K5"] {
        let position: Position = text.parse().unwrap();
        assert_eq!(tablebase.value(&position, Rules::Game), Err(ProbeError::NotTabled), "{position}");
        assert_eq!(tablebase.probe(&position, 0, Rules::Game), None, "{position}");
        let evaluation = crate::evaluate::checkers::Evaluation::default();
        assert_eq!(tablebase.choose(&History::new(position), &evaluation, 1000), Err(ProbeError::NotTabled));
    }
}
