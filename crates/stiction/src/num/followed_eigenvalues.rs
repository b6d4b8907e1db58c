//! Eigenvalues of a real matrix that changes little from one question to the next: the last ones are improved, all at once.
//!
//! On the Hessenberg form H of the matrix, Hyman's recurrence gives d(λ) = c det(λ − H) and its slope for eight λ at a time,
//!
//! ```text
//! x_N = 1,   h_{i,i−1} x_{i−1} = λ x_i − Σ_{j≥i} h_ij x_j,   d = λ x_1 − Σ_j h_1j x_j
//! ```
//!
//! and Aberth's iteration λ ← λ − d/(d′ − d Σ 1/(λ − λ_j)) moves each with third order, away from all others. Of a pair only the
//! upper one is moved. What does not converge soon, or does not fit the matrix, is left to the QR method.

use super::eigenvalues::{eigenvalues, hessenberg};
use super::lanes::{Eight, Kernel, Lanes, Simd, WIDTH, vectorised};
use nalgebra::Complex;

/// Rounds before the QR method takes over.
const MAX_ROUNDS: usize = 12;
/// A correction that is relatively smaller than this is the last: its cube is below rounding.
const SMALL: f64 = 1e-8;
/// How well sums of the eigenvalues and of their squares must agree with the traces, relatively.
const AGREEMENT: f64 = 1e-9;
/// Blocks of eight that are moved at most.
const BLOCKS: usize = 2;

/// Remembers the eigenvalues of the last matrix.
#[derive(Debug, Clone)]
pub(crate) struct Follower<const N: usize> {
    last: Option<[Complex<f64>; N]>,
}

impl<const N: usize> Default for Follower<N> {
    fn default() -> Self {
        Self { last: None }
    }
}

impl<const N: usize> Follower<N> {
    /// As [`eigenvalues`], faster where the matrix is near to the last one.
    pub(crate) fn eigenvalues(&mut self, a: [[f64; N]; N]) -> Option<[Complex<f64>; N]> {
        self.last = self.last.and_then(|last| followed(a, &last)).or_else(|| eigenvalues(a));
        self.last
    }
}

fn followed<const N: usize>(a: [[f64; N]; N], last: &[Complex<f64>; N]) -> Option<[Complex<f64>; N]> {
    let a = hessenberg(a)?;
    let mut roots = Roots::of(last)?;
    for _ in 0..MAX_ROUNDS {
        if roots.improve(&a)? {
            return roots.all().filter(|values| fits(&a, values));
        }
    }
    None
}

/// Whether the eigenvalues have the trace of the matrix and their squares that of its square.
fn fits<const N: usize>(a: &[[f64; N]; N], values: &[Complex<f64>; N]) -> bool {
    let (mut trace, mut square) = (0.0, 0.0);
    for i in 0..N {
        trace += a[i][i];
        square += a[i][i] * a[i][i] + if i > 0 { 2.0 * a[i][i - 1] * a[i - 1][i] } else { 0.0 };
    }
    let (mut sum, mut squares, mut size) = (0.0, 0.0, 0.0);
    for value in values {
        sum += value.re;
        squares += value.re * value.re - value.im * value.im;
        size += value.norm_sqr();
    }
    (sum - trace).abs() <= AGREEMENT * size.sqrt() && (squares - square).abs() <= AGREEMENT * size
}

/// Eigenvalues in the upper half plane and on the real axis. Lanes that are not used repeat the first.
struct Roots {
    re: [Eight; BLOCKS],
    im: [Eight; BLOCKS],
    count: usize,
}

impl Roots {
    fn of<const N: usize>(values: &[Complex<f64>; N]) -> Option<Self> {
        let first = values.iter().find(|value| value.im >= 0.0)?;
        let mut roots =
            Self { re: [Eight([first.re; WIDTH]); BLOCKS], im: [Eight([first.im; WIDTH]); BLOCKS], count: 0 };
        for value in values.iter().filter(|value| value.im >= 0.0) {
            let (block, lane) = (roots.count / WIDTH, roots.count % WIDTH);
            roots.re.get_mut(block)?.0[lane] = value.re;
            roots.im.get_mut(block)?.0[lane] = value.im;
            roots.count += 1;
        }
        Some(roots)
    }

