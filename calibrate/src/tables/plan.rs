//! Materials to solve for a command.

use kingline::knowledge::tablebase::Material;

/// Materials to solve, and the wanted ones among them.
pub(super) struct TablePlan {
    /// Materials in the order in which they can be solved.
    pub(super) solved: Vec<Material>,
    /// Materials to write to the file, verify, or list.
    pub(super) wanted: Vec<Material>,
    name: String,
    cost: Option<TargetCost>,
}

/// Target for the cost of a build.
#[derive(Clone, Copy)]
pub(super) struct TargetCost {
    /// CPU seconds.
    pub(super) seconds: f64,
    /// Size of the file, in millions of bytes.
    pub(super) megabytes: Option<f64>,
}

impl TablePlan {
    /// Returns the plan for the tables of up to `pieces` pieces, at most `side` per side. Six-piece tables have their
    /// own file.
    pub(super) fn new(pieces: u8, side: u8) -> TablePlan {
        let mut solved = Vec::new();
        for count in 2..=pieces {
            // With 3 per side, no position of six pieces leads to 4 against 1.
            let side = if count == 5 && pieces == 5 { 4 } else { side };
            solved.extend(Material::all(count, side));
        }
        let wanted = solved.iter().copied().filter(|material| pieces < 6 || material.pieces() == 6).collect();
        let name = match (pieces, side) {
            (6, 3) => "three against three".to_owned(),
            (6, _) => "three against three and four against two".to_owned(),
            _ => format!("up to {pieces} pieces"),
        };
        let cost = match (pieces, side) {
            (6, 3) => Some(TargetCost { seconds: 600.0, megabytes: None }),
            (5, _) => Some(TargetCost { seconds: 60.0, megabytes: Some(6.0) }),
            _ => None,
        };
        TablePlan { solved, wanted, name, cost }
    }

    /// Returns a description of the wanted positions.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the target for the cost of a build, if there is one.
    pub(super) fn cost(&self) -> Option<TargetCost> {
        self.cost
    }
}

/// Returns the group that a material is counted in: its number of pieces or, for five or more pieces, the sizes of its
/// sides, the larger first, e.g. `3v2`.
pub(super) fn group(material: Material) -> String {
    let (own, theirs) = (material.own(), material.theirs());
    match material.pieces() {
        pieces @ ..=4 => pieces.to_string(),
        _ => format!("{}v{}", own.max(theirs), own.min(theirs)),
    }
}
