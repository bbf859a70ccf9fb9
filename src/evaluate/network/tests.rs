//! Tests of the network's values against its formula.

use super::*;

#[test]
fn the_value_is_that_of_the_formula() {
    // Hidden neuron 0 is a half for an own piece on bit 3; neuron 1 is a quarter for the other side's piece on bit 5.
    let mut inputs = vec![vec![0; 2]; INPUTS];
    (inputs[3][0], inputs[64 + 5][1]) = (HIDDEN_ONE / 2, HIDDEN_ONE / 4);
    let bucket = (vec![OUTPUT_ONE, 0], vec![0, -OUTPUT_ONE], 0);
    let weights = Weights { game: "test", unit: 1000, stages: &[(inputs, vec![0, 0])], buckets: &[bucket] };
    let network: Network<2, 1, 1> = Network::read(&weights.to_bytes(), "test").unwrap();
    let mut accumulator = network.accumulator(0, &[[3, 64 + 5]]);
    let about = |value: i32, expected: i32| assert!((value - expected).abs() <= 10, "{value}, {expected}");
    // For Black, its own piece adds a half, squared; White's view of it, as the other side, subtracts a quarter,
    // squared.
    about(network.value(&accumulator, 0, 0), 250 - 62);
    about(network.value(&accumulator, 1, 0), 0);
    let mut next = network.accumulator(0, &[]);
    network.exchange(0, &accumulator, [3, 69], [3, 69], &mut next);
    assert_eq!(next, accumulator);
    network.remove(0, &mut accumulator, [3, 69]);
    assert_eq!(accumulator, network.accumulator(0, &[]));
    assert_eq!(network.value(&accumulator, 0, 0), 0);
}

#[test]
fn hidden_neurons_are_clipped() {
    let mut inputs = vec![vec![0; 2]; INPUTS];
    (inputs[0], inputs[1]) = (vec![5 * HIDDEN_ONE, 0], vec![-5 * HIDDEN_ONE, 0]);
    let bucket = (vec![OUTPUT_ONE, 0], vec![0, 0], 0);
    let weights = Weights { game: "test", unit: 1000, stages: &[(inputs, vec![0, 0])], buckets: &[bucket] };
    let network: Network<2, 1, 1> = Network::read(&weights.to_bytes(), "test").unwrap();
    let value = |features: &[Feature]| network.value(&network.accumulator(0, features), 0, 0);
    assert_eq!([value(&[[0, 9]]), value(&[[1, 9]]), value(&[[0, 9], [1, 9]])], [1000, 0, 0]);
}
