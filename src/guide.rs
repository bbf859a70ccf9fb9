//! Pages for those who want to know how something is done, beyond what an item's own documentation says.

#[doc = include_str!("guide/display.md")]
pub mod display {}

#[doc = include_str!("guide/learning.md")]
pub mod learning {}

#[doc = include_str!("guide/solved.md")]
pub mod solved {}
