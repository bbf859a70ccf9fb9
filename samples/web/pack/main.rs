//! Packs the page: `pack-web ENGINE.wasm FOLDER` writes the files of a static site beside FOLDER/page.js, and one file that
//! contains everything and opens without a server. `build.sh` makes the script, compiles the engine and calls this.

use std::path::Path;
use std::process::ExitCode;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use kingline::draw::{BOARD_CSS, Drawing, Grid, Labels, SHAPES};
use kingline::evaluate;
use kingline::knowledge::tablebase;

/// Largest number of pieces in the page's tables.
const MOST_PIECES: u8 = 4;
/// Columns and rows of the board, in both games.
const SIZE: usize = 8;
/// Style sheet of the page: that of the pages of `loa --display`, and its own rules.
const STYLES: [&str; 3] =
    [BOARD_CSS, include_str!("../../../src/players/display/assets/page.css"), include_str!("../page/page.css")];
const WORKER: &str = include_str!("../page/worker.js");

/// A file that the page reads as bytes: the compiled engine, its weights, and its endgame tables.
type Part = (&'static str, Vec<u8>);

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pack-web: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [engine, folder] = &arguments[..] else { return Err("usage: pack-web ENGINE.wasm FOLDER".into()) };
    let read = |path: &Path| std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    let folder = Path::new(folder);
    let script = String::from_utf8(read(&folder.join("page.js"))?).map_err(|error| format!("page.js: {error}"))?;
    let tables = tablebase::embedded().map_err(|error| error.to_string())?.up_to(MOST_PIECES);
    let parts = [
        ("engine.wasm", read(Path::new(engine))?),
        ("checkers.weights", evaluate::checkers::EMBEDDED.to_vec()),
        ("loa.weights", evaluate::loa::LARGE.to_vec()),
        ("checkers.tables", tables),
    ];
    let alone = alone(&script, &parts)?;
    for (name, bytes) in served().into_iter().chain(parts).chain([alone]) {
        let path = folder.join(name);
        std::fs::write(&path, &bytes).map_err(|error| format!("{}: {error}", path.display()))?;
        println!("{:>9} {}", bytes.len(), path.display());
    }
    Ok(())
}

/// Returns the files of a static site, apart from the script and the parts.
fn served() -> [Part; 3] {
    let page = page("<link rel=\"stylesheet\" href=\"page.css\">", "<script src=\"page.js\"></script>");
    [
        ("index.html", page.into_bytes()),
        ("page.css", STYLES.concat().into_bytes()),
        ("worker.js", WORKER.as_bytes().to_vec()),
    ]
}

/// Returns the file that contains everything.
fn alone(script: &str, parts: &[Part]) -> Result<Part, String> {
    if script.contains("</script") {
        return Err("page.js: found </script, expected no end tag".into());
    }
    let inlined =
        |name: &str, text: &str| format!("<script type=\"text/plain\" id=\"inlined-{name}\">{text}</script>\n");
    let parts = parts.iter().map(|(name, bytes)| inlined(name, &BASE64_STANDARD.encode(bytes)));
    let parts: String = parts.chain([inlined("worker.js", WORKER)]).collect();
    let page = page(&format!("<style>{}</style>", STYLES.concat()), &format!("{parts}<script>{script}</script>"));
    Ok(("kingline.html", page.into_bytes()))
}

/// Returns the page with the board, and with these elements in its head and at the end of its body.
fn page(head: &str, scripts: &str) -> String {
    let page = include_str!("../page/index.html").replacen("<!-- head -->", head, 1);
    page.replacen("<!-- board -->", &board(), 1).replacen("<!-- scripts -->", scripts, 1)
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
    fn one_file_contains_everything() {
        let (_, page) = alone("start();", &[("engine.wasm", b"foo".to_vec())]).expect("a page");
        let page = String::from_utf8(page).expect("text");
        for part in ["id=\"inlined-engine.wasm\">Zm9v<", "<script>start();</script>", "id=\"inlined-worker.js\">// "] {
            assert!(page.contains(part), "{part}");
        }
        assert!(!page.contains("src=") && !page.contains("stylesheet"), "loads something");
        assert!(!WORKER.contains("</script") && !STYLES.concat().contains("</style"));
        assert!(alone("\"</script>\"", &[]).is_err());
    }

    #[test]
    fn the_page_has_its_parts_in_place() {
        let page = page("HEAD", "SCRIPTS");
        assert!(page.starts_with("<!doctype html>") && !page.contains("<!--"), "{page}");
        assert!(page.find("HEAD") < page.find("<body") && page.find("id=\"board\"") < page.find("SCRIPTS"));
        assert_eq!(page.matches("role=\"gridcell\"").count(), 64);
    }
}
