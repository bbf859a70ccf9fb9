//! Tests of the network's values against its formula.

use super::*;

/// A network of two hidden neurons with these weights of its features, whose value is the square of the first neuron of
/// the side to move, less that of the second of the other side.
fn network(inputs: [[i16; 2]; 4]) -> Network<4, 2, 1, 1> {
    let inputs = inputs.map(Vec::from);
    let bucket = (vec![OUTPUT_ONE, 0], vec![0, -OUTPUT_ONE], 0);
    let weights = Weights { game: "test", unit: 1000, inputs: &inputs, biases: &[vec![0, 0]], buckets: &[bucket] };
    Network::read(&weights.to_bytes(), "test").unwrap()
}

#[test]
fn the_value_is_that_of_the_formula() {
    let network = network([[0, 0], [HIDDEN_ONE / 2, 0], [0, HIDDEN_ONE / 4], [0, 0]]);
    let with = |features: [&[usize]; 2]| network.accumulator(0, features.map(|side| side.iter().copied()));
    let mut accumulator = with([&[1], &[2]]);
    let about = |value: i32, expected: i32| assert!((value - expected).abs() <= 10, "{value}, {expected}");
    about(network.value(&accumulator, 0, 0), 250 - 62);
    about(network.value(&accumulator, 1, 0), 0);
    let mut next = with([&[], &[2]]);
    network.exchange(&accumulator, 0, &[[1, 3], [0, 2]], &mut next);
    assert_eq!(next, with([&[3, 2], &[2]]));
    network.remove(&mut accumulator, 0, 1);
    network.remove(&mut accumulator, 1, 2);
    assert_eq!(accumulator, with([&[], &[]]));
    assert_eq!(network.value(&accumulator, 0, 0), 0);
}

#[test]
fn hidden_neurons_are_clipped() {
    let network = network([[5 * HIDDEN_ONE, 0], [-5 * HIDDEN_ONE, 0], [0, 0], [0, 0]]);
    let value = |features: &[usize]| {
        network.value(&network.accumulator(0, [features, &[]].map(|side| side.iter().copied())), 0, 0)
    };
    assert_eq!([value(&[0]), value(&[1]), value(&[0, 1])], [1000, 0, 0]);
}
