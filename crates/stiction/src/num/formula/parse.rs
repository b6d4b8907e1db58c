//! From text to operations: precedence climbing, with constants folded on the way.

use super::error::FormulaError;
use super::functions::{BUILT_IN_CONSTANTS, FUNCTIONS, Function, check_constants, function, listed, nearest};
use super::machine::{self, Binary, Operation, STACK, Unary};
use super::token::{Token, Words};
use std::collections::BTreeMap;

/// Longest formula [bytes]: far beyond any law, far below what could hurt.
const MAX_LENGTH: usize = 4096;
/// Deepest nesting of parentheses, signs and powers; bounds the recursion of the parser.
const MAX_NESTING: usize = 64;
/// Largest exponent that is multiplied out: beyond it the roundings of the products exceed that of `pow`.
const MAX_INTEGER_POWER: f64 = 16.0;

pub(super) fn operations(
    text: &str,
    variables: &[&str],
    constants: &BTreeMap<String, f64>,
) -> Result<(Vec<Operation>, usize), FormulaError> {
    if text.len() > MAX_LENGTH {
        return Err(FormulaError::new(MAX_LENGTH, format!("the formula is longer than {MAX_LENGTH} bytes"))
            .at_character_of(text));
    }
    check_constants(variables, constants)?;
    let mut parser = Parser {
        words: Words::new(text),
        token: Token::End,
        start: 0,
        nesting: 0,
        operations: Vec::new(),
        variables,
        constants,
    };
    parser.advance()?;
    if parser.token == Token::End {
        return Err(FormulaError::new(0, "the formula is empty"));
    }
    parser.sum()?;
    match parser.token {
        Token::End => {}
        Token::Sign(')') => return Err(FormulaError::new(parser.start, "`)` without a `(` before it")),
        _ => return Err(parser.expected_operator()),
    }
    let (mut depth, mut deepest) = (0_i32, 0_i32);
    for operation in &parser.operations {
        depth += operation.growth();
        deepest = deepest.max(depth);
        if depth > STACK as i32 {
            return Err(FormulaError::new(text.len(), format!("the formula keeps more than {STACK} values open"))
                .suggesting("write it with fewer nested sums and products, or put the inner parts first"));
        }
    }
    Ok((parser.operations, deepest as usize))
}

impl FormulaError {
    /// Moves the position to the start of the character that it falls into.
    fn at_character_of(mut self, text: &str) -> Self {
        while self.position > 0 && !text.is_char_boundary(self.position) {
            self.position -= 1;
        }
        self
    }
}

struct Parser<'a> {
    words: Words<'a>,
    /// The word that is looked at, and where it starts.
    token: Token<'a>,
    start: usize,
    nesting: usize,
    operations: Vec<Operation>,
    variables: &'a [&'a str],
    constants: &'a BTreeMap<String, f64>,
}

impl<'a> Parser<'a> {
    fn advance(&mut self) -> Result<(), FormulaError> {
        (self.token, self.start) = self.words.next()?;
        Ok(())
    }

    /// Runs `inner` one level deeper.
    fn nested(&mut self, inner: impl FnOnce(&mut Self) -> Result<(), FormulaError>) -> Result<(), FormulaError> {
        if self.nesting >= MAX_NESTING {
            return Err(FormulaError::new(self.start, format!("nested more than {MAX_NESTING} levels deep")));
        }
        self.nesting += 1;
        inner(self)?;
        self.nesting -= 1;
        Ok(())
    }

    fn sum(&mut self) -> Result<(), FormulaError> {
        let left = self.operations.len();
        self.product()?;
        loop {
            let operator = match self.token {
                Token::Sign('+') => Binary::Add,
                Token::Sign('-') => Binary::Subtract,
                _ => return Ok(()),
            };
            self.advance()?;
            let right = self.operations.len();
            self.product()?;
            self.emit_binary(operator, left, right);
        }
    }

    fn product(&mut self) -> Result<(), FormulaError> {
        let left = self.operations.len();
        self.signed()?;
        loop {
            let operator = match self.token {
                Token::Sign('*') => Binary::Multiply,
                Token::Sign('/') => Binary::Divide,
                _ => return Ok(()),
            };
            self.advance()?;
            let right = self.operations.len();
            self.signed()?;
            self.emit_binary(operator, left, right);
        }
    }

