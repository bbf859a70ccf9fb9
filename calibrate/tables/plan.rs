//! Which materials are solved, and which of them are wanted?

use kingline::knowledge::tablebase::Material;

/// Materials to solve, and those of them that the command is for.
pub(super) struct TablePlan {
    /// In the order in which they can be solved.
    pub(super) solved: Vec<Material>,
    /// Those that are written to the file, verified, or listed.
    pub(super) wanted: Vec<Material>,
}

impl TablePlan {
    /// The tables of up to `pieces` pieces, at most `side` a side. Those of six pieces make a file of their own.
    pub(super) fn new(pieces: u8, side: u8) -> TablePlan {
        let mut solved = Vec::new();
        for count in 2..=pieces {
            // With 3 a side, nothing of six pieces leads to 4 against 1.
            let side = if count == 5 && pieces == 5 { 4 } else { side };
            solved.extend(Material::all(count, side));
        }
        let wanted = solved.iter().copied().filter(|material| pieces < 6 || material.pieces() == 6).collect();
        TablePlan { solved, wanted }
    }
}

/// The group that a material is counted in: its number of pieces; from five pieces on its sides, the larger first, as
/// `3v2`.
pub(super) fn group(material: Material) -> String {
    let (own, theirs) = (material.own(), material.theirs());
    match material.pieces() {
        pieces @ ..=4 => pieces.to_string(),
        _ => format!("{}v{}", own.max(theirs), own.min(theirs)),
    }
}
