//! The list of all games as columns in script files, small enough to be searched in a browser.
//!
//! Each file has the games of thirty files of games. Numbers of games are differences to the game before, the first to
//! 0; results are those of `compact_game`; endings are indexes of the file's own list.

use serde_json::{Value, json};

use super::compact_game::result;
use super::endings;
use super::games_files::GAMES_A_FILE;
use crate::tournament::store::{GameId, Summary};

/// Numbers of games in one file.
const GAMES_A_LIST: i64 = 30 * GAMES_A_FILE;

/// The number of the list with a game.
pub(super) fn list_of(GameId(id): GameId) -> i64 {
    id.div_euclid(GAMES_A_LIST)
}

/// The columns of some games in the order of their numbers.
pub(super) fn json(games: &[&Summary]) -> Value {
    let mut reasons: Vec<&str> = Vec::new();
    let mut ending = Vec::with_capacity(games.len());
    for game in games {
        let place = reasons.iter().position(|reason| *reason == game.reason);
        ending.push(place.unwrap_or_else(|| {
            reasons.push(&game.reason);
            reasons.len() - 1
        }));
    }
    let mut before = 0;
    let differences = games.iter().map(|game| game.id.0 - std::mem::replace(&mut before, game.id.0));
    let endings = reasons.into_iter().map(|reason| {
        let (kind, words) = endings::in_words(reason);
        json!([kind.class(), words])
    });
    json!({
        "id": differences.collect::<Vec<i64>>(),
        "black": games.iter().map(|game| game.agents[0]).collect::<Vec<usize>>(),
        "white": games.iter().map(|game| game.agents[1]).collect::<Vec<usize>>(),
        "result": games.iter().map(|game| result(game)).collect::<Vec<u32>>(),
        "ending": ending,
        "turns": games.iter().map(|game| game.turns).collect::<Vec<u32>>(),
        "round": games.iter().map(|game| game.round).collect::<Vec<u32>>(),
        "faults": games.iter().map(|game| game.faults[0] + game.faults[1]).collect::<Vec<u32>>(),
        "endings": endings.collect::<Vec<Value>>(),
    })
}
