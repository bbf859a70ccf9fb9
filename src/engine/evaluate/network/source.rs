//! Where the weights of an evaluation come from.

use std::ops::Deref;
use std::sync::Arc;

/// Weights embedded in the program, or read from a file. Only a program that asks for the embedded ones contains them.
#[derive(Clone, Debug)]
pub(crate) enum Source<W: 'static> {
    /// Embedded weights.
    Embedded(&'static W),
    /// Weights read from a file; clones share them.
    Read(Arc<W>),
}

impl<W> Deref for Source<W> {
    type Target = W;

    #[inline(always)]
    fn deref(&self) -> &W {
        match self {
            Source::Embedded(weights) => weights,
            Source::Read(weights) => weights,
        }
    }
}
