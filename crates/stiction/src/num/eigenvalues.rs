//! Eigenvalues of small real matrices, without their vectors: Hessenberg form, then the double QR step of Francis with
//! exceptional shifts. Bounded: a matrix that does not converge says so.

use super::lanes::widely;
use nalgebra::Complex;

/// QR steps per eigenvalue before the matrix is given up.
const MAX_ROUNDS: usize = 60;

/// Eigenvalues of the matrix with these rows, in no particular order; none if an entry is not finite or they do not converge.
pub fn eigenvalues<const N: usize>(mut a: [[f64; N]; N]) -> Option<[Complex<f64>; N]> {
    if !a.iter().flatten().all(|entry| entry.is_finite()) {
        return None;
    }
    widely(
        #[inline(always)]
        || {
            balance(&mut a);
            to_hessenberg(&mut a);
            francis(&mut a)
        },
    )
}

/// The matrix with these rows, balanced and reduced to Hessenberg form; none if an entry is not finite.
pub(crate) fn hessenberg<const N: usize>(mut a: [[f64; N]; N]) -> Option<[[f64; N]; N]> {
    if !a.iter().flatten().all(|entry| entry.is_finite()) {
        return None;
    }
    widely(
        #[inline(always)]
        || {
            balance(&mut a);
            to_hessenberg(&mut a);
        },
    );
    Some(a)
}

/// Scales rows and columns by powers of two until their norms agree: the eigenvalues stay, their errors shrink.
#[inline(always)]
fn balance<const N: usize>(a: &mut [[f64; N]; N]) {
    for _ in 0..20 {
        let mut is_done = true;
        for i in 0..N {
            let (mut row, mut column) = (0.0, 0.0);
            for j in (0..N).filter(|&j| j != i) {
                row += a[i][j].abs();
                column += a[j][i].abs();
            }
            if row == 0.0 || column == 0.0 {
                continue;
            }
            let sum = row + column;
            let mut factor = 1.0;
            while column < 0.5 * row {
                factor *= 2.0;
                column *= 4.0;
            }
            while column > 2.0 * row {
                factor *= 0.5;
                column *= 0.25;
            }
            if (column + row) / factor < 0.95 * sum && factor.is_finite() && factor > 0.0 {
                is_done = false;
                for entry in &mut a[i] {
                    *entry /= factor;
                }
                for row in a.iter_mut() {
                    row[i] *= factor;
                }
            }
        }
        if is_done {
            return;
        }
    }
}

/// Elimination with the largest pivots, as a similarity.
#[inline(always)]
fn to_hessenberg<const N: usize>(a: &mut [[f64; N]; N]) {
    for m in 1..N.saturating_sub(1) {
        let mut best = m;
        for row in m + 1..N {
            if a[row][m - 1].abs() > a[best][m - 1].abs() {
                best = row;
            }
        }
        let pivot = a[best][m - 1];
        if pivot == 0.0 {
            continue;
        }
        if best != m {
            a.swap(best, m);
            for row in a.iter_mut() {
                row.swap(best, m);
            }
        }
        for i in m + 1..N {
            let factor = a[i][m - 1] / pivot;
            if factor == 0.0 {
                continue;
            }
            let upper = a[m];
            for (entry, upper) in a[i].iter_mut().zip(upper) {
                *entry -= factor * upper;
            }
            a[i][m - 1] = 0.0;
            for row in a.iter_mut() {
                row[m] += factor * row[i];
            }
        }
    }
}

/// Deflates one or two eigenvalues at a time from the bottom.
#[inline(always)]
fn francis<const N: usize>(a: &mut [[f64; N]; N]) -> Option<[Complex<f64>; N]> {
    let mut values = [Complex::new(0.0, 0.0); N];
    let norm: f64 = a.iter().flatten().map(|entry| entry.abs()).sum();
    let mut shift = 0.0;
    let mut size = N;
    let mut rounds = 0;
    while size > 0 {
        let last = size - 1;
        // the first row of the block at the bottom that does not fall apart
        let mut low = last;
        while low > 0 {
            let scale = a[low - 1][low - 1].abs() + a[low][low].abs();
            let scale = if scale == 0.0 { norm } else { scale };
            if a[low][low - 1].abs() <= f64::EPSILON * scale {
                a[low][low - 1] = 0.0;
                break;
            }
            low -= 1;
        }
        let x = a[last][last];
        if low == last {
            values[last] = Complex::new(x + shift, 0.0);
            size -= 1;
            rounds = 0;
            continue;
        }
        let y = a[last - 1][last - 1];
        let w = a[last][last - 1] * a[last - 1][last];
        if low + 1 == last {
            let half = 0.5 * (y - x);
            let discriminant = half * half + w;
            let root = discriminant.abs().sqrt();
            let x = x + shift;
            if discriminant >= 0.0 {
                let far = half + if half < 0.0 { -root } else { root };
                values[last - 1] = Complex::new(x + far, 0.0);
                values[last] = Complex::new(if far == 0.0 { x } else { x - w / far }, 0.0);
            } else {
                values[last - 1] = Complex::new(x + half, root);
                values[last] = Complex::new(x + half, -root);
            }
            size -= 2;
            rounds = 0;
            continue;
        }
        rounds += 1;
        if rounds > MAX_ROUNDS {
            return None;
        }
        let mut shifts = (x, y, w);
        if rounds % 10 == 0 {
            // an exceptional shift breaks cycles
            shift += x;
            for (i, row) in a.iter_mut().enumerate().take(size) {
                row[i] -= x;
            }
            let s = a[last][last - 1].abs() + a[last - 1][last - 2].abs();
            shifts = (0.75 * s, 0.75 * s, -0.4375 * s * s);
        }
        double_step(a, low, last, shifts);
    }
    Some(values)
}

