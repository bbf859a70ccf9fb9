//! The library for CheckerBoard, loaded as CheckerBoard loads it.

mod checkerboard {
    mod driver;
    mod games;
    mod wild;
}
