//! Integration tests of the library: rules against independent data, the search against its oracle.

mod games {
    //! Properties of every game, and the rules against independent data.
    mod conformance;
    mod pdn;
    mod properties;
    mod rules;
}
mod search {
    //! The search and the solver against exhaustive search, and reproducibility.
    mod forced_wins;
    mod oracle;
    mod reproducible;
    mod signature;
    mod stopping;
}
mod support {
    //! Data of independent programs.
    pub(crate) mod moves;
}
