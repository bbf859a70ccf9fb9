//! Vector arithmetic of the accumulator, compiled twice: once for every machine, and once for machines with AVX2, whose
//! vectors are twice as wide.

use super::layers::{Feature, INPUTS};

/// Integer that represents a hidden neuron's value of 1, at which neurons are clipped.
pub const HIDDEN_ONE: i16 = 255;

/// One number per hidden neuron: a side's half of the accumulator, or the weights of a feature. Aligned for vector
/// loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Row<const HIDDEN: usize>(pub(super) [i16; HIDDEN]);

/// A row for each side.
pub(super) type Rows<const HIDDEN: usize> = [Row<HIDDEN>; 2];

/// Defines functions that choose their AVX2 version at run time.
macro_rules! for_this_machine {
    ($($(#[$doc:meta])* fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? $body:block)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub(super) fn $name<const HIDDEN: usize>($($argument: $type),*) $(-> $result)? {
            #[inline(always)]
            fn plain<const HIDDEN: usize>($($argument: $type),*) $(-> $result)? $body

            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2")]
                fn wide<const HIDDEN: usize>($($argument: $type),*) $(-> $result)? {
                    plain($($argument),*)
                }
                if std::arch::is_x86_feature_detected!("avx2") {
                    // SAFETY: `wide` requires only AVX2, which this machine has.
                    #[expect(unsafe_code, reason = "functions with target features are unsafe to call")]
                    return unsafe { wide($($argument),*) };
                }
            }
            plain($($argument),*)
        }
    )*};
}

for_this_machine! {
    /// Returns the accumulator with the weights of one feature removed and those of another added.
    fn exchanged(accumulator: &Rows<HIDDEN>, removed: [&Row<HIDDEN>; 2], added: [&Row<HIDDEN>; 2]) -> Rows<HIDDEN> {
        let mut after = [Row([0; HIDDEN]); 2];
        for side in 0..2 {
            let changes = removed[side].0.iter().zip(&added[side].0);
            for ((after, before), (removed, added)) in after[side].0.iter_mut().zip(&accumulator[side].0).zip(changes) {
                *after = before.wrapping_sub(*removed).wrapping_add(*added);
            }
        }
        after
    }

    /// Returns the accumulator of a position with these features.
    fn sum(bias: &Row<HIDDEN>, weights: &[Row<HIDDEN>; INPUTS], features: &[Feature]) -> Rows<HIDDEN> {
        let mut sums = [*bias; 2];
        for feature in features {
            for (row, index) in sums.iter_mut().zip(feature) {
                for (sum, weight) in row.0.iter_mut().zip(&weights[index & (INPUTS - 1)].0) {
                    *sum = sum.wrapping_add(*weight);
                }
            }
        }
        sums
    }

    /// Removes the weights of a feature.
    fn subtract(accumulator: &mut Rows<HIDDEN>, removed: [&Row<HIDDEN>; 2]) {
        for (row, removed) in accumulator.iter_mut().zip(removed) {
            for (sum, weight) in row.0.iter_mut().zip(&removed.0) {
                *sum = sum.wrapping_sub(*weight);
            }
        }
    }

    /// Returns the sum of all numbers of two rows, each clipped, squared and weighted.
    fn weighted(rows: [&Row<HIDDEN>; 2], weights: &Rows<HIDDEN>) -> i32 {
        let mut sum = 0;
        for (row, weights) in rows.into_iter().zip(weights) {
            for (&number, &weight) in row.0.iter().zip(&weights.0) {
                let clipped = number.clamp(0, HIDDEN_ONE);
                // This fits because weights are at most MOST_OUTPUT. One instruction then sums two products at a time.
                sum += i32::from(clipped.wrapping_mul(weight)) * i32::from(clipped);
            }
        }
        sum
    }
}
