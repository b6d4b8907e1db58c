//! Vectors of `f32` or `f64`, for loops that are written once for both.
//!
//! Only products, sums and fused products are used, which IEEE 754 defines to the bit.

use crate::num::lanes::Simd;
use pulp::bytemuck::cast_slice_mut;

/// `f32` or `f64`, and its vectors.
pub(super) trait Number: Copy + Default + Into<f64> {
    type Vector<S: Simd>: Copy;
    /// Vectors that make 64 bytes.
    fn parts<S: Simd>() -> usize;
    fn of(value: f64) -> Self;
    fn all<S: Simd>(simd: S, value: f64) -> Self::Vector<S>;
    fn splat<S: Simd>(simd: S, value: Self) -> Self::Vector<S>;
    fn vectors<S: Simd>(slice: &[Self]) -> &[Self::Vector<S>];
    fn vectors_mut<S: Simd>(slice: &mut [Self]) -> &mut [Self::Vector<S>];
    fn plus<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Vector<S>;
    fn times<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Vector<S>;
    /// a b + c, rounded once.
    fn fused<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>, c: Self::Vector<S>) -> Self::Vector<S>;
    /// −a b + c, rounded once.
    fn negated<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>, c: Self::Vector<S>) -> Self::Vector<S>;
    /// A first guess of 1/√x from the exponent: a number with half of it, and the other sign.
    fn guess<S: Simd>(simd: S, x: Self::Vector<S>) -> Self::Vector<S>;
    /// Steps of second order that follow the one of third order.
    const MORE_STEPS: usize;

    /// 1/√x of normal positive numbers, correct to two units in the last place, in a quarter of the time of root and quotient.
    /// The machine's own approximations differ from maker to maker.
    #[inline(always)]
    fn inverse_root<S: Simd>(simd: S, x: Self::Vector<S>) -> Self::Vector<S> {
        let all = |value: f64| Self::all(simd, value);
        let guess = Self::guess(simd, x);
        // a step of Newton's method with the factors that make its largest error smallest, 6.5e-4
        let square = Self::negated(simd, Self::times(simd, x, guess), guess, all(2.389_244_56));
        let mut root = Self::times(simd, Self::times(simd, all(0.703_952_253), guess), square);
        // r + r e (1/2 + 3/8 e) with e = 1 − x r²: 7e-10
        let error = Self::negated(simd, Self::times(simd, x, root), root, all(1.0));
        let series = Self::fused(simd, error, all(0.375), all(0.5));
        root = Self::fused(simd, Self::times(simd, root, error), series, root);
        for _ in 0..Self::MORE_STEPS {
            let error = Self::negated(simd, Self::times(simd, x, root), root, all(1.0));
            root = Self::fused(simd, Self::times(simd, all(0.5), root), error, root);
        }
        root
    }
}

macro_rules! number {
    ($number:ty, $vector:ident, $lanes:ident, $splat:ident, $as:ident, $as_mut:ident, $add:ident, $mul:ident, $fused:ident, $negated:ident, $steps:literal, $guess:item) => {
        impl Number for $number {
            type Vector<S: Simd> = S::$vector;
            const MORE_STEPS: usize = $steps;
            #[inline(always)]
            fn parts<S: Simd>() -> usize {
                (64 / size_of::<Self>() / S::$lanes).max(1)
            }
            #[inline(always)]
            fn of(value: f64) -> Self {
                value as $number
            }
            #[inline(always)]
            fn all<S: Simd>(simd: S, value: f64) -> S::$vector {
                simd.$splat(value as $number)
            }
            #[inline(always)]
            fn splat<S: Simd>(simd: S, value: Self) -> S::$vector {
                simd.$splat(value)
            }
            #[inline(always)]
            fn vectors<S: Simd>(slice: &[Self]) -> &[S::$vector] {
                S::$as(slice).0
            }
            #[inline(always)]
            fn vectors_mut<S: Simd>(slice: &mut [Self]) -> &mut [S::$vector] {
                S::$as_mut(slice).0
            }
            #[inline(always)]
            fn plus<S: Simd>(simd: S, a: S::$vector, b: S::$vector) -> S::$vector {
                simd.$add(a, b)
            }
            #[inline(always)]
            fn times<S: Simd>(simd: S, a: S::$vector, b: S::$vector) -> S::$vector {
                simd.$mul(a, b)
            }
            #[inline(always)]
            fn fused<S: Simd>(simd: S, a: S::$vector, b: S::$vector, c: S::$vector) -> S::$vector {
                simd.$fused(a, b, c)
            }
            #[inline(always)]
            fn negated<S: Simd>(simd: S, a: S::$vector, b: S::$vector, c: S::$vector) -> S::$vector {
                simd.$negated(a, b, c)
            }
            #[inline(always)]
            $guess
        }
    };
}

number!(
    f32,
    f32s,
    F32_LANES,
    splat_f32s,
    as_simd_f32s,
    as_mut_simd_f32s,
    add_f32s,
    mul_f32s,
    mul_add_f32s,
    negate_mul_add_f32s,
    0,
    fn guess<S: Simd>(simd: S, x: S::f32s) -> S::f32s {
        let half = simd.wrapping_dyn_shr_u32s(simd.transmute_u32s_f32s(x), simd.splat_u32s(1));
        simd.transmute_f32s_u32s(simd.sub_u32s(simd.splat_u32s(0x5f1f_fff9), half))
    }
);
number!(
    f64,
    f64s,
    F64_LANES,
    splat_f64s,
    as_simd_f64s,
    as_mut_simd_f64s,
    add_f64s,
    mul_f64s,
    mul_add_f64s,
    negate_mul_add_f64s,
    1,
    // there is no shift of vectors of 64 bits to call: a plain loop becomes one
    fn guess<S: Simd>(_: S, x: S::f64s) -> S::f64s {
        let mut vector = [x];
        for number in cast_slice_mut::<S::f64s, f64>(&mut vector) {
            *number = f64::from_bits(0x5fe3_ffff_2000_0000_u64.wrapping_sub(number.to_bits() >> 1));
        }
        vector[0]
    }
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::lanes::{Kernel, vectorised};

    struct Roots<'a, T>(&'a mut [T]);
    impl<T: Number> Kernel for Roots<'_, T> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, simd: S) {
            for x in T::vectors_mut::<S>(self.0) {
                *x = T::inverse_root(simd, *x);
            }
        }
    }

    /// Largest relative error of inverse roots, which must be the same bits on every unit.
    fn worst<T: Number + PartialEq + std::fmt::Debug>() -> f64 {
        let mut worst = 0.0_f64;
        for scale in [1.0, 1e-30, 1e30] {
            // all leading digits of two binades
            let numbers: Vec<T> = (0..400_000).map(|k| T::of(scale * (1.0 + 3.0 * f64::from(k) / 4e5))).collect();
            let (mut found, mut plain) = (numbers.clone(), numbers.clone());
            vectorised(Roots(&mut found));
            Roots(&mut plain).run(pulp::Scalar);
            assert_eq!(found, plain);
            for (x, root) in numbers.into_iter().zip(found) {
                let (x, root): (f64, f64) = (x.into(), root.into());
                worst = worst.max((root * x.sqrt() - 1.0).abs());
            }
        }
        worst
    }

    #[test]
    fn inverse_roots_are_right_to_two_units_on_every_unit() {
        let [single, double] = [worst::<f32>(), worst::<f64>()];
        assert!(single < 1.2e-7 && double < 4.5e-16, "{single:e} {double:e}");
    }
}
