//! Roots of a guard inside a step: every one of them, or the proof that there is none.
//!
//! Along a step the dense output is a polynomial of degree 7, and so is a guard that is linear in the state; any other
//! smooth guard is one to the accuracy of the dense output. Eight samples give its coefficients in the Bernstein basis.
//! Coefficients of one sign prove that there is no root; one change of sign proves that there is exactly one; otherwise
//! the interval is halved. This sees what a comparison of signs at the ends of steps cannot: two roots inside one step.

/// Degree of the polynomial that stands for a guard along a step.
const DEGREE: usize = 7;
/// Number of samples of a guard along a step.
pub(crate) const SAMPLES: usize = DEGREE + 1;

/// Where a guard is sampled: Chebyshev-Lobatto points of the unit interval, both ends included.
pub(crate) const NODES: [f64; SAMPLES] = [
    0.0,
    0.049515566048790436,
    0.18825509907063323,
    0.3887395330218428,
    0.6112604669781572,
    0.8117449009293668,
    0.9504844339512096,
    1.0,
];

/// Where the polynomial is checked against the guard: halfway between samples, near both ends.
pub(crate) const CHECKS: [f64; 2] = [0.10908425876598512, 0.7169418695587791];

/// Largest miss of the polynomial at [`CHECKS`], as a fraction of the largest sample.
const RESOLVED: f64 = 1e-4;

/// From samples at [`NODES`] to Bernstein coefficients: what each sample adds to all of them.
const TO_BERNSTEIN: [[f64; SAMPLES]; SAMPLES] = transposed(to_bernstein());

/// From samples at [`NODES`] to the value of their polynomial at [`CHECKS`]: Lagrange's weights.
const AT_CHECKS: [[f64; SAMPLES]; CHECKS.len()] = at_checks();

/// From samples at [`NODES`] to the last two terms of their series of Chebyshev polynomials.
const TAIL: [[f64; SAMPLES]; 2] = tail();

/// Below this width of an interval (as a fraction of the step) two roots count as one touch: the guard varies there by the
/// square of the width, which is its rounding error.
const SMALLEST_INTERVAL: f64 = 1e-8;

/// A root at the start counts as divided out if what is left there is below this fraction of the rest.
const FLAT: f64 = 1e-11;

/// A polynomial on the unit interval by its Bernstein coefficients.
#[derive(Debug, Clone, Copy)]
struct Polynomial {
    coefficients: [f64; SAMPLES],
    degree: usize,
}

/// What a guard does along a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum GuardStart {
    /// It starts away from zero.
    Clear,
    /// It starts at zero and rises.
    Rising,
    /// It starts at zero and falls.
    Falling,
}

/// The roots of a guard inside a step, in order.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Roots {
    pub(crate) start: GuardStart,
    found: [f64; DEGREE],
    slopes: [f64; DEGREE],
    count: usize,
}

impl Roots {
    /// The roots of the guard with these samples at [`NODES`] in (0, 1], each with the slope of the guard there.
    /// Samples must be finite. `rise` is the slope of the guard at the start: asked only where the guard starts at zero,
    /// because there the samples tell it only to the rounding error of the guard.
    #[inline]
    pub(crate) fn of(samples: &[f64; SAMPLES], rise: impl FnOnce() -> f64) -> Self {
        let mut roots = Self { start: GuardStart::Clear, found: [0.0; DEGREE], slopes: [0.0; DEGREE], count: 0 };
        let mut polynomial = Polynomial::through(samples);
        // most guards in most steps are far from zero: this is the whole cost for them
        if polynomial.has_one_sign() {
            return roots;
        }
        if samples[0] == 0.0 {
            polynomial.coefficients[1] = rise() / DEGREE as f64;
            let Some(rest) = polynomial.without_root_at_start() else { return roots };
            let divided_out = polynomial.degree - rest.degree;
            polynomial = rest;
            roots.start = if polynomial.coefficients[0] > 0.0 { GuardStart::Rising } else { GuardStart::Falling };
            polynomial.isolate(&mut roots);
            // at a root of q the guard x^m q has the slope x^m q'
            for (root, slope) in roots.found[..roots.count].iter().zip(&mut roots.slopes) {
                for _ in 0..divided_out {
                    *slope *= root;
                }
            }
            return roots;
        }
        polynomial.isolate(&mut roots);
        roots
    }

