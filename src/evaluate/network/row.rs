//! Vector arithmetic of the accumulator, compiled twice: once for every machine, and once for machines with AVX2, whose
//! vectors are twice as wide.
//!
//! The loops count places: the compiler knows their length, which it forgets in a chain of iterators.

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
    /// Adds the weights of a feature.
    fn add(accumulator: &mut Row<HIDDEN>, added: &Row<HIDDEN>) {
        for place in 0..HIDDEN {
            accumulator.0[place] = accumulator.0[place].wrapping_add(added.0[place]);
        }
    }

    /// Subtracts the weights of a feature.
    fn subtract(accumulator: &mut Row<HIDDEN>, removed: &Row<HIDDEN>) {
        for place in 0..HIDDEN {
            accumulator.0[place] = accumulator.0[place].wrapping_sub(removed.0[place]);
        }
    }

    /// Sets `next` to the accumulator with the weights of some features replaced by those of others.
    fn exchange(before: &Row<HIDDEN>, inputs: &[Row<HIDDEN>], changes: &[[usize; 2]], next: &mut Row<HIDDEN>) {
        // A copy, which the compiler keeps in registers.
        let mut sums = *before;
        for &[removed, added] in changes {
            let (removed, added) = (&inputs[removed], &inputs[added]);
            for place in 0..HIDDEN {
                sums.0[place] = sums.0[place].wrapping_sub(removed.0[place]).wrapping_add(added.0[place]);
            }
        }
        *next = sums;
    }

    /// Returns the sum of all numbers of two rows, each clipped, squared and weighted.
    fn weighted(rows: [&Row<HIDDEN>; 2], weights: &Rows<HIDDEN>) -> i32 {
        let mut sum = 0;
        for side in 0..2 {
            for place in 0..HIDDEN {
                let clipped = rows[side].0[place].clamp(0, HIDDEN_ONE);
                // This fits because weights are at most MOST_OUTPUT. One instruction then sums two products at a time.
                sum += i32::from(clipped.wrapping_mul(weights[side].0[place])) * i32::from(clipped);
            }
        }
        sum
    }
}
