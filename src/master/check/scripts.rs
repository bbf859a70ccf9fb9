//! Scripts for programs with text commands, for both editions of the course, and the relevant part of their output.

use super::walk::{Requirement, required, wise};
use Script::{Errors, Events, Prompts};
use kingline_players::play::{Console, Session, Strictness, Viewer};
use kingline_players::protocol::commands::{COURSE_2015, COURSE_2020, Dialect};

macro_rules! sample {
    ($name:literal) => {
        include_str!(concat!("../samples/loa/", $name, ".in"))
    };
}

pub(super) struct Edition {
    pub(super) dialect: &'static Dialect,
    pub(super) counts: fn(&str) -> bool,
    /// Prefixes of Black's and White's automatic moves (§3, §4).
    pub(super) marks: [&'static str; 2],
    /// Scripts without automatic moves.
    pub(super) scripts: &'static [Requirement<Script>],
    /// A script with one automatic side.
    pub(super) one_side: Automatic,
    /// A script with two automatic sides, if such a game ends soon.
    pub(super) both_sides: Option<Automatic>,
}

/// Lines to send, and the part of the output that is compared, so that one mistake does not fail every step.
#[derive(Clone, Copy)]
pub(super) enum Script {
    /// Automatic moves, ends of games and dumps.
    Events(&'static str),
    Errors(&'static str),
    Prompts(&'static str),
}

/// Boards are set up without passing through one where a side is already joined: some programs announce a win there.
const SCRIPTS_2020: [Requirement<Script>; 14] = [
    required(
        "§3",
        "a prompt before every line that it reads, and no other >",
        Prompts("manual white\nb1-b3\n\ndump\nquit\n"),
    ),
    required("§3", "the dump of a new board, including every blank", Events("dump\nquit\n")),
    required("§3", "a manual move prints nothing", Events("manual white\nb1-b3\na2-c2\ndump\nquit\n")),
    required(
        "§3",
        "blanks, blank lines, comments, capitals, extra words",
        Events("\n  # none\n#dump\n\tMANUAL   White   please\n  b1-b3   junk\na2-c2,x\n Dump now\nquit\n"),
    ),
    required(
        "§3",
        "errors go to standard error and change nothing",
        Errors("manual white\nb1-b4\na2-c2\njump\nb1-b3junk\nauto green\nlimit many\nset b1 black\ndump\nquit\n"),
    ),
    required(
        "§3",
        "set changes a square and the side to move",
        Events("manual white\nset d4 white white\nset b1 - black\ndump\nquit\n"),
    ),
    required("§3", "a last line without a newline counts", Events("manual white\nb1-b3\ndump")),
    required("§3", "a complete game by hand; a move after its end is an error", Errors(sample!("2020-black-wins"))),
    required("§1", "a capture that joins the enemy's pieces", Events(sample!("2020-capture-joins-the-enemy"))),
    required("§1", "a capture that joins both sides", Events(sample!("2020-both-joined"))),
    required("§1", "a win on the last move that the limit allows", Events(sample!("2020-last-move-wins"))),
    required("§1", "a tie after the limit, and a limit that is too small", Errors(sample!("2020-tie"))),
    wise(
        "§1",
        "a side without a move loses",
        Events(sample!("2020-no-move")),
        "not required: no text of the course says who wins then",
    ),
    wise(
        "§3",
        "pieces joined by set end the game only after the next move",
        Events(sample!("2020-joined-by-set")),
        "not required: no text of the course says whether set may end a game",
    ),
];

const SCRIPTS_2015: [Requirement<Script>; 9] = [
    required(
        "§4",
        "a prompt before every line that it reads, and no other >",
        Prompts("manual white\nstart\nb1-b3\n\ndump\nquit\n"),
    ),
    required("§4", "the dump of a new board, including every blank", Events("dump\nquit\n")),
    required("§4", "a manual move prints nothing", Events("manual white\nstart\nb1-b3\na2-c2\ndump\nquit\n")),
    required(
        "§4",
        "a move while stopped is an error, and so are wrong commands",
        Errors("manual white\nb1-b3\nstart\nb1-b4\njump\nauto green\ndump\nquit\n"),
    ),
    required(
        "§4",
        "set stops the game and may change the side to move",
        Errors("manual white\nstart\nb1-b3\nset b3 e\na2-c2\ndump\nset b3 B\ndump\nset b3 w\ndump\nquit\n"),
    ),
    required(
        "§4",
        "a complete game by hand, then clear and start",
        Errors(
            "manual white\nstart\ng8-a8\nh7-f7\na8-b7\na7-a1\nb1-c2\nh4-f6\nb8-b6\na4-c6\nc1-c5\na2-b1\ng1-d4\na3-a7\n\
        f1-d3\ndump\na5-c5\nclear\nb1-b3\nstart\nb1-b3\ndump\nquit\n",
        ),
    ),
    required("§1", "a capture that joins the enemy's pieces", Events(sample!("2015-capture-joins-the-enemy"))),
    wise(
        "§4",
        "single letters instead of words",
        Events("manual white\nstart\nb1-b3\ndump\nq\ndump\n"),
        "not required: the course's own program does not take q",
    ),
    wise(
        "§4",
        "start on a board where one side is already joined",
        Events(sample!("2015-joined-at-start")),
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

/// The 2015 edition. It has no script with two automatic sides, since no limit would end their game (§4).
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

/// Relevant output of a program (§3, §4).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ScriptOutput {
    /// Lines that report an automatic move or the end of a game, and dumps; each dump is one entry. The first dump after the
    /// end of a game is without the side to move: no text says which one that is.
    pub(super) events: Vec<String>,
    pub(super) prompts: usize,
    pub(super) errors: Vec<String>,
}

const FENCE: &str = "===";

pub(super) fn parse_output(stdout: &str, stderr: &str, counts: fn(&str) -> bool) -> ScriptOutput {
    let mut output = ScriptOutput { prompts: stdout.matches('>').count(), ..ScriptOutput::default() };
    let mut dump: Option<String> = None;
    for line in stdout.split('\n') {
        if let Some(text) = &mut dump {
            if line.starts_with("Next move: ") && output.events.last().is_some_and(|event| ends_game(event)) {
                continue;
            }
            // Inside a dump, every blank counts.
            text.push_str(line);
            if line == FENCE {
                output.events.extend(dump.take());
            } else {
                text.push('\n');
            }
            continue;
        }
        let line = line.rsplit('>').next().unwrap_or_default();
        let line = line.trim_start();
        if line == FENCE {
            dump = Some(format!("{FENCE}\n"));
        } else if counts(line) {
            output.events.push(line.trim_end().to_owned());
        }
    }
    output.events.extend(dump);
    output.errors = stderr.lines().filter(|line| line.starts_with("Error: ")).map(str::to_owned).collect();
    output
}

fn ends_game(event: &str) -> bool {
    event.ends_with(" wins.") || event.ends_with("Tie game.")
}

fn counts_2020(line: &str) -> bool {
    line.starts_with('*')
}

fn counts_2015(line: &str) -> bool {
    line.contains("::") || line.contains("wins")
}

/// Runs a script without automatic moves in this library's own console, which is correct. Returns stdout and stderr.
pub(super) fn expected(dialect: &'static Dialect, script: &str) -> anyhow::Result<(String, String)> {
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let mut console = Console {
        input: Box::new(script.as_bytes()),
        output: Box::new(&mut output),
        errors: Box::new(&mut errors),
        log: None,
        viewer: Viewer::Program,
    };
    console.run(&mut Session::new(dialect, None), Strictness::GoOn)?;
    drop(console);
    Ok((String::from_utf8(output)?, String::from_utf8(errors)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kingline::game::Game;

    #[test]
    fn boards_are_set_up_without_joining_a_side() {
        let silent = SCRIPTS_2020.iter().filter(|script| !script.title.contains("joined by set"));
        for Requirement { title, asks: Events(script) | Errors(script) | Prompts(script), .. } in silent {
            let mut session = Session::new(&COURSE_2020, None);
            for line in script.lines() {
                if let Ok(Some(command)) = session.state.read(line) {
                    let _ = session.execute(&command);
                    let is_joined = session.state.position().outcome().is_some();
                    assert!(!is_joined || !line.starts_with("set"), "{title}: {line}");
                }
            }
        }
    }

    #[test]
    fn relevant_output_is_found() {
        let stdout = "Banner\nof two lines\nb> * a2-c2\nw> w> ===\n    - b \n===\n-> * Black wins. \n-> ";
        let output = parse_output(stdout, "Error: one\nhelp\nError: two\n", counts_2020);
        assert_eq!(output.events, ["* a2-c2", "===\n    - b \n===", "* Black wins."]);
        assert_eq!((output.prompts, output.errors.len()), (5, 2));
        let output = parse_output("-> W::a2-c2\nb> Black wins.\n* a2-c2\n", "", counts_2015);
        assert_eq!(output.events, ["W::a2-c2", "Black wins."]);
        assert_eq!(parse_output("===\n  - b", "", counts_2020).events, ["===\n  - b\n"], "a dump cut off");
        let dump = "===\n  - b\nNext move: white\n===";
        let output = parse_output(&format!("* Tie game.\n{dump}\n{dump}\n"), "", counts_2020);
        assert_eq!(output.events, ["* Tie game.", "===\n  - b\n===", dump]);
    }

    #[test]
    fn the_expected_output_comes_from_the_command_mode() {
        let (stdout, stderr) = expected(&COURSE_2020, "manual white\nb1-b4\nb1-b3\n").unwrap();
        assert_eq!((parse_output(&stdout, &stderr, counts_2020).prompts, stderr.lines().count()), (4, 1));
        let (_, stderr) = expected(&COURSE_2015, "b1-b3\n").unwrap();
        assert_eq!(stderr, "Error: game not started\n");
    }
}
