//! The machine that evaluates a formula: a short list of operations on a small stack.

use crate::num::jet::Scalar;

/// Deepest stack that a formula may need; the parser refuses more.
pub(super) const STACK: usize = 32;

/// A function of one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unary {
    Negate,
    Exp,
    Ln,
    Log10,
    Sqrt,
    Abs,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Sign,
    Step,
}

/// A function of two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Min,
    Max,
    Atan2,
}

/// One operation. Those with a number in them save a push for the many places where one operand is a constant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Operation {
    Constant(f64),
    Variable(u32),
    Unary(Unary),
    Binary(Binary),
    /// x + c
    Shift(f64),
    /// c x
    Scale(f64),
    /// c − x
    SubtractFrom(f64),
    /// x / c, with its own rounding
    DivideBy(f64),
    /// c / x
    DivideInto(f64),
    /// xⁿ by multiplication
    IntegerPower(i32),
    /// x^c
    ConstantPower(f64),
}

impl Operation {
    pub(super) fn has_kink(&self) -> bool {
        matches!(
            self,
            Operation::Unary(Unary::Abs | Unary::Sign | Unary::Step) | Operation::Binary(Binary::Min | Binary::Max)
        )
    }

    /// The variable that it reads.
    pub(super) fn variable(&self) -> Option<usize> {
        match self {
            Operation::Variable(index) => Some(*index as usize),
            _ => None,
        }
    }

    /// How many values the operation adds to the stack.
    pub(super) fn growth(&self) -> i32 {
        match self {
            Operation::Constant(_) | Operation::Variable(_) => 1,
            Operation::Binary(_) => -1,
            _ => 0,
        }
    }
}

#[inline]
pub(super) fn unary<T: Scalar>(function: Unary, x: T) -> T {
    match function {
        Unary::Negate => -x,
        Unary::Exp => x.exp(),
        other => rarer(other, x),
    }
}

/// The functions that are not worth a place in the inner loop.
#[inline(never)]
fn rarer<T: Scalar>(function: Unary, x: T) -> T {
    match function {
        Unary::Negate => -x,
        Unary::Exp => x.exp(),
        Unary::Ln => x.ln(),
        Unary::Log10 => log10(x),
        Unary::Sqrt => x.sqrt(),
        Unary::Abs => x.abs(),
        Unary::Sin => x.sin(),
        Unary::Cos => x.cos(),
        Unary::Tan => x.tan(),
        Unary::Asin => x.asin(),
        Unary::Acos => x.acos(),
        Unary::Atan => x.atan(),
        Unary::Sinh => x.sinh(),
        Unary::Cosh => x.cosh(),
        Unary::Tanh => x.tanh(),
        Unary::Sign => x.sign(),
        Unary::Step => x.step(),
    }
}

fn log10<T: Scalar>(x: T) -> T {
    // the value exactly as log10 gives it, the derivatives as those of ln
    let natural = x.ln().scaled(std::f64::consts::LOG10_E);
    natural.shifted(crate::num::real::log10(x.value()) - natural.value())
}

#[inline]
pub(super) fn binary<T: Scalar>(function: Binary, x: T, y: T) -> T {
    match function {
        Binary::Add => x + y,
        Binary::Subtract => x - y,
        Binary::Multiply => x * y,
        Binary::Divide => x / y,
        other => rarer_of_two(other, x, y),
    }
}

#[inline(never)]
fn rarer_of_two<T: Scalar>(function: Binary, x: T, y: T) -> T {
    match function {
        Binary::Add => x + y,
        Binary::Subtract => x - y,
        Binary::Multiply => x * y,
        Binary::Divide => x / y,
        Binary::Power => x.pow(y),
        Binary::Min => x.min(y),
        Binary::Max => x.max(y),
        Binary::Atan2 => x.atan2(y),
    }
}

/// Which side of a kink or jump holds: asked at every one, with its argument (for `min` and `max` the difference).
pub(super) trait Sides {
    /// Whether the side of larger arguments holds; none if the argument decides.
    fn side(&mut self, argument: f64) -> Option<bool>;
}

/// The argument decides.
pub(super) struct Natural;

impl Sides for Natural {
    #[inline(always)]
    fn side(&mut self, _: f64) -> Option<bool> {
        None
    }
}

/// Runs the operations of a formula that keeps at most `depth` values open.
#[inline]
pub(super) fn run<T: Scalar>(operations: &[Operation], variables: &[T], depth: usize) -> T {
    run_with(operations, variables, depth, &mut Natural)
}

/// As [`run`], with sides of kinks that are given.
#[inline]
pub(super) fn run_with<T: Scalar>(
    operations: &[Operation],
    variables: &[T],
    depth: usize,
    sides: &mut impl Sides,
) -> T {
    // most formulas are shallow, and a small stack is filled faster
    if depth <= 4 {
        run_on::<T, 4>(operations, variables, sides)
    } else {
        run_on::<T, STACK>(operations, variables, sides)
    }
}

/// A function with a kink or jump on one of its sides.
#[inline(never)]
fn one_sided<T: Scalar>(function: Unary, x: T, above: bool) -> T {
    match (function, above) {
        (Unary::Abs, true) => x,
        (Unary::Abs, false) => -x,
        (Unary::Sign, false) => T::constant(-1.0),
        (Unary::Step, false) => T::constant(0.0),
        _ => T::constant(1.0),
    }
}

/// The parser has checked that the stack is deep enough and never empty; should that ever be wrong the answer is not a
/// number that means anything, instead of a crash.
#[inline]
fn run_on<T: Scalar, const DEPTH: usize>(operations: &[Operation], variables: &[T], sides: &mut impl Sides) -> T {
    // the newest value lives outside the array: most operations never touch it
    let mut stack = [T::constant(0.0); DEPTH];
    let mut depth = 0_usize;
    let mut top = T::constant(f64::NAN);
    for operation in operations {
        match *operation {
            Operation::Constant(value) => {
                stack[depth % DEPTH] = top;
                depth += 1;
                top = T::constant(value);
            }
            Operation::Variable(index) => {
                stack[depth % DEPTH] = top;
                depth += 1;
                top = variables.get(index as usize).copied().unwrap_or(T::constant(f64::NAN));
            }
            Operation::Binary(function) => {
                depth = depth.wrapping_sub(1);
                let x = stack[depth % DEPTH];
                let side = if operation.has_kink() { sides.side(x.value() - top.value()) } else { None };
                top = match side {
                    Some(above) if above == (function == Binary::Max) => x,
                    Some(_) => top,
                    None => binary(function, x, top),
                };
            }
            Operation::Unary(function) => {
                let side = if operation.has_kink() { sides.side(top.value()) } else { None };
                top = match side {
                    Some(above) => one_sided(function, top, above),
                    None => unary(function, top),
                };
            }
            Operation::Shift(offset) => top = top.shifted(offset),
            Operation::Scale(factor) => top = top.scaled(factor),
            Operation::SubtractFrom(value) => top = (-top).shifted(value),
            Operation::DivideBy(divisor) => top = top.divided(divisor),
            Operation::DivideInto(value) => top = T::constant(value) / top,
            Operation::IntegerPower(exponent) => top = top.powi(exponent),
            Operation::ConstantPower(exponent) => top = top.pow_constant(exponent),
        }
    }
    top
}
