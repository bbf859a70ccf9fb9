//! The page itself: its text with the board in it.

use kingline::draw::{Drawing, Grid, Labels, SHAPES};

/// Columns and rows of the board, in both games.
const SIZE: usize = 8;

/// Returns the page with these elements in its head and at the end of its body.
pub(crate) fn page(head: &str, scripts: &str) -> String {
    let values = [("<!-- head -->", head), ("<!-- board -->", &board()), ("<!-- scripts -->", scripts)];
    let mut rest = include_str!("../page/index.html");
    let mut page = String::new();
    for (mark, value) in values {
        let (before, after) = rest.split_once(mark).unwrap_or((rest, ""));
        page += before;
        page += value;
        rest = after;
    }
    page + rest
}

/// The drawn board with a button over each square, as on the pages of `loa --display`.
fn board() -> String {
    let grid = Grid { size: SIZE, labels: Labels::FromBottom };
    let drawing = Drawing { grid, id: "board", label: "The board", board: "8/8/8/8/8/8/8/8", mv: None };
    let cell = |column: usize, row: usize| {
        let name = format!("{}{}", Labels::FromBottom.column(column), Labels::FromBottom.row(row, SIZE));
        format!(
            "<button type=\"button\" role=\"gridcell\" tabindex=\"-1\" data-square=\"{name}\" aria-label=\"{name}\">\
             </button>"
        )
    };
    let row = |row: usize| {
        let cells: String = (0..SIZE).map(|column| cell(column, row)).collect();
        format!("<div role=\"row\">{cells}</div>")
    };
    let rows: String = (0..SIZE).rev().map(row).collect();
    format!(
        "{SHAPES}<div id=\"stage\" data-size=\"{SIZE}\">{drawing}\n<div id=\"squares\" role=\"grid\" \
         aria-label=\"Board: arrow keys move from square to square\">{rows}</div></div>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_its_parts_in_place() {
        let page = page("HEAD", "SCRIPTS");
        assert!(page.starts_with("<!doctype html>") && !page.contains("<!--"), "{page}");
        assert!(page.find("HEAD") < page.find("<body") && page.find("id=\"board\"") < page.find("SCRIPTS"));
        assert_eq!(page.matches("role=\"gridcell\"").count(), 64);
    }
}
