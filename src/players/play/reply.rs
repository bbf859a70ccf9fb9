use kingline::draw::{self, Paint};
use kingline::game::History;
use kingline::loa::{Move, Position};

/// Request for a move in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thought {
    /// The game up to that position.
    pub history: History<Position<8>>,
    /// Number of further moves of both sides after which the game is a tie; `None` if there is no limit.
    pub plies: Option<u16>,
}

/// Board to show to a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Board and side to move.
    pub position: Position<8>,
    /// Move that led to it; `None` if the board was set up.
    pub last: Option<Move>,
}

/// Answer to the command `help`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Help {
    /// Rules of the game, only for a person at a terminal.
    pub rules: String,
    /// Summary of the commands.
    pub commands: String,
}

/// Result of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Text to print, often empty.
    Output(String),
    /// Text for a person, printed on standard error.
    Aside(String),
    /// Board, printed on standard output.
    Board(Shown),
    /// Board, printed on standard error.
    Print(Shown),
    /// Help, printed on standard error.
    Help(Help),
    /// Request for a hint in this position.
    Hint(Thought),
    /// Request for an analysis of this position.
    Analysis(Thought),
    /// The program ends.
    Quit,
}

/// Reader of the console's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// A program.
    Program,
    /// A person at a terminal, for whom the board is drawn on `errors` at the start and after each change.
    Person {
        /// Use of colors in `output`.
        output: Paint,
        /// Use of colors in `errors`.
        errors: Paint,
    },
}

impl Viewer {
    /// Returns true for a person at a terminal.
    pub fn is_person(self) -> bool {
        matches!(self, Viewer::Person { .. })
    }

    pub(super) fn draw_on_output(self, shown: &Shown) -> String {
        match self {
            Viewer::Program => draw::framed(&shown.position, &draw::LOA),
            Viewer::Person { output, .. } => draw_with_last_move(shown, output),
        }
    }

    pub(super) fn draw_on_errors(self, shown: &Shown) -> String {
        match self {
            Viewer::Program => draw::framed(&shown.position, &draw::LOA),
            Viewer::Person { errors, .. } => draw_with_last_move(shown, errors),
        }
    }

    /// Returns the text of the help. Only a person needs the rules.
    pub(super) fn help(self, Help { rules, commands }: &Help) -> String {
        match self {
            Viewer::Program => commands.clone(),
            Viewer::Person { .. } => format!("{rules}\n{commands}"),
        }
    }
}

fn draw_with_last_move(shown: &Shown, paint: Paint) -> String {
    let squares = shown.last.iter().flat_map(|mv| [mv.from(), mv.to()]);
    let marks: Vec<(usize, usize)> = squares.map(|square| (square.column(), square.row())).collect();
    draw::marked(&shown.position, &draw::LOA, &marks, paint)
}