/// One double QR step on rows `low` to `last`.
#[inline(always)]
fn double_step<const N: usize>(a: &mut [[f64; N]; N], low: usize, last: usize, (x, y, w): (f64, f64, f64)) {
    // two small elements in a row allow a start further down
    let mut m = last - 2;
    let (mut p, mut q, mut r);
    loop {
        let z = a[m][m];
        let (u, v) = (x - z, y - z);
        p = (u * v - w) / a[m + 1][m] + a[m][m + 1];
        q = a[m + 1][m + 1] - z - u - v;
        r = a[m + 2][m + 1];
        let inverse = 1.0 / (p.abs() + q.abs() + r.abs());
        (p, q, r) = (p * inverse, q * inverse, r * inverse);
        if m == low {
            break;
        }
        let left = a[m][m - 1].abs() * (q.abs() + r.abs());
        let right = p.abs() * (a[m - 1][m - 1].abs() + z.abs() + a[m + 1][m + 1].abs());
        if left <= f64::EPSILON * right {
            break;
        }
        m -= 1;
    }
    for i in m + 2..=last {
        a[i][i - 2] = 0.0;
        if i > m + 2 {
            a[i][i - 3] = 0.0;
        }
    }
    for k in m..last {
        let is_last = k + 1 == last;
        let mut scale = 0.0;
        if k > m {
            p = a[k][k - 1];
            q = a[k + 1][k - 1];
            r = if is_last { 0.0 } else { a[k + 2][k - 1] };
            scale = p.abs() + q.abs() + r.abs();
            if scale == 0.0 {
                continue;
            }
            let inverse = 1.0 / scale;
            (p, q, r) = (p * inverse, q * inverse, r * inverse);
        }
        let length = (p * p + q * q + r * r).sqrt();
        let s = if p < 0.0 { -length } else { length };
        if s == 0.0 {
            continue;
        }
        if k > m {
            a[k][k - 1] = -s * scale;
        } else if low != m {
            a[k][k - 1] = -a[k][k - 1];
        }
        p += s;
        let (by_s, by_p) = (1.0 / s, 1.0 / p);
        let (fx, fy, fz) = (p * by_s, q * by_s, r * by_s);
        (q, r) = (q * by_p, r * by_p);
        // whole rows at once: columns left of k hold nothing but the element below the diagonal, those beyond are done with
        let below = if k > 0 { a[k][k - 1] } else { 0.0 };
        // in place: copies of rows would wait for their stores
        if let Some((upper, [middle, rest @ ..])) = a.get_mut(k..).and_then(<[_]>::split_first_mut) {
            match rest.first_mut().filter(|_| !is_last) {
                Some(lower) => {
                    for ((upper, middle), lower) in upper.iter_mut().zip(middle.iter_mut()).zip(lower.iter_mut()) {
                        let t = *upper + q * *middle + r * *lower;
                        *upper -= t * fx;
                        *middle -= t * fy;
                        *lower -= t * fz;
                    }
                }
                None => {
                    for (upper, middle) in upper.iter_mut().zip(middle.iter_mut()) {
                        let t = *upper + q * *middle;
                        *upper -= t * fx;
                        *middle -= t * fy;
                    }
                }
            }
            if k > 0 {
                upper[k - 1] = below;
            }
        }
        if is_last {
            for row in &mut a[low..=last] {
                if let Some([x, y]) = row.get_mut(k..k + 2) {
                    let t = fx * *x + fy * *y;
                    *y -= t * q;
                    *x -= t;
                }
            }
            continue;
        }
        for row in &mut a[low..=last.min(k + 3)] {
            if let Some([x, y, z]) = row.get_mut(k..k + 3) {
                let t = fx * *x + fy * *y + fz * *z;
                *z -= t * r;
                *y -= t * q;
                *x -= t;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::random::Stream;
    use nalgebra::SMatrix;

    #[test]
    fn they_agree_with_another_solver() {
        let mut stream = Stream::new(1, 0, 0);
        for round in 0..300 {
            let scale = |i: usize| if round % 3 == 0 { 10f64.powi(i as i32 % 5) } else { 1.0 };
            let rows: [[f64; 12]; 12] =
                std::array::from_fn(|i| std::array::from_fn(|_| scale(i) * (stream.uniform() - 0.5)));
            let found = eigenvalues(rows).unwrap();
            let wanted = SMatrix::<f64, 12, 12>::from_fn(|i, j| rows[i][j]).complex_eigenvalues();
            let size = wanted.iter().fold(0.0_f64, |size, value| size.max(value.norm()));
            for value in found {
                let nearest = wanted.iter().map(|other| (other - value).norm()).fold(f64::INFINITY, f64::min);
                assert!(nearest < 1e-9 * size, "{round}: {value} misses by {nearest:e}");
            }
        }
    }

    #[test]
    fn known_matrices_have_their_eigenvalues() {
        // a cyclic permutation: roots of one, which need an exceptional shift
        let cycle: [[f64; 4]; 4] =
            std::array::from_fn(|i| std::array::from_fn(|j| f64::from(u8::from((i + 1) % 4 == j))));
        for value in eigenvalues(cycle).unwrap() {
            assert!((value.powu(4) - 1.0).norm() < 1e-13, "{value}");
        }
        let triangle = [[3.0, 1e6, 2.0], [0.0, -1.0, 5.0], [0.0, 0.0, 0.5]];
        let mut values: Vec<f64> = eigenvalues(triangle).unwrap().iter().map(|value| value.re).collect();
        values.sort_by(f64::total_cmp);
        assert_eq!(values, [-1.0, 0.5, 3.0]);
        assert!(eigenvalues([[f64::NAN; 2]; 2]).is_none());
    }
}
