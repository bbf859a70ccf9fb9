//! Which scripts are programs with a command mode given, in both editions of the course?

use super::script::{counts_2015, counts_2020};
use crate::protocol::commands::{COURSE_2015, COURSE_2020, Dialect};

/// An edition of the course, and what its programs are tried with.
pub(super) struct Edition {
    pub(super) dialect: &'static Dialect,
    /// Whether a line of output counts.
    pub(super) counts: fn(&str) -> bool,
    /// Before the move in the line of an automatic one, Black's and White's (§3, §4).
    pub(super) marks: [&'static str; 2],
    /// Without automatic moves.
    pub(super) scripts: &'static [CheckScript],
    /// With one automatic side.
    pub(super) one_side: Automatic,
    /// With two automatic sides, if such a game ends soon.
    pub(super) both_sides: Option<Automatic>,
}

/// What is compared of a script's output, so that one mistake is not reported in every step.
#[derive(Clone, Copy)]
pub(super) enum Looks {
    /// Automatic moves, ends of games and dumps.
    Events,
    /// The errors too.
    Errors,
    /// The number of prompts.
    Prompts,
}
use Looks::{Errors, Events, Prompts};

/// A section, what has to be right, what is compared, and the lines to send.
pub(super) type CheckScript = (&'static str, &'static str, Looks, &'static str);

const SCRIPTS_2020: [CheckScript; 14] = [
    ("§3", "a prompt before every line that it reads, and no other >", Prompts, "manual white\nb1-b3\n\ndump\nquit\n"),
    ("§3", "the dump of a new board, to the blank", Events, "dump\nquit\n"),
    ("§3", "a manual move prints nothing", Events, "manual white\nb1-b3\na2-c2\ndump\nquit\n"),
    (
        "§3",
        "blanks, blank lines, comments, capitals, words that follow",
        Events,
        "\n  # none\n#dump\n\tMANUAL   White   please\n  b1-b3   junk\na2-c2,x\n Dump now\nquit\n",
    ),
    (
        "§3",
        "errors go to standard error and change nothing",
        Errors,
        "manual white\nb1-b4\na2-c2\njump\nb1-b3junk\nauto green\nlimit many\nset b1 black\ndump\nquit\n",
    ),
    (
        "§3",
        "set changes a square, and who moves next",
        Events,
        "manual white\nset d4 white white\nset b1 - black\ndump\nquit\n",
    ),
    ("§3", "a last line without its end counts", Events, "manual white\nb1-b3\ndump"),
    (
        "§3",
        "a whole game by hand; a move after its end is an error",
        Errors,
        include_str!("../../../samples/loa/2020-black-wins.in"),
    ),
    (
        "§1",
        "a capture that joins the enemy's pieces",
        Events,
        include_str!("../../../samples/loa/2020-capture-joins-the-enemy.in"),
    ),
    ("§1", "a capture that joins both sides", Events, include_str!("../../../samples/loa/2020-both-joined.in")),
    (
        "§1",
        "a win on the last move that the limit allows",
        Events,
        include_str!("../../../samples/loa/2020-last-move-wins.in"),
    ),
    (
        "§1",
        "a tie after the limit, and a limit that is too small",
        Errors,
        include_str!("../../../samples/loa/2020-tie.in"),
    ),
    ("§1", "a side without a move loses", Events, include_str!("../../../samples/loa/2020-no-move.in")),
    (
        "§3",
        "pieces joined by set do not end a game, the next move does",
        Events,
        include_str!("../../../samples/loa/2020-joined-by-set.in"),
    ),
];

const SCRIPTS_2015: [CheckScript; 9] = [
    (
        "§4",
        "a prompt before every line that it reads, and no other >",
        Prompts,
        "manual white\nstart\nb1-b3\n\ndump\nquit\n",
    ),
    ("§4", "the dump of a new board, to the blank", Events, "dump\nquit\n"),
    ("§4", "a manual move prints nothing", Events, "manual white\nstart\nb1-b3\na2-c2\ndump\nquit\n"),
    (
        "§4",
        "a move while stopped is an error, and so are others",
        Errors,
        "manual white\nb1-b3\nstart\nb1-b4\njump\nauto green\ndump\nquit\n",
    ),
    (
        "§4",
        "set stops the game, and says who moves next",
        Errors,
        "manual white\nstart\nb1-b3\nset b3 e\na2-c2\ndump\nset b3 B\ndump\nset b3 w\ndump\nquit\n",
    ),
    ("§4", "single letters for words", Events, "manual white\nstart\nb1-b3\ndump\nq\ndump\n"),
    (
        "§4",
        "a whole game by hand; clear comes before the next",
        Errors,
        include_str!("../../../samples/loa/2015-black-wins.in"),
    ),
    (
        "§1",
        "a capture that joins the enemy's pieces",
        Events,
        include_str!("../../../samples/loa/2015-capture-joins-the-enemy.in"),
    ),
    (
        "§4",
        "start on a board where a side is joined",
        Events,
        include_str!("../../../samples/loa/2015-joined-at-start.in"),
    ),
];

/// A script with automatic moves, and the same game by hand.
pub(super) struct Automatic {
    pub(super) script: &'static str,
    /// The number of automatic moves, unless the game ends before.
    pub(super) moves: usize,
    /// The manual moves before them.
    pub(super) manual: &'static [&'static str],
    /// The game by hand: what comes before the automatic moves, and what after them.
    pub(super) before: &'static str,
    pub(super) after: &'static str,
}

pub(super) const EDITION_2020: Edition = Edition {
    dialect: &COURSE_2020,
    counts: counts_2020,
    marks: ["* ", "* "],
    scripts: &SCRIPTS_2020,
    one_side: Automatic {
        script: "b1-b3\ndump\nquit\n",
        moves: 1,
        manual: &["b1-b3"],
        before: "manual white\nb1-b3\n",
        after: "dump\n",
    },
    both_sides: Some(Automatic {
        script: "limit 3\nauto black\nquit\n",
        moves: 6,
        manual: &[],
        before: "manual white\nlimit 3\n",
        after: "",
    }),
};

/// No limit ends a game of two automatic sides (§4).
pub(super) const EDITION_2015: Edition = Edition {
    dialect: &COURSE_2015,
    counts: counts_2015,
    marks: ["B::", "W::"],
    scripts: &SCRIPTS_2015,
    one_side: Automatic {
        script: "start\nb1-b3\ndump\nquit\n",
        moves: 1,
        manual: &["b1-b3"],
        before: "manual white\nstart\nb1-b3\n",
        after: "dump\n",
    },
    both_sides: None,
};
