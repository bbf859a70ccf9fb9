//! The reader of a console's text, and what is printed for a person only.

use super::reply::{Help, Shown};
use kingline::draw::{self, Paint};

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

    /// Draws a board for `output`.
    pub(super) fn draw_on_output(self, shown: &Shown) -> String {
        match self {
            Viewer::Program => draw::framed(&shown.position, &draw::LOA),
            Viewer::Person { output, .. } => draw_with_last_move(shown, output),
        }
    }

    /// Draws a board for `errors`.
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
