//! The arithmetic of hidden numbers, compiled twice: for every machine, and for those with AVX2, which do twice as much
//! at a time.

use super::HIDDEN_ONE;

/// A number for each hidden number of a side: its value, or what changes it. It lies in memory as vectors are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Row<const HIDDEN: usize>(pub(super) [i16; HIDDEN]);

/// Of both sides.
pub(super) type Rows<const HIDDEN: usize> = [Row<HIDDEN>; 2];

/// Defines functions of which the one that suits the machine is called.
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
                    // SAFETY: all that `wide` needs is AVX2, which the machine has.
                    #[allow(unsafe_code)]
                    return unsafe { wide($($argument),*) };
                }
            }
            plain($($argument),*)
        }
    )*};
}

for_this_machine! {
    /// The rows with `come` in place of `gone`.
    fn exchanged(rows: &Rows<HIDDEN>, gone: [&Row<HIDDEN>; 2], come: [&Row<HIDDEN>; 2]) -> Rows<HIDDEN> {
        let mut after = [Row([0; HIDDEN]); 2];
        for side in 0..2 {
            let changes = gone[side].0.iter().zip(&come[side].0);
            for ((after, before), (gone, come)) in after[side].0.iter_mut().zip(&rows[side].0).zip(changes) {
                *after = before.wrapping_sub(*gone).wrapping_add(*come);
            }
        }
        after
    }

    /// Adds a row to that of each side.
    fn add(rows: &mut Rows<HIDDEN>, come: [&Row<HIDDEN>; 2]) {
        for (row, come) in rows.iter_mut().zip(come) {
            for (sum, weight) in row.0.iter_mut().zip(&come.0) {
                *sum = sum.wrapping_add(*weight);
            }
        }
    }

    /// Takes a row away from that of each side.
    fn subtract(rows: &mut Rows<HIDDEN>, gone: [&Row<HIDDEN>; 2]) {
        for (row, gone) in rows.iter_mut().zip(gone) {
            for (sum, weight) in row.0.iter_mut().zip(&gone.0) {
                *sum = sum.wrapping_sub(*weight);
            }
        }
    }

    /// The sum of all numbers of two rows, each clipped, squared and weighted.
    fn weighted(rows: [&Row<HIDDEN>; 2], weights: &Rows<HIDDEN>) -> i32 {
        let mut sum = 0;
        for (row, weights) in rows.into_iter().zip(weights) {
            for (&number, &weight) in row.0.iter().zip(&weights.0) {
                let clipped = number.clamp(0, HIDDEN_ONE);
                // Fits, since a weight is at most MOST_OUTPUT; so two products at a time are summed by one instruction.
                sum += i32::from(clipped.wrapping_mul(weight)) * i32::from(clipped);
            }
        }
        sum
    }
}
