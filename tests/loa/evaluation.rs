//! `loa --evaluation`: other weights, and files that are not weights.

use kingline::evaluate::loa::{LARGE, SMALL};

use crate::support::command::*;

/// Both sides automatic, for the first moves of a game that is the same on any machine.
fn play(dir: &Dir, arguments: &[&str]) -> Ran {
    let commands = "seed 7\nlimit 3\nauto black\nauto white\nquit\n";
    dir.run_with_input(Program::Loa, arguments, commands)
}

#[test]
fn named_weights_play() {
    let dir = Dir::new();
    dir.write("same", LARGE);
    let plain = play(&dir, &[]);
    let same = play(&dir, &["--evaluation", "same"]);
    assert_eq!((&same.stdout, &same.stderr), (&plain.stdout, &plain.stderr));
    assert!(plain.exits_with(0).stdout.matches("* ").count() >= 6, "{plain:#?}");
}

#[test]
fn the_embedded_weights_play_in_place_of_unusable_ones() {
    let dir = Dir::new();
    let plain = play(&dir, &[]);
    let mut damaged = LARGE.to_vec();
    damaged[5000] ^= 1;
    let mut later = LARGE.to_vec();
    later[16] = 9;
    for (name, bytes, message) in [
        ("cut", &LARGE[..LARGE.len() - 2], "cannot use cut: found "),
        ("small", SMALL, "cannot use small: found weights for loa6, expected weights for loa"),
        ("damaged", &damaged, "cannot use damaged: found a wrong checksum, expected undamaged weights"),
        ("later", &later, "cannot use later: found version 9, expected version 2"),
        ("text", b"no weights", "cannot use text: found no weights"),
    ] {
        dir.write(name, bytes);
        let ran = play(&dir, &["--evaluation", name]);
        ran.exits_with(0).stderr_contains(&["loa: ", message, "; the built-in evaluation is used"]);
        assert_eq!(ran.stdout, plain.stdout, "{name}");
    }
    let ran = play(&dir, &["--evaluation", "missing"]);
    ran.exits_with(0).stderr_contains(&["cannot read missing", "; the built-in evaluation is used"]);
}
