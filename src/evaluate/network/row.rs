//! Vector arithmetic of the network, compiled twice: once for every machine, and once for machines with AVX2, whose
//! vectors are twice as wide.
//!
//! The loops count places: the compiler knows their length, which it forgets in a chain of iterators.

/// Integer that represents a hidden neuron's value of 1, at which neurons are clipped.
pub const HIDDEN_ONE: i16 = 255;

/// One number per hidden neuron: biases, or the weights of a feature. Aligned for vector loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct Row<const HIDDEN: usize>(pub(super) [i16; HIDDEN]);

/// Returns the sum of the hidden neurons of both sides, each clipped, squared and weighted. A side's hidden neurons are
/// the biases plus the weights of the features that it sees.
#[inline(always)]
pub(super) fn weighted<const HIDDEN: usize>(
    biases: &Row<HIDDEN>,
    inputs: &[Row<HIDDEN>],
    features: [&[u16]; 2],
    weights: &[Row<HIDDEN>; 2],
) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: `wide` requires only AVX2, which this machine has.
        #[expect(unsafe_code, reason = "functions with target features are unsafe to call")]
        return unsafe { wide(biases, inputs, features, weights) };
    }
    plain(biases, inputs, features, weights)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn wide<const HIDDEN: usize>(
    biases: &Row<HIDDEN>,
    inputs: &[Row<HIDDEN>],
    features: [&[u16]; 2],
    weights: &[Row<HIDDEN>; 2],
) -> i32 {
    plain(biases, inputs, features, weights)
}

#[inline(always)]
fn plain<const HIDDEN: usize>(
    biases: &Row<HIDDEN>,
    inputs: &[Row<HIDDEN>],
    features: [&[u16]; 2],
    weights: &[Row<HIDDEN>; 2],
) -> i32 {
    let mut total = 0;
    for side in 0..2 {
        // A copy, which the compiler keeps in registers.
        let mut sums = *biases;
        for &feature in features[side] {
            let added = &inputs[usize::from(feature)];
            for place in 0..HIDDEN {
                sums.0[place] = sums.0[place].wrapping_add(added.0[place]);
            }
        }
        for place in 0..HIDDEN {
            let clipped = sums.0[place].clamp(0, HIDDEN_ONE);
            // This fits because weights are at most MOST_OUTPUT. One instruction then sums two products at a time.
            total += i32::from(clipped.wrapping_mul(weights[side].0[place])) * i32::from(clipped);
        }
    }
    total
}
