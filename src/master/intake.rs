//! From a submission to an agent: unpacks the archive, finds the program, and builds the source.

pub mod agent;
pub(crate) mod archive;
pub(crate) mod build;
