//! Tests of the network's values against its formula.

use super::*;

/// A network of two hidden neurons with these weights of its features, whose value is the square of the first neuron of
/// the side to move, less that of the second of the other side.
fn network(inputs: [[i16; 2]; 4]) -> Network<2, 1, 1> {
    let inputs = inputs.map(Vec::from);
    let bucket = (vec![OUTPUT_ONE, 0], vec![0, -OUTPUT_ONE], 0);
    let (biases, buckets) = ([vec![0, 0]], [bucket]);
    let weights =
        Weights { game: "test", unit: 1000, inputs: &inputs, biases: &biases, buckets: &buckets, direct: &[1] };
    Network::read(&weights.to_bytes(), Shape { game: "test", inputs: 4, most_input: 2000, direct: 1 }).unwrap()
}

#[test]
fn the_value_is_that_of_the_formula() {
    let network = network([[0, 0], [HIDDEN_ONE / 2, 0], [0, HIDDEN_ONE / 4], [0, 0]]);
    let about = |features: [&[u16]; 2], expected: i32| {
        let value = network.value(0, 0, features, 0);
        assert!((value - expected).abs() <= 10, "{value}, {expected}");
    };
    about([&[1], &[2]], 250 - 62);
    about([&[2], &[1]], 0);
    about([&[3, 1], &[]], 250);
    about([&[], &[2, 2]], -250);
}

#[test]
fn direct_weights_are_added_to_the_output() {
    let network = network([[0, 0]; 4]);
    let one = i32::from(HIDDEN_ONE) * i32::from(OUTPUT_ONE);
    assert_eq!([0, one, -one / 2].map(|direct| network.value(0, 0, [&[], &[]], direct)), [0, 1000, -500]);
}

#[test]
fn hidden_neurons_are_clipped() {
    let network = network([[5 * HIDDEN_ONE, 0], [-5 * HIDDEN_ONE, 0], [0, 0], [0, 0]]);
    let value = |features: &[u16]| network.value(0, 0, [features, &[]], 0);
    assert_eq!([value(&[0]), value(&[1]), value(&[0, 1])], [1000, 0, 0]);
}