    /// Whether the samples fall off so fast, seen as a series of Chebyshev polynomials, that nothing is hidden between them.
    #[inline]
    pub(crate) fn are_smooth(samples: &[f64; SAMPLES]) -> bool {
        let largest = samples.iter().fold(0.0f64, |largest, sample| largest.max(sample.abs()));
        let term = |weights: &[f64; SAMPLES]| weights.iter().zip(samples).map(|(w, sample)| w * sample).sum::<f64>();
        term(&TAIL[0]).abs() + term(&TAIL[1]).abs() <= RESOLVED * largest
    }

    /// By how much the polynomial through these samples misses the guard between them, at [`CHECKS`]: then it proves
    /// nothing. None if the miss is a small fraction of the samples; always none for a guard that is linear in the state.
    #[inline]
    pub(crate) fn miss(samples: &[f64; SAMPLES], checks: &[f64; CHECKS.len()]) -> Option<f64> {
        let largest = samples.iter().fold(0.0f64, |largest, sample| largest.max(sample.abs()));
        let misses = AT_CHECKS.iter().zip(checks).map(|(weights, check)| {
            let value: f64 = weights.iter().zip(samples).map(|(weight, sample)| weight * sample).sum();
            (value - check).abs()
        });
        Some(misses.fold(0.0, f64::max)).filter(|miss| *miss > RESOLVED * largest)
    }

    /// The roots as fractions of the step.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.found[..self.count].iter().copied().zip(self.slopes[..self.count].iter().copied())
    }

    fn push(&mut self, root: f64, slope: f64) {
        if self.count < DEGREE {
            self.found[self.count] = root;
            self.slopes[self.count] = slope;
            self.count += 1;
        }
    }
}

impl Polynomial {
    fn through(samples: &[f64; SAMPLES]) -> Self {
        let mut coefficients = [0.0; SAMPLES];
        // sample by sample: the sums are next to each other
        for (column, sample) in TO_BERNSTEIN.iter().zip(samples) {
            for (coefficient, weight) in coefficients.iter_mut().zip(column) {
                *coefficient += weight * sample;
            }
        }
        // the ends are interpolated exactly, so that neighbouring steps agree about the sign between them
        coefficients[0] = samples[0];
        coefficients[DEGREE] = samples[DEGREE];
        Self { coefficients, degree: DEGREE }
    }

    fn used(&self) -> &[f64] {
        &self.coefficients[..=self.degree]
    }

    fn has_one_sign(&self) -> bool {
        self.used().iter().all(|&c| c > 0.0) || self.used().iter().all(|&c| c < 0.0)
    }

    fn sign_changes(&self) -> usize {
        let mut changes = 0;
        let mut last = 0.0;
        for &c in self.used() {
            if c != 0.0 {
                if last * c < 0.0 {
                    changes += 1;
                }
                last = c.signum();
            }
        }
        changes
    }

    /// The polynomial divided by the power of its variable that makes it nonzero at the start; none if it is zero.
    fn without_root_at_start(mut self) -> Option<Self> {
        loop {
            if self.degree == 0 {
                return None;
            }
            let degree = self.degree as f64;
            for i in 0..self.degree {
                self.coefficients[i] = self.coefficients[i + 1] * degree / (i + 1) as f64;
            }
            self.degree -= 1;
            let largest = self.used().iter().fold(0.0f64, |largest, c| largest.max(c.abs()));
            if largest == 0.0 {
                return None;
            }
            if self.coefficients[0].abs() > FLAT * largest {
                return Some(self);
            }
        }
    }

    fn value_and_slope(&self, x: f64) -> (f64, f64) {
        let mut c = self.coefficients;
        for level in (2..=self.degree).rev() {
            for i in 0..level {
                c[i] += x * (c[i + 1] - c[i]);
            }
        }
        match self.degree {
            0 => (c[0], 0.0),
            degree => (c[0] + x * (c[1] - c[0]), degree as f64 * (c[1] - c[0])),
        }
    }

    /// Both parts of the polynomial, cut at `x`.
    fn cut(&self, x: f64) -> (Self, Self) {
        let (mut left, mut right) = (*self, *self);
        for level in (0..=self.degree).rev() {
            left.coefficients[self.degree - level] = right.coefficients[0];
            for i in 0..level {
                right.coefficients[i] += x * (right.coefficients[i + 1] - right.coefficients[i]);
            }
        }
        (left, right)
    }