    fn each(&self) -> impl Iterator<Item = Complex<f64>> {
        let at = |k: usize| Complex::new(self.re[k / WIDTH].0[k % WIDTH], self.im[k / WIDTH].0[k % WIDTH]);
        (0..self.count).map(at)
    }

    /// With the lower ones of the pairs; none if they are not N.
    fn all<const N: usize>(&self) -> Option<[Complex<f64>; N]> {
        let mut all = [Complex::new(0.0, 0.0); N];
        let mut found = 0;
        for value in self.each() {
            *all.get_mut(found)? = value;
            found += 1;
            if value.im != 0.0 {
                *all.get_mut(found)? = value.conj();
                found += 1;
            }
        }
        (found == N).then_some(all)
    }

    /// Moves all of them once; says whether that was the last time, and nothing if it leads nowhere.
    fn improve<const N: usize>(&mut self, a: &[[f64; N]; N]) -> Option<bool> {
        let mut is_done = true;
        for block in 0..self.count.div_ceil(WIDTH) {
            let (by_re, by_im) = vectorised(Corrections { matrix: a, roots: self, block });
            for lane in 0..WIDTH.min(self.count - block * WIDTH) {
                let (re, im) = (self.re[block].0[lane], self.im[block].0[lane]);
                let is_real = im == 0.0;
                let (dx, dy) = (by_re.0[lane], if is_real { 0.0 } else { by_im.0[lane] });
                let size = dx * dx + dy * dy;
                // two that meet on the real axis part along it: that is not followed
                if !size.is_finite() || (!is_real && im <= dy) {
                    return None;
                }
                is_done &= size <= SMALL * SMALL * (re * re + im * im);
                self.re[block].0[lane] = re - dx;
                self.im[block].0[lane] = im - dy;
            }
        }
        Some(is_done)
    }
}

/// Aberth's corrections of a block.
struct Corrections<'a, const N: usize> {
    matrix: &'a [[f64; N]; N],
    roots: &'a Roots,
    block: usize,
}

impl<const N: usize> Kernel for Corrections<'_, N> {
    type Output = (Eight, Eight);
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> (Eight, Eight) {
        let lambda = Wide::of(simd, &(self.roots.re[self.block], self.roots.im[self.block]));
        let (one, zero) = (Eight([1.0; WIDTH]), Eight::ZERO);
        let (mut x, mut rises) = ([(one, zero); N], [(zero, zero); N]);
        let (mut value, mut slope) = (lambda, lambda);
        for i in (0..N).rev() {
            let here = Wide::of(simd, &x[i]);
            value = lambda * here;
            slope = lambda * Wide::of(simd, &rises[i]) + here;
            for j in i..N {
                value = value - Wide::of(simd, &x[j]).scaled(self.matrix[i][j]);
                slope = slope - Wide::of(simd, &rises[j]).scaled(self.matrix[i][j]);
            }
            if i > 0 {
                let inverse = 1.0 / self.matrix[i][i - 1];
                x[i - 1] = value.scaled(inverse).eights();
                rises[i - 1] = slope.scaled(inverse).eights();
            }
        }
        let mut repulsion = Wide::of(simd, &(zero, zero));
        for other in self.roots.each() {
            // the distance to itself is zero, and so is then what is added
            repulsion = repulsion + lambda.from(other.re, other.im).inverse();
            if other.im != 0.0 {
                repulsion = repulsion + lambda.from(other.re, -other.im).inverse();
            }
        }
        (value * (slope - value * repulsion).inverse()).eights()
    }
}

/// Eight complex numbers.
#[derive(Clone, Copy)]
struct Wide<S: Simd> {
    re: Lanes<S>,
    im: Lanes<S>,
}

