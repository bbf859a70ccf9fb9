//! Names, numbers and tables for a terminal.

use comfy_table::{Attribute, Cell, CellAlignment, Table, presets};

use kingline::draw::Paint;
use kingline_players::terminal::{Screen, escaped};

/// Returns the unique name of an agent's folder, followed by the name that the agent gives itself.
pub(super) fn name(folder: &str, title: Option<&str>) -> String {
    let folder = escaped(folder);
    match title.map(escaped).filter(|title| *title != folder) {
        Some(title) => format!("{folder} \"{title}\""),
        None => folder,
    }
}

/// Returns a table with these titles, styled for standard output.
pub(super) fn table(titles: impl IntoIterator<Item = Cell>) -> Table {
    let screen = Screen::of_stdout();
    let title = |cell: Cell| if screen.paint == Paint::Colored { cell.add_attribute(Attribute::Bold) } else { cell };
    let mut table = Table::new();
    table.load_style(if screen.is_live { presets::UTF8_BORDERS_ONLY } else { presets::NOTHING });
    table.set_header(titles.into_iter().map(title));
    table
}

/// Right-aligns a cell, for numbers.
pub(super) fn right(cell: Cell) -> Cell {
    cell.set_alignment(CellAlignment::Right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_poses_as_another() {
        assert_eq!(name("bob", None), "bob");
        assert_eq!(name("bob", Some("bob")), "bob");
        assert_eq!(name("bob", Some("alice")), "bob \"alice\"");
        assert_eq!(name("bob", Some("a\u{202e}b\u{1b}[2K")), "bob \"a\\u{202e}b\\u{1b}[2K\"");
    }
}
