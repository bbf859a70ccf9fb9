//! Pairings: two games between two agents, from the same opening.

use sha2::{Digest, Sha256};

use super::games::{PlannedGame, TournamentRules};

/// Adds two games between two agents, from the same opening with colors swapped.
pub(super) fn pair_up(
    rules: &TournamentRules,
    names: &[&str],
    round: u32,
    opening: u32,
    [a, b]: [usize; 2],
    games: &mut Vec<PlannedGame>,
) {
    let [first, second] = if names[a] <= names[b] { [a, b] } else { [b, a] };
    let pairing = (games.len() / 2) as u32;
    let seed = draw(rules.seed, "opening", round, opening, &[names[first], names[second]]) >> 11;
    let game = |agents| PlannedGame { round, pairing, opening, agents, seed };
    games.extend([game([first, second]), game([second, first])]);
}

/// Returns a pseudorandom number that depends only on the arguments, not on the platform or a library's version.
pub(super) fn draw(seed: u64, what: &str, round: u32, number: u32, names: &[&str]) -> u64 {
    let mut hash = Sha256::new();
    hash.update(format!("{what} {seed} {round} {number}"));
    for name in names {
        // Names contain no zero byte, so different lists of names give different bytes.
        hash.update([0]);
        hash.update(name);
    }
    hash.finalize().iter().take(8).fold(0, |number, &byte| number << 8 | u64::from(byte))
}