    /// Adds every root in (0, 1] where the polynomial changes its sign.
    fn isolate(&self, roots: &mut Roots) {
        match self.sign_changes() {
            0 => {}
            1 => {
                let x = self.single_root();
                roots.push(x, self.value_and_slope(x).1);
            }
            _ => self.isolate_several(roots),
        }
        // a root at the very end belongs to this step: the next one starts at zero and divides it out
        if self.coefficients[self.degree] == 0.0 && roots.found[..roots.count].iter().all(|&root| root < 1.0) {
            roots.push(1.0, self.value_and_slope(1.0).1);
        }
    }

    /// Cuts the polynomial until every part has one root at most.
    #[cold]
    fn isolate_several(&self, roots: &mut Roots) {
        // not a half: a root of a symmetric guard should not lie exactly on the cut
        const CUT: f64 = 0.493;
        const DEPTH: usize = 32;
        let mut waiting = [(*self, 0.0, 1.0); DEPTH];
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let (part, low, high) = waiting[count];
            match part.sign_changes() {
                0 => {}
                1 => {
                    let x = part.single_root();
                    let slope = part.value_and_slope(x).1 / (high - low);
                    roots.push(low + (high - low) * x, slope);
                }
                _ if high - low < SMALLEST_INTERVAL || count + 2 > DEPTH => {
                    if part.coefficients[0] * part.coefficients[part.degree] < 0.0 {
                        roots.push(0.5 * (low + high), part.value_and_slope(0.5).1 / (high - low));
                    }
                }
                _ => {
                    let (mut left, mut right) = part.cut(CUT);
                    let mut middle = low + CUT * (high - low);
                    // a root exactly on the cut would belong to neither part
                    if right.coefficients[0] == 0.0 {
                        (left, right) = part.cut(1.0 - CUT);
                        middle = low + (1.0 - CUT) * (high - low);
                    }
                    waiting[count] = (right, middle, high);
                    waiting[count + 1] = (left, low, middle);
                    count += 2;
                }
            }
        }
    }

    /// The root of a polynomial with exactly one change of sign among its coefficients: Newton's method inside a bracket, from
    /// where the polygon of the coefficients crosses zero.
    fn single_root(&self) -> f64 {
        // Newton's method doubles the digits: after a change by this much nothing is left to gain
        const SETTLED: f64 = 1e-9;
        let used = self.used();
        let rising = used.iter().rev().find(|&&c| c != 0.0).is_some_and(|&c| c > 0.0);
        let beyond = |c: f64| c != 0.0 && (c > 0.0) == rising;
        let crossed = used.iter().position(|&c| beyond(c)).unwrap_or(0).max(1);
        let (before, after) = (used[crossed - 1], used[crossed]);
        let crossing = (crossed as f64 - after / (after - before)) / self.degree as f64;
        let (mut low, mut high, mut x) = (0.0, 1.0, if crossing.is_finite() { crossing } else { 0.5 });
        for _ in 0..80 {
            let (value, slope) = self.value_and_slope(x);
            if value == 0.0 {
                return x;
            }
            if beyond(value) {
                high = x;
            } else {
                low = x;
            }
            let newton = x - value / slope;
            if (newton - x).abs() <= SETTLED * x || high - low < 1e-17 {
                return newton.clamp(low, high);
            }
            let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
            x = next;
        }
        x
    }
}

const fn at_checks() -> [[f64; SAMPLES]; CHECKS.len()] {
    let mut weights = [[1.0; SAMPLES]; CHECKS.len()];
    let mut check = 0;
    while check < CHECKS.len() {
        let mut node = 0;
        while node < SAMPLES {
            let mut other = 0;
            while other < SAMPLES {
                if other != node {
                    weights[check][node] *= (CHECKS[check] - NODES[other]) / (NODES[node] - NODES[other]);
                }
                other += 1;
            }
            node += 1;
        }
        check += 1;
    }
    weights
}

/// Discrete orthogonality at Chebyshev-Lobatto points, where both ends count half.
const fn tail() -> [[f64; SAMPLES]; 2] {
    let mut weights = [[0.0; SAMPLES]; 2];
    let mut node = 0;
    while node < SAMPLES {
        let x = 2.0 * NODES[node] - 1.0;
        let (mut last, mut term) = (1.0, x);
        let mut degree = 1;
        while degree < DEGREE - 1 {
            (last, term) = (term, 2.0 * x * term - last);
            degree += 1;
        }
        let share = if node == 0 || node == DEGREE { 0.5 } else { 1.0 } / DEGREE as f64;
        weights[0][node] = 2.0 * share * term;
        weights[1][node] = share * (2.0 * x * term - last);
        node += 1;
    }
    weights
}

