//! From a submission to an agent: unpacks the archive, finds the program, and builds the source.
//!
//! | module | question it answers |
//! | --- | --- |
//! | [`archive`] | what is in an archive, and is it safe to unpack? |
//! | [`agent`] | which programs in a folder can play, and how are they run? |
//! | [`build`] | how is an agent built from source? |

pub mod agent;
pub mod archive;
pub mod build;