impl<S: Simd> Wide<S> {
    #[inline(always)]
    fn of(simd: S, (re, im): &(Eight, Eight)) -> Self {
        Self { re: Lanes::of(simd, re), im: Lanes::of(simd, im) }
    }

    #[inline(always)]
    fn eights(self) -> (Eight, Eight) {
        (self.re.eight(), self.im.eight())
    }

    #[inline(always)]
    fn scaled(self, factor: f64) -> Self {
        Self { re: self.re.scaled(factor), im: self.im.scaled(factor) }
    }

    /// As seen from a number.
    #[inline(always)]
    fn from(self, re: f64, im: f64) -> Self {
        Self { re: self.re.shifted(-re), im: self.im.shifted(-im) }
    }

    /// 1/z, or 0 where z = 0.
    #[inline(always)]
    fn inverse(self) -> Self {
        let inverse = (self.re * self.re + self.im * self.im).inverse_or_zero();
        Self { re: self.re * inverse, im: -(self.im * inverse) }
    }
}

impl<S: Simd> std::ops::Add for Wide<S> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { re: self.re + other.re, im: self.im + other.im }
    }
}

impl<S: Simd> std::ops::Sub for Wide<S> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { re: self.re - other.re, im: self.im - other.im }
    }
}

impl<S: Simd> std::ops::Mul for Wide<S> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::random::Stream;

    /// Largest distance from a value of `a` to the nearest of `b`, relative to the largest value.
    fn distance(a: &[Complex<f64>; 12], b: &[Complex<f64>; 12]) -> f64 {
        let size = b.iter().fold(0.0_f64, |size, value| size.max(value.norm()));
        let nearest = |a: &Complex<f64>| b.iter().map(|b| (a - b).norm()).fold(f64::INFINITY, f64::min);
        a.iter().map(nearest).fold(0.0, f64::max) / size
    }

    #[test]
    fn they_are_those_of_the_qr_method_all_along_a_path() {
        let mut stream = Stream::new(2, 0, 0);
        let mut random =
            || -> [[f64; 12]; 12] { std::array::from_fn(|_| std::array::from_fn(|_| stream.uniform() - 0.5)) };
        for _ in 0..5 {
            let (from, to) = (random(), random());
            let mut follower = Follower::default();
            let mut followed_steps = 0;
            for step in 0..200 {
                // pairs are born and die on the way
                let part = f64::from(step) / 200.0;
                let a: [[f64; 12]; 12] =
                    std::array::from_fn(|i| std::array::from_fn(|j| (1.0 - part) * from[i][j] + part * to[i][j]));
                followed_steps += usize::from(follower.last.is_some_and(|last| followed(a, &last).is_some()));
                let (found, wanted) = (follower.eigenvalues(a).unwrap(), eigenvalues(a).unwrap());
                let miss = distance(&found, &wanted).max(distance(&wanted, &found));
                assert!(miss < 1e-9, "{step}: {miss:e}");
            }
            assert!(followed_steps > 170, "{followed_steps}");
        }
    }

    #[test]
    fn what_cannot_be_followed_is_solved_anew() {
        let mut follower = Follower::<2>::default();
        assert!(follower.eigenvalues([[f64::NAN; 2]; 2]).is_none());
        // a pair, then two real ones, then a matrix that is far away
        for (a, wanted) in [
            ([[0.0, 1.0], [-1.0, 0.0]], [-1.0, -1.0]),
            ([[0.0, 1.0], [4.0, 0.0]], [4.0, 4.0]),
            ([[1e6, 0.0], [0.0, -1e6]], [1e12, 1e12]),
        ] {
            let squares = follower.eigenvalues(a).unwrap().map(|value| (value * value).re);
            // a rotation rounds a few times
            let close =
                squares.iter().zip(wanted).all(|(found, wanted)| (found / wanted - 1.0).abs() < 4.0 * f64::EPSILON);
            assert!(close, "{squares:?} {wanted:?}");
        }
    }
}
