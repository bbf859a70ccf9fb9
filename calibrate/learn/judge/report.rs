//! What is printed of how good an evaluation is?

use std::fmt;

use kingline::figures::Figure;
use serde::Serialize;

use crate::tables::in_thousands;

/// The losses over all positions, and over those of each phase.
#[derive(Serialize)]
pub(super) struct Report {
    #[serde(flatten)]
    pub(super) all: Losses,
    /// Of the evaluation: a value of 1 / scale is e times the other side's chances.
    pub(super) scale: f64,
    /// Of the material, in tenths of a piece.
    pub(super) material_scale: f64,
    pub(super) slices: Vec<Slice>,
}

/// The positions with this number of pieces.
#[derive(Serialize)]
pub(super) struct Slice {
    pub(super) pieces: String,
    #[serde(flatten)]
    pub(super) losses: Losses,
}

/// Mean log losses; none of no positions.
#[derive(Serialize)]
pub(super) struct Losses {
    pub(super) positions: usize,
    /// Of the mean result over all.
    pub(super) constant: Option<f64>,
    /// Of material alone.
    pub(super) material: Option<f64>,
    pub(super) evaluation: Option<f64>,
    /// Of the evaluation, with the scale that is best for these positions alone.
    pub(super) rescaled: Option<f64>,
}

impl Report {
    /// The evaluation's loss over all positions; none of no positions.
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
