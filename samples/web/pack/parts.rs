//! The binary parts of the page: the compiled engine, its weights, and its endgame tables.

use kingline::evaluate;
use kingline::knowledge::tablebase;

/// Largest number of pieces in the page's tables.
const MOST_PIECES: u8 = 4;

/// A file that the page reads as bytes.
pub(crate) struct BinaryPart {
    pub(crate) name: &'static str,
    pub(crate) bytes: Vec<u8>,
}

/// Returns all parts, the engine first.
///
/// # Errors
/// The embedded tables are broken.
pub(crate) fn parts(engine: Vec<u8>) -> Result<[BinaryPart; 4], String> {
    let tables = tablebase::embedded().map_err(|error| error.to_string())?.up_to(MOST_PIECES);
    Ok([
        ("engine.wasm", engine),
        ("checkers.weights", evaluate::checkers::EMBEDDED.to_vec()),
        ("loa.weights", evaluate::loa::LARGE.to_vec()),
        ("checkers.tables", tables),
    ]
    .map(|(name, bytes)| BinaryPart { name, bytes }))
}
