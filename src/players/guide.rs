//! The guide: how to use the programs, and how they work. Each page answers a question.
//!
//! | page | question it answers |
//! | --- | --- |
//! | [`turns`] | what does `homework` read and write, and how does it manage its time? |
//! | [`board_programs`] | how do other programs use the engines? |
//! | [`loa`] | what do `loa` and `loa6` understand? |
//! | [`display`] | how is Lines of Action played in the browser? |
//! | [`scripts`] | how does `test-loa` test `loa` programs? |
//! | [`master`] | how are games between agents played, checked and judged? |
//! | [`sandbox`] | how are agents confined, and how is their time measured? |
//! | [`class`] | how do submissions become a gradebook? |
//! | [`tournaments`] | which agent is best, on one machine or on many? |
//! | [`formats`] | what do the files contain? |
//! | [`learning`] | how is an evaluation learned? |
//! | [`endings`] | what is known about checkers endings? |
//! | [`solved`] | how is 6x6 Lines of Action won? |
//! | [`review`] | where was a game won and lost, and what is a score worth? |
//! | [`figures`] | what was measured, and how? |
//! | [`changes`] | what is new? |

/// One module per page. For people who read the files themselves, each page ends with its link definitions. In the
/// documentation, the definitions here take effect instead: they precede the page, and Markdown uses the first
/// definition of a label. `cargo doc` does not copy pictures, so their links lead from
/// target/doc/kingline_players/guide/NAME back to the source.
macro_rules! pages {
    ($($name:ident: $file:literal)*) => {$(
        #[doc = pages!(labels)]
        #[doc = include_str!($file)]
        pub mod $name {}
    )*};
    (labels) => {
        "[turns]: crate::guide::turns\n[board-programs]: crate::guide::board_programs\n[loa]: crate::guide::loa\n[display]: crate::guide::display\n\
         [scripts]: crate::guide::scripts\n[master]: crate::guide::master\n[sandbox]: crate::guide::sandbox\n\
         [class]: crate::guide::class\n[tournaments]: crate::guide::tournaments\n\
         [formats]: crate::guide::formats\n[learning]: crate::guide::learning\n\
         [endings]: crate::guide::endings\n[solved]: crate::guide::solved\n\
         [review]: crate::guide::review\n[figures]: crate::guide::figures\n\
         [changes]: crate::guide::changes\n\
         [picture-chances-checkers]: ../../../../../src/players/guide/chances-checkers.svg\n\
         [picture-chances-loa]: ../../../../../src/players/guide/chances-loa.svg\n\
         [picture-chances-loa6]: ../../../../../src/players/guide/chances-loa6.svg\n\
         [picture-review]: ../../../../../src/players/guide/review-page.png\n\
         [picture-puzzles]: ../../../../../src/players/guide/review-puzzles.png\n\
         [picture-chosen]: ../../../../../src/players/guide/display-chosen.png\n\
         [picture-phone]: ../../../../../src/players/guide/display-phone.png\n\n"
    };
}

pages! {
    turns: "guide/turns.md"
    board_programs: "guide/board_programs.md"
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
    review: "guide/review.md"
    figures: "guide/figures.md"
    changes: "guide/changes.md"
}
