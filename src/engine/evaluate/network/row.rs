//! Vector arithmetic of the network, compiled three times: for every machine, for those with AVX2, whose vectors are
//! twice as wide, and for those with AVX-512, where they are four times as wide.
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
    // Returns the sum as compiled for machines with a feature, if this is one.
    #[cfg(target_arch = "x86_64")]
    macro_rules! return_if_machine_has {
        ($feature:tt) => {{
            #[target_feature(enable = $feature)]
            fn wide<const HIDDEN: usize>(
                biases: &Row<HIDDEN>,
                inputs: &[Row<HIDDEN>],
                features: [&[u16]; 2],
                weights: &[Row<HIDDEN>; 2],
            ) -> i32 {
                plain(biases, inputs, features, weights)
            }
            if std::arch::is_x86_feature_detected!($feature) {
                // SAFETY: `wide` requires only this feature, which the machine has.
                #[expect(unsafe_code, reason = "functions with target features are unsafe to call")]
                return unsafe { wide(biases, inputs, features, weights) };
            }
        }};
    }
    #[cfg(target_arch = "x86_64")]
    {
        return_if_machine_has!("avx512bw");
        return_if_machine_has!("avx2");
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_computes_what_every_machine_does() {
        let mut state = 1_u32;
        let mut row = |limit: i16| {
            Row([(); 128].map(|()| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 16) as i16 % limit
            }))
        };
        let (biases, weights) = (row(100), [row(128), row(128)]);
        let inputs: Vec<_> = (0..50).map(|_| row(200)).collect();
        for features in [[&[0_u16, 7, 49][..], &[3, 3, 20, 30]], [&[], &[48, 1]]] {
            assert_eq!(weighted(&biases, &inputs, features, &weights), plain(&biases, &inputs, features, &weights));
        }
    }
}
