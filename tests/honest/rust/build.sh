rustc --edition 2021 -O plain.rs