    fn signed(&mut self) -> Result<(), FormulaError> {
        match self.token {
            Token::Sign('-') => {
                self.advance()?;
                let operand = self.operations.len();
                self.nested(Self::signed)?;
                self.emit_unary(Unary::Negate, operand);
                Ok(())
            }
            Token::Sign('+') => {
                self.advance()?;
                self.nested(Self::signed)
            }
            _ => self.power(),
        }
    }

    fn power(&mut self) -> Result<(), FormulaError> {
        let left = self.operations.len();
        self.primary()?;
        if self.token == Token::Sign('^') {
            self.advance()?;
            let right = self.operations.len();
            // the exponent may carry a sign, and powers associate to the right
            self.nested(Self::signed)?;
            self.emit_binary(Binary::Power, left, right);
        }
        Ok(())
    }

    fn primary(&mut self) -> Result<(), FormulaError> {
        let start = self.start;
        match self.token {
            Token::Number(value) => {
                self.operations.push(Operation::Constant(value));
                self.advance()
            }
            Token::Name(name) => {
                self.advance()?;
                self.named(name, start)
            }
            Token::Sign('(') => {
                self.advance()?;
                self.nested(Self::sum)?;
                self.closing(start)
            }
            Token::Sign(sign) => {
                Err(FormulaError::new(start, format!("expected a number, a name or `(` before `{sign}`")))
            }
            Token::End => Err(FormulaError::new(start, "the formula ends where a number, a name or `(` should follow")),
        }
    }

    fn closing(&mut self, opened: usize) -> Result<(), FormulaError> {
        match self.token {
            Token::Sign(')') => self.advance(),
            Token::End => Err(FormulaError::new(opened, "`(` without a `)` after it")),
            Token::Sign(',') => Err(FormulaError::new(self.start, "unexpected `,`")
                .suggesting("write a decimal number with a point, and commas only between arguments")),
            _ => Err(self.expected_operator()),
        }
    }

    fn expected_operator(&self) -> FormulaError {
        let error = FormulaError::new(self.start, "expected an operator or the end of the formula");
        match self.token {
            Token::Name(_) | Token::Number(_) | Token::Sign('(') => error.suggesting("write products with `*`"),
            Token::Sign(',') => error.suggesting("write decimal numbers with a point"),
            _ => error,
        }
    }

    fn named(&mut self, name: &str, start: usize) -> Result<(), FormulaError> {
        if self.token == Token::Sign('(') {
            return self.call(name, start);
        }
        let operation = if let Some(index) = self.variables.iter().position(|&variable| variable == name) {
            Operation::Variable(index as u32)
        } else if let Some(&value) = self.constants.get(name) {
            Operation::Constant(value)
        } else if let Some(&(_, value)) = BUILT_IN_CONSTANTS.iter().find(|(known, _)| *known == name) {
            Operation::Constant(value)
        } else if function(name).is_some() {
            return Err(
                FormulaError::new(start, format!("`{name}` is a function")).suggesting(format!("write `{name}(...)`"))
            );
        } else {
            return Err(self.unknown_name(name, start));
        };
        self.operations.push(operation);
        Ok(())
    }

    fn unknown_name(&self, name: &str, start: usize) -> FormulaError {
        let known = self.variables.iter().copied().chain(self.constants.keys().map(String::as_str));
        let known: Vec<&str> = known.chain(BUILT_IN_CONSTANTS.iter().map(|(name, _)| *name)).collect();
        let error = FormulaError::new(start, format!("unknown name `{name}`"));
        match nearest(name, known.iter().copied()) {
            Some(near) => error.suggesting(format!("did you mean `{near}`?")),
            None => error.suggesting(format!("known names are {}", listed(&known))),
        }
    }

