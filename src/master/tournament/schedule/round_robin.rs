//! Round robin: every pair meets.

use super::games::{Schedule, TournamentRules};
use super::pairing::pair_up;

/// Schedules all pairs by the circle method: one entrant stays and the others rotate, so that at any time all have
/// played about equally often. Source: J. Schurig, 1886.
pub(super) fn schedule(rules: &TournamentRules, names: &[&str]) -> Schedule {
    let mut games = Vec::new();
    // With an odd number of entrants, the last place of the circle is empty, and the entrant paired with it rests.
    let places = names.len().next_multiple_of(2);
    let turns = (0..places.saturating_sub(1)).flat_map(|turn| circle(places, turn));
    let pairs: Vec<_> = turns.filter(|pair| pair.iter().all(|&place| place < names.len())).collect();
    for opening in 0..rules.games / 2 {
        for &pair in &pairs {
            pair_up(rules, names, 1, opening, pair, &mut games);
        }
    }
    Schedule { games, out: vec![None; names.len()] }
}

/// Returns the pairs in one turn of the circle. Every place is in one pair, and no pair repeats within `places - 1`
/// turns.
fn circle(places: usize, turn: usize) -> impl Iterator<Item = [usize; 2]> {
    let wheel = places - 1;
    let pairs = (1..places / 2).map(move |step| [(turn + step) % wheel, (turn + wheel - step) % wheel]);
    std::iter::once([wheel, turn]).chain(pairs)
}
