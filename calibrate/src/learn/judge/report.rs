//! Report of a judged evaluation.

use std::fmt;

use kingline_players::figures::Figure;
use serde::Serialize;

use kingline_players::terminal::in_thousands;

/// Losses over all positions, and over each phase.
#[derive(Serialize)]
pub(super) struct Report {
    #[serde(flatten)]
    pub(super) all: Losses,
    /// Scale of the evaluation: at a value of 1 / scale, a side has e times the other's chances.
    pub(super) scale: f64,
    /// Scale of the material, in tenths of a piece.
    pub(super) material_scale: f64,
    pub(super) slices: Vec<Slice>,
}

/// Losses over the positions with `pieces` pieces.
#[derive(Serialize)]
pub(super) struct Slice {
    pub(super) pieces: String,
    #[serde(flatten)]
    pub(super) losses: Losses,
}

/// Mean log losses; `None` without positions.
#[derive(Serialize)]
pub(super) struct Losses {
    pub(super) positions: usize,
    /// Loss of a constant prediction: the mean result of all positions.
    pub(super) constant: Option<f64>,
    /// Loss of material alone.
    pub(super) material: Option<f64>,
    pub(super) evaluation: Option<f64>,
    /// Loss of the evaluation at the scale that is best for these positions alone.
    pub(super) rescaled: Option<f64>,
}

impl Report {
    /// Returns the evaluation's loss over all positions; `None` without positions.
    pub(super) fn figure(&self) -> Option<Figure> {
        let loss = self.all.evaluation?;
        let measured = format!("{loss:.4} over {} positions", in_thousands(self.all.positions as u64));
        Some(Figure::new("log loss of the evaluation", measured))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [constant, material, evaluation, rescaled] = ["constant", "material", "evaluation", "rescaled"];
        writeln!(
            f,
            "{:<12} {:>12} {constant:>10} {material:>10} {evaluation:>10} {rescaled:>10}",
            "pieces", "positions"
        )?;
        line(f, "all", &self.all)?;
        self.slices.iter().try_for_each(|Slice { pieces, losses }| line(f, pieces, losses))?;
        write!(f, "best scale of the evaluation: {:.6}", self.scale)
    }
}

fn line(f: &mut fmt::Formatter<'_>, pieces: &str, losses: &Losses) -> fmt::Result {
    let &Losses { positions, constant, material, evaluation, rescaled } = losses;
    write!(f, "{pieces:<12} {:>12}", in_thousands(positions as u64))?;
    for loss in [constant, material, evaluation, rescaled] {
        write!(f, " {:>10}", loss.map_or("-".to_owned(), |loss| format!("{loss:.4}")))?;
    }
    writeln!(f)
}
