//! How things are done, beyond what an item's own documentation says: a page for each question.
//!
//! | page | question it answers |
//! | --- | --- |
//! | [`turns`] | what does `homework` read and write, and how does it spend its time? |
//! | [`loa`] | what does `loa` understand, and `loa6`? |
//! | [`display`] | how is Lines of Action played in the browser? |
//! | [`scripts`] | how are `loa` programs tested? |
//! | [`master`] | how are agents played, checked and judged? |
//! | [`sandbox`] | how are they held, and their time measured? |
//! | [`class`] | how do submissions become a gradebook? |
//! | [`tournaments`] | who is best, on one machine or on many? |
//! | [`formats`] | what is in the files? |
//! | [`learning`] | how is an evaluation made? |
//! | [`endings`] | what is known of endings of checkers? |
//! | [`solved`] | how is 6x6 Lines of Action won? |
//! | [`figures`] | what was measured, and how? |
//! | [`changes`] | what is new? |

/// Pages, each a file that can be read in the source too. Links between them are by label: a file defines its labels at
/// its end, for readers of the source; the definitions before it come first, and so count in the documentation. Pictures
/// too: `cargo doc` copies none, so from the page, in target/doc/kingline/guide/NAME, the way leads back to the source.
macro_rules! pages {
    ($($name:ident: $file:literal)*) => {$(
        #[doc = pages!(labels)]
        #[doc = include_str!($file)]
        pub mod $name {}
    )*};
    (labels) => {
        "[turns]: crate::guide::turns\n[loa]: crate::guide::loa\n[display]: crate::guide::display\n\
         [scripts]: crate::guide::scripts\n[master]: crate::guide::master\n[sandbox]: crate::guide::sandbox\n\
         [class]: crate::guide::class\n[tournaments]: crate::guide::tournaments\n\
         [formats]: crate::guide::formats\n[learning]: crate::guide::learning\n\
         [endings]: crate::guide::endings\n[solved]: crate::guide::solved\n[figures]: crate::guide::figures\n\
         [changes]: crate::guide::changes\n\
         [picture-chosen]: ../../../../../src/guide/display-chosen.png\n\
         [picture-phone]: ../../../../../src/guide/display-phone.png\n\n"
    };
}

pages! {
    turns: "guide/turns.md"
    loa: "guide/loa.md"
    display: "guide/display.md"
    scripts: "guide/scripts.md"
    master: "guide/master.md"
    sandbox: "guide/sandbox.md"
    class: "guide/class.md"
    tournaments: "guide/tournaments.md"
    formats: "guide/formats.md"
    learning: "guide/learning.md"
    endings: "guide/endings.md"
    solved: "guide/solved.md"
    figures: "guide/figures.md"
    changes: "guide/changes.md"
}
