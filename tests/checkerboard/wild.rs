//! Calls with wild arguments: each has an answer or an error, and the engine still plays.

use kingline::checkers::Position;
use kingline_checkerboard::board::{BLACK, Board, KING, MAN, WHITE, write_position};
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, IteratorRandom};
use rand::{RngExt, SeedableRng};

use super::driver::{Call, Engine, UNKNOWN};

const PIECES: [i32; 5] = [0, WHITE + MAN, WHITE + KING, BLACK + MAN, BLACK + KING];
const COMMANDS: &str = "name|about|help|get protocolversion|get gametype|get hashsize|set hashsize 2|\
    set hashsize 99999999999999999999|set searchthreads 2|set searchthreads 1|set searchthreads -5|\
    set allscores 1|set allscores 0|set dbpath /no/such/file|set dbpath|get dbpath|\
    set gamehist B:WK12,K27,30,32:B21,K24,28,K31 24-19 27-24 19-15 12-16|set gamehist 24-19 27-24|\
    staticevaluation B:W21-32:B1-12|dblookup W:WK30,K31:BK11|set book 3|set option";

/// A board with about `pieces` pieces on any squares, some of which no piece can have.
fn board(rng: &mut StdRng, pieces: usize) -> Board {
    let mut board = Board::default();
    for _ in 0..pieces {
        let (x, y) = (rng.random_range(0..8), rng.random_range(0..8));
        // Light squares seldom, so that many boards are sound.
        if (x + y) % 2 == 0 || rng.random_ratio(1, 400) {
            board[x][y] = if rng.random_ratio(1, 400) { rng.random() } else { *PIECES.choose(rng).expect("a piece") };
        }
    }
    board
}

fn wild_call(rng: &mut StdRng) -> Call {
    let pieces = *[0, 2, 8, 16, 24, 40, 400].choose(rng).expect("a number");
    let board = if rng.random_ratio(1, 20) { None } else { Some(board(rng, pieces)) };
    let colors = if rng.random_ratio(1, 8) { [0, 3, -1, i32::MIN, i32::MAX] } else { [1, 2, 1, 2, 1] };
    let color = *colors.choose(rng).expect("a color");
    let mut call = Call {
        board,
        color,
        time: *[0.01, 0.0, -1.0, f64::NAN, f64::NEG_INFINITY, 1e-300].choose(rng).expect("a time"),
        has_text: rng.random_ratio(9, 10),
        play_now: rng.random_ratio(1, 2).then_some(0),
        info: rng.random_range(0..4),
        more_info: rng.random(),
        has_move: rng.random_ratio(1, 2),
    };
    if rng.random_ratio(1, 3) {
        // Any times, which only the wish to play ends.
        call.info = rng.random();
        call.time = *[1e300, f64::INFINITY, f64::NAN].choose(rng).expect("a time");
        call.play_now = Some(rng.random_range(1..=i32::MAX));
    }
    call
}

fn wild_bytes(rng: &mut StdRng) -> Vec<u8> {
    let mut bytes = COMMANDS.split('|').choose(rng).expect("a command").as_bytes().to_vec();
    match rng.random_range(0..4) {
        0 => {}
        1 => bytes = (0..rng.random_range(0..300)).map(|_| rng.random::<u8>()).collect(),
        2 => bytes.extend((0..300).map(|_| rng.random_range(b' '..=b'~'))),
        _ => {
            let place = rng.random_range(0..bytes.len());
            bytes[place] = rng.random_range(b' '..=b'~');
        }
    }
    bytes
}

#[test]
fn a_thousand_wild_calls_are_answered() {
    let engine = Engine::load();
    let mut rng = StdRng::seed_from_u64(37);
    let [mut moves, mut refused, mut over, mut commands, mut unknown] = [0; 5];
    for number in 0..1000 {
        if number % 2 == 0 {
            let call = wild_call(&mut rng);
            let answer = engine.getmove(call);
            assert!((0..=UNKNOWN).contains(&answer.result), "{call:?}: {answer:?}");
            let has_moved = answer.board != call.board;
            match answer.result {
                _ if has_moved => moves += 1,
                UNKNOWN => {
                    refused += 1;
                    assert!(answer.text.as_ref().is_none_or(|text| text.contains("expected") || text == "no board"));
                }
                result => {
                    over += 1;
                    assert_eq!(result, 2, "{call:?}: {answer:?}");
                }
            }
        } else {
            let (result, reply) = match rng.random_range(0..20) {
                0 => engine.no_command(),
                1 => engine.command_bytes(&wild_bytes(&mut rng), false),
                _ => engine.command_bytes(&wild_bytes(&mut rng), true),
            };
            assert!(result == 0 || result == 1, "{result}: {reply}");
            if result == 1 { commands += 1 } else { unknown += 1 }
        }
    }
    println!("{moves} moves, {refused} refused, {over} over; {commands} commands followed, {unknown} not");
    assert!(moves > 150 && refused > 50 && over > 5 && commands > 100 && unknown > 100);
    // The engine still plays.
    let mut start = Board::default();
    write_position(&"B:W21-32:B1-12".parse::<Position>().expect("a position"), &mut start);
    let call = Call {
        board: Some(start),
        color: BLACK,
        time: 0.05,
        has_text: true,
        play_now: Some(0),
        info: 1,
        more_info: 0,
        has_move: true,
    };
    let answer = engine.getmove(call);
    assert!(answer.result == UNKNOWN && answer.board != Some(start), "{answer:?}");
}
