//! A hold becomes a win where there is one.

use super::*;
use crate::solve::store::Fact;

/// Positions that a graph has proved only by a cycle are won by another move, the last one first.
#[test]
fn a_hold_is_improved_to_a_win() {
    let folder = Folder::new();
    let store = Store::open::<OnGraph<6>>(&folder.store()).unwrap();
    let start = OnGraph::<6>::start();
    let held = || strategy::only_held(&store, &start, Whose::Defender).unwrap();
    assert!(held().is_empty(), "nothing is known");
    [0, 2].into_iter().for_each(|place| store.add(place, Fact::NotWon));
    assert_eq!(held().iter().map(|position| position.place).collect::<Vec<_>>(), [2, 0]);
    let mut notes = Notes::new(&store, 1, MINUTE);
    solver(&store).improve(&start, Whose::Defender, 1_000_000, &mut notes).unwrap();
    assert_eq!([2, 0].map(|place| store.lost(place)), [Some(2), Some(4)]);
    assert!(held().is_empty());
}

/// A position that neither side wins remains held by both, and the store knows it.
#[test]
fn a_hold_that_is_no_win_is_known_for_both_sides() {
    let folder = Folder::new();
    let store = Store::open::<OnGraph<0>>(&folder.store()).unwrap();
    let start = OnGraph::<0>::start();
    store.add(start.form(), Fact::NotWon);
    assert!(!store.reaches(&start, Aim::Hold));
    let mut notes = Notes::new(&store, 1, MINUTE);
    solver(&store).improve(&start, Whose::Defender, 1_000_000, &mut notes).unwrap();
    assert!(store.reaches(&start, Aim::Hold) && store.lost(start.form()).is_none());
}