    fn call(&mut self, name: &str, start: usize) -> Result<(), FormulaError> {
        let Some(function) = function(name) else {
            let is_value = self.variables.contains(&name) || self.constants.contains_key(name);
            if is_value || BUILT_IN_CONSTANTS.iter().any(|(known, _)| *known == name) {
                return Err(FormulaError::new(self.start, format!("`{name}` is not a function"))
                    .suggesting("write products with `*`"));
            }
            let error = FormulaError::new(start, format!("unknown function `{name}`"));
            if name == "log" {
                return Err(error.suggesting("write `ln` or `log10`"));
            }
            let known: Vec<&str> = FUNCTIONS.iter().map(|(name, _)| *name).collect();
            return Err(match nearest(name, known.iter().copied()) {
                Some(near) => error.suggesting(format!("did you mean `{near}`?")),
                None => error.suggesting(format!("known functions are {}", listed(&known))),
            });
        };
        let opened = self.start;
        self.advance()?;
        let first = self.operations.len();
        self.nested(Self::sum)?;
        match function {
            Function::One(unary) => {
                if self.token == Token::Sign(',') {
                    return Err(FormulaError::new(self.start, format!("`{name}` takes one argument")));
                }
                self.closing(opened)?;
                self.emit_unary(unary, first);
            }
            Function::Two(binary) => {
                if self.token != Token::Sign(',') {
                    return Err(FormulaError::new(self.start, format!("`{name}` takes two arguments"))
                        .suggesting("separate them with a comma"));
                }
                self.advance()?;
                let second = self.operations.len();
                self.nested(Self::sum)?;
                if self.token == Token::Sign(',') {
                    return Err(FormulaError::new(self.start, format!("`{name}` takes two arguments")));
                }
                self.closing(opened)?;
                self.emit_binary(binary, first, second);
            }
        }
        Ok(())
    }

    /// The operand between `from` and `to`, if it is a plain number.
    fn constant_between(&self, from: usize, to: usize) -> Option<f64> {
        match self.operations.get(from..to) {
            Some(&[Operation::Constant(value)]) => Some(value),
            _ => None,
        }
    }

    fn emit_unary(&mut self, function: Unary, operand: usize) {
        match self.constant_between(operand, self.operations.len()) {
            Some(value) => {
                self.operations.truncate(operand);
                self.operations.push(Operation::Constant(machine::unary(function, value)));
            }
            None => self.operations.push(Operation::Unary(function)),
        }
    }

    /// `operation` with a minus just before it taken into its constant, which changes no bit of the result.
    fn absorb_minus(&mut self, operation: Operation) -> Operation {
        let absorbed = match operation {
            Operation::Scale(factor) => Operation::Scale(-factor),
            Operation::DivideBy(divisor) => Operation::DivideBy(-divisor),
            other => return other,
        };
        if self.operations.last() == Some(&Operation::Unary(Unary::Negate)) {
            self.operations.pop();
            return absorbed;
        }
        operation
    }

    fn emit_binary(&mut self, function: Binary, left: usize, right: usize) {
        let a = self.constant_between(left, right);
        let b = self.constant_between(right, self.operations.len());
        let operation = match (a, b) {
            (Some(a), Some(b)) => {
                self.operations.truncate(left);
                // the same operation as a variable base would see
                let folded = match with_constant(function, b) {
                    Some(operation) => machine::run(&[Operation::Constant(a), operation], &[], 1),
                    None => machine::binary(function, a, b),
                };
                Operation::Constant(folded)
            }
            (None, Some(b)) => match with_constant(function, b) {
                Some(operation) => {
                    self.operations.truncate(right);
                    self.absorb_minus(operation)
                }
                None => Operation::Binary(function),
            },
            (Some(a), None) => {
                let operation = match function {
                    Binary::Add => Some(Operation::Shift(a)),
                    Binary::Subtract => Some(Operation::SubtractFrom(a)),
                    Binary::Multiply => Some(Operation::Scale(a)),
                    Binary::Divide => Some(Operation::DivideInto(a)),
                    _ => None,
                };
                match operation {
                    Some(operation) => {
                        self.operations.remove(left);
                        operation
                    }
                    None => Operation::Binary(function),
                }
            }
            (None, None) => Operation::Binary(function),
        };
        self.operations.push(operation);
    }
}

/// The operation on x that is `function(x, constant)`.
fn with_constant(function: Binary, constant: f64) -> Option<Operation> {
    Some(match function {
        Binary::Add => Operation::Shift(constant),
        Binary::Subtract => Operation::Shift(-constant),
        Binary::Multiply => Operation::Scale(constant),
        Binary::Divide => Operation::DivideBy(constant),
        Binary::Power if constant == constant.trunc() && constant.abs() <= MAX_INTEGER_POWER => {
            Operation::IntegerPower(constant as i32)
        }
        Binary::Power if constant == 0.5 => Operation::Unary(Unary::Sqrt),
        Binary::Power => Operation::ConstantPower(constant),
        _ => return None,
    })
}
