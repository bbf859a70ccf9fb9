//! The integration tests: rules against independent data, the search against its oracle, and the
//! real binaries in temporary directories.

mod oracle;
mod properties;
mod rules;
mod signature;
