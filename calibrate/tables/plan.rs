use kingline::knowledge::tablebase::Material;

/// Which materials are solved, and which of them are asked for.
pub(super) struct TablePlan {
    /// In the order in which they can be solved.
    pub(super) solved: Vec<Material>,
    /// Those that the file has, and that are looked over.
    pub(super) wanted: Vec<Material>,
}

impl TablePlan {
    /// The tables of `pieces` pieces, at most `side` of a side. Six pieces make a file of their own, beside that of up
    /// to five.
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

/// What a material is counted under: its number of pieces, from five on by sides, the larger one first.
pub(super) fn group(material: Material) -> String {
    let (own, theirs) = (material.own(), material.theirs());
    match material.pieces() {
        pieces @ ..=4 => pieces.to_string(),
        _ => format!("{}v{}", own.max(theirs), own.min(theirs)),
    }
}