const fn transposed(matrix: [[f64; SAMPLES]; SAMPLES]) -> [[f64; SAMPLES]; SAMPLES] {
    let mut result = matrix;
    let mut k = 0;
    while k < SAMPLES * SAMPLES {
        result[k / SAMPLES][k % SAMPLES] = matrix[k % SAMPLES][k / SAMPLES];
        k += 1;
    }
    result
}

/// Inverse of the matrix of Bernstein polynomials at [`NODES`], by elimination with the largest pivot.
const fn to_bernstein() -> [[f64; SAMPLES]; SAMPLES] {
    let mut matrix = [[0.0; SAMPLES]; SAMPLES];
    let mut inverse = [[0.0; SAMPLES]; SAMPLES];
    let binomial = [1.0, 7.0, 21.0, 35.0, 35.0, 21.0, 7.0, 1.0];
    let mut row = 0;
    while row < SAMPLES {
        let mut column = 0;
        while column < SAMPLES {
            let mut value = binomial[column];
            let mut k = 0;
            while k < DEGREE {
                value *= if k < column { NODES[row] } else { 1.0 - NODES[row] };
                k += 1;
            }
            matrix[row][column] = value;
            column += 1;
        }
        inverse[row][row] = 1.0;
        row += 1;
    }
    let mut pivot = 0;
    while pivot < SAMPLES {
        let mut best = pivot;
        let mut row = pivot + 1;
        while row < SAMPLES {
            if matrix[row][pivot].abs() > matrix[best][pivot].abs() {
                best = row;
            }
            row += 1;
        }
        let (swapped, swapped_inverse) = (matrix[best], inverse[best]);
        matrix[best] = matrix[pivot];
        inverse[best] = inverse[pivot];
        matrix[pivot] = swapped;
        inverse[pivot] = swapped_inverse;
        let scale = 1.0 / matrix[pivot][pivot];
        let mut column = 0;
        while column < SAMPLES {
            matrix[pivot][column] *= scale;
            inverse[pivot][column] *= scale;
            column += 1;
        }
        let mut row = 0;
        while row < SAMPLES {
            if row != pivot {
                let factor = matrix[row][pivot];
                let mut column = 0;
                while column < SAMPLES {
                    matrix[row][column] -= factor * matrix[pivot][column];
                    inverse[row][column] -= factor * inverse[pivot][column];
                    column += 1;
                }
            }
            row += 1;
        }
        pivot += 1;
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roots(f: impl Fn(f64) -> f64 + Copy) -> (GuardStart, Vec<f64>) {
        let roots = Roots::of(&NODES.map(&f), || (f(1e-7) - f(-1e-7)) / 2e-7);
        (roots.start, roots.iter().map(|(x, _)| x).collect())
    }

    #[test]
    fn all_seven_roots_of_a_polynomial_are_found() {
        let wanted = [0.05, 0.11, 0.3, 0.31, 0.55, 0.8, 0.97];
        let (_, found) = roots(|x| wanted.iter().map(|r| x - r).product::<f64>() * 100.0);
        assert_eq!(found.len(), 7, "{found:?}");
        for (a, b) in found.iter().zip(wanted) {
            assert!((a - b).abs() < 1e-9, "{a} {b}");
        }
    }

    #[test]
    fn two_roots_a_ten_thousandth_of_a_step_apart_are_both_seen() {
        let (_, found) = roots(|x| (x - 0.4) * (x - 0.4) - 0.25e-8);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!((found[1] - found[0] - 1e-4).abs() < 1e-6);
    }

    #[test]
    fn a_guard_that_stays_clear_of_zero_has_no_roots() {
        assert_eq!(roots(|x| (x - 0.4) * (x - 0.4) + 1e-9).1.len(), 0);
    }

    #[test]
    fn a_root_at_the_start_is_divided_out_and_its_direction_told() {
        let (start, found) = roots(|x| x * (0.7 - x));
        assert_eq!(start, GuardStart::Rising);
        assert!((found[0] - 0.7).abs() < 1e-12 && found.len() == 1);
        assert_eq!(roots(|x| -x).0, GuardStart::Falling);
    }

    #[test]
    fn a_double_root_at_the_start_is_divided_out_twice() {
        let (start, found) = roots(|x| x * x * (0.7 - x));
        assert_eq!(start, GuardStart::Rising);
        assert!((found[0] - 0.7).abs() < 1e-10 && found.len() == 1, "{found:?}");
    }

    #[test]
    fn a_root_at_the_very_end_is_found() {
        assert_eq!(roots(|x| if x == 1.0 { 0.0 } else { 1.0 - x }).1, [1.0]);
    }
}
