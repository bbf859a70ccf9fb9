//! Scripts for programs with text commands, for both editions of the course.

use super::script::{counts_2015, counts_2020};
use crate::exam::samples;
use kingline_players::protocol::commands::{COURSE_2015, COURSE_2020, Dialect};

/// An edition of the course, with its scripts.
pub(super) struct Edition {
    pub(super) dialect: &'static Dialect,
    /// Returns true if a line of output is relevant.
    pub(super) counts: fn(&str) -> bool,
    /// Prefixes of Black's and White's automatic moves (§3, §4).
    pub(super) marks: [&'static str; 2],
    /// Scripts without automatic moves.
    pub(super) scripts: &'static [CheckScript],
    /// Scripts that no text of the course decides, each with the reason why a failure is only a note.
    pub(super) undecided: &'static [(CheckScript, &'static str)],
    /// A script with one automatic side.
    pub(super) one_side: Automatic,
    /// A script with two automatic sides, if such a game ends soon.
    pub(super) both_sides: Option<Automatic>,
}

/// The part of a script's output that is compared, so that one mistake does not fail every step.
#[derive(Clone, Copy)]
pub(super) enum Compared {
    /// Automatic moves, ends of games and dumps.
    Events,
    /// Events and errors.
    Errors,
    /// Number of prompts.
    Prompts,
}
use Compared::{Errors, Events, Prompts};

/// Section, requirement, comparison, and lines to send.
pub(super) type CheckScript = (&'static str, &'static str, Compared, &'static str);

/// Boards are set up without passing through one where a side is already joined: some programs announce a win there.
const SCRIPTS_2020: [CheckScript; 12] = [
    ("§3", "a prompt before every line that it reads, and no other >", Prompts, "manual white\nb1-b3\n\ndump\nquit\n"),
    ("§3", "the dump of a new board, including every blank", Events, "dump\nquit\n"),
    ("§3", "a manual move prints nothing", Events, "manual white\nb1-b3\na2-c2\ndump\nquit\n"),
    (
        "§3",
        "blanks, blank lines, comments, capitals, extra words",
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
        "set changes a square and the side to move",
        Events,
        "manual white\nset d4 white white\nset b1 - black\ndump\nquit\n",
    ),
    ("§3", "a last line without a newline counts", Events, "manual white\nb1-b3\ndump"),
    ("§3", "a complete game by hand; a move after its end is an error", Errors, samples::LOA_2020_BLACK_WINS),
    ("§1", "a capture that joins the enemy's pieces", Events, samples::LOA_2020_CAPTURE_JOINS_THE_ENEMY),
    ("§1", "a capture that joins both sides", Events, samples::LOA_2020_BOTH_JOINED),
    ("§1", "a win on the last move that the limit allows", Events, samples::LOA_2020_LAST_MOVE_WINS),
    ("§1", "a tie after the limit, and a limit that is too small", Errors, samples::LOA_2020_TIE),
];

const UNDECIDED_2020: [(CheckScript, &str); 2] = [
    (
        ("§1", "a side without a move loses", Events, samples::LOA_2020_NO_MOVE),
        "not required: no text of the course says who wins then",
    ),
    (
        ("§3", "pieces joined by set end the game only after the next move", Events, samples::LOA_2020_JOINED_BY_SET),
        "not required: no text of the course says whether set may end a game",
    ),
];

const SCRIPTS_2015: [CheckScript; 7] = [
    (
        "§4",
        "a prompt before every line that it reads, and no other >",
        Prompts,
        "manual white\nstart\nb1-b3\n\ndump\nquit\n",
    ),
    ("§4", "the dump of a new board, including every blank", Events, "dump\nquit\n"),
    ("§4", "a manual move prints nothing", Events, "manual white\nstart\nb1-b3\na2-c2\ndump\nquit\n"),
    (
        "§4",
        "a move while stopped is an error, and so are wrong commands",
        Errors,
        "manual white\nb1-b3\nstart\nb1-b4\njump\nauto green\ndump\nquit\n",
    ),
    (
        "§4",
        "set stops the game and may change the side to move",
        Errors,
        "manual white\nstart\nb1-b3\nset b3 e\na2-c2\ndump\nset b3 B\ndump\nset b3 w\ndump\nquit\n",
    ),
    (
        "§4",
        "a complete game by hand, then clear and start",
        Errors,
        "manual white\nstart\ng8-a8\nh7-f7\na8-b7\na7-a1\nb1-c2\nh4-f6\nb8-b6\na4-c6\nc1-c5\na2-b1\ng1-d4\na3-a7\n\
        f1-d3\ndump\na5-c5\nclear\nb1-b3\nstart\nb1-b3\ndump\nquit\n",
    ),
    ("§1", "a capture that joins the enemy's pieces", Events, samples::LOA_2015_CAPTURE_JOINS_THE_ENEMY),
];

const UNDECIDED_2015: [(CheckScript, &str); 2] = [
    (
        ("§4", "single letters instead of words", Events, "manual white\nstart\nb1-b3\ndump\nq\ndump\n"),
        "not required: the course's own program does not take q",
    ),
    (
        ("§4", "start on a board where one side is already joined", Events, samples::LOA_2015_JOINED_AT_START),
        "not required: the course's text and its own program differ on whether start announces a win",
    ),
];

/// A script with automatic moves, and the same game played by hand.
pub(super) struct Automatic {
    pub(super) script: &'static str,
    /// Number of automatic moves, unless the game ends earlier.
    pub(super) moves: usize,
    /// Manual moves before the automatic ones.
    pub(super) manual: &'static [&'static str],
    /// Lines before the automatic moves when the game is played by hand.
    pub(super) before: &'static str,
    /// Lines after them.
    pub(super) after: &'static str,
}

pub(super) const EDITION_2020: Edition = Edition {
    dialect: &COURSE_2020,
    counts: counts_2020,
    marks: ["* ", "* "],
    scripts: &SCRIPTS_2020,
    undecided: &UNDECIDED_2020,
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

/// The 2015 edition. It has no script with two automatic sides, since no limit would end their game (§4).
pub(super) const EDITION_2015: Edition = Edition {
    dialect: &COURSE_2015,
    counts: counts_2015,
    marks: ["B::", "W::"],
    scripts: &SCRIPTS_2015,
    undecided: &UNDECIDED_2015,
    one_side: Automatic {
        script: "start\nb1-b3\ndump\nquit\n",
        moves: 1,
        manual: &["b1-b3"],
        before: "manual white\nstart\nb1-b3\n",
        after: "dump\n",
    },
    both_sides: None,
};

#[cfg(test)]
mod tests {
    use super::*;
    use kingline::game::Game;
    use kingline_players::play::Session;

    #[test]
    fn boards_are_set_up_without_joining_a_side() {
        let silent =
            UNDECIDED_2020.iter().map(|(script, _)| script).filter(|script| !script.1.contains("joined by set"));
        for (_, title, _, script) in SCRIPTS_2020.iter().chain(silent) {
            let mut session = Session::new(&COURSE_2020, None);
            for line in script.lines() {
                if let Ok(Some(command)) = session.read(line) {
                    let _ = session.execute(&command);
                    let is_joined = session.position().outcome().is_some();
                    assert!(!is_joined || !line.starts_with("set"), "{title}: {line}");
                }
            }
        }
    }
}
