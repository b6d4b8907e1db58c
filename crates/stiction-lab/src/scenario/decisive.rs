//! What decides a claim: an expression over the quantities and tables of a run.
//!
//! ```text
//! expression = product (("+" | "-") product)*
//! product    = factor (("*" | "/") factor)*
//! factor     = number | "-" factor | "(" expression ")" | function "(" selection ")" | selection
//! selection  = name ("." column)? ("[" (index | condition ("," condition)*) "]")?  |  name ".len"
//! condition  = column ("=" | "!=" | "<" | "<=" | ">" | ">=") (number | word | "max" | "min")
//! A name or word that is not made of letters, digits and `_` stands between single quotes: 'case 1'.
//! ```

/// An expression over what a run leaves behind.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expression<'a> {
    /// A number that stands in the text.
    Number(f64),
    /// A quantity, a column of a table, or a part of them.
    Selection(Selection<'a>),
    /// A function of several values.
    Reduced(Function, Selection<'a>),
    /// Two expressions and what is done with them.
    Combined(Box<Expression<'a>>, Operator, Box<Expression<'a>>),
}

/// A function of several values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Function {
    /// The largest.
    Max,
    /// The smallest.
    Min,
    /// Their mean.
    Mean,
    /// Their standard deviation.
    Std,
    /// The first one that exists.
    First,
    /// The last one that exists.
    Last,
    /// The number of rows.
    Count,
    /// The number of rows over that of the whole table.
    Share,
    /// Whether each is larger than the one before.
    Rises,
    /// Whether each is smaller than the one before.
    Falls,
}

/// The functions by their names.
const FUNCTIONS: [(&str, Function); 10] = [
    ("max", Function::Max),
    ("min", Function::Min),
    ("mean", Function::Mean),
    ("std", Function::Std),
    ("first", Function::First),
    ("last", Function::Last),
    ("count", Function::Count),
    ("share", Function::Share),
    ("rises", Function::Rises),
    ("falls", Function::Falls),
];

/// What is done with two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Plus,
    Minus,
    Times,
    Over,
}

impl Operator {
    /// The result.
    pub(super) fn apply(self, a: f64, b: f64) -> f64 {
        match self {
            Operator::Plus => a + b,
            Operator::Minus => a - b,
            Operator::Times => a * b,
            Operator::Over => a / b,
        }
    }
}

/// A quantity or a column, and which part of it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Selection<'a> {
    /// Name of the quantity, or of the table.
    pub(super) name: &'a str,
    /// Column of the table.
    pub(super) column: Option<&'a str>,
    /// Which part of it.
    pub(super) part: Part<'a>,
}

/// A part of a quantity or of a column.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Part<'a> {
    /// All of it.
    Whole,
    /// One entry of a list, counted from zero.
    Entry(usize),
    /// The number of entries of a list.
    Length,
    /// The rows of a table that meet all of these conditions, from left to right.
    Rows(Vec<Condition<'a>>),
}

/// A condition on the rows of a table.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Condition<'a> {
    /// The column.
    pub(super) column: &'a str,
    /// How it is compared.
    pub(super) comparison: Comparison,
    /// With what.
    pub(super) value: Wanted<'a>,
}

/// How a value of a column is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    NotEqual,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

/// The comparisons as they are written; longer signs first.
const COMPARISONS: [(&str, Comparison); 6] = [
    ("!=", Comparison::NotEqual),
    ("<=", Comparison::AtMost),
    (">=", Comparison::AtLeast),
    ("=", Comparison::Equal),
    ("<", Comparison::Less),
    (">", Comparison::Greater),
];

/// What a value of a column is compared with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Wanted<'a> {
    Number(f64),
    Word(&'a str),
    /// The largest value of the column in the rows that are left.
    Largest,
    /// The smallest one.
    Smallest,
}

impl<'a> Expression<'a> {
    /// Reads an expression; none if the text is not one.
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        let mut reader = Reader { rest: text };
        let expression = reader.expression(0)?;
        reader.rest.trim().is_empty().then_some(expression)
    }

    /// Every quantity and column that it needs.
    pub(super) fn selections(&self) -> Vec<&Selection<'a>> {
        match self {
            Expression::Number(_) => Vec::new(),
            Expression::Selection(selection) | Expression::Reduced(_, selection) => vec![selection],
            Expression::Combined(a, _, b) => a.selections().into_iter().chain(b.selections()).collect(),
        }
    }

    /// The values that it combines, each once.
    pub(super) fn leaves(&self) -> Vec<&Self> {
        match self {
            Expression::Number(_) => Vec::new(),
            Expression::Selection(_) | Expression::Reduced(..) => vec![self],
            Expression::Combined(a, _, b) => {
                let mut leaves = a.leaves();
                leaves.extend(b.leaves().into_iter().filter(|leaf| !a.leaves().contains(leaf)));
                leaves
            }
        }
    }

    /// The expression with the order of its values reversed: the two sides of its outermost difference or quotient exchanged, or
    /// `rises` in place of `falls`. None if it states no order.
    pub(super) fn reversed(&self) -> Option<Self> {
        match self {
            Expression::Reduced(Function::Rises, list) => Some(Expression::Reduced(Function::Falls, list.clone())),
            Expression::Reduced(Function::Falls, list) => Some(Expression::Reduced(Function::Rises, list.clone())),
            Expression::Combined(a, operator, b) => {
                let (a, b) = match (a.leaves().is_empty(), b.leaves().is_empty(), operator) {
                    (false, false, Operator::Minus | Operator::Over) => (b.clone(), a.clone()),
                    (false, true, _) => (Box::new(a.reversed()?), b.clone()),
                    (true, false, _) => (a.clone(), Box::new(b.reversed()?)),
                    _ => return None,
                };
                Some(Expression::Combined(a, *operator, b))
            }
            _ => None,
        }
    }
}

impl<'a> Selection<'a> {
    /// Whether it is about a table, not about a quantity.
    pub(super) fn is_of_table(&self) -> bool {
        self.column.is_some() || matches!(self.part, Part::Rows(_))
    }

    /// Every column of the table that it needs.
    pub(super) fn columns(&self) -> Vec<&'a str> {
        let conditions = match &self.part {
            Part::Rows(conditions) => conditions.as_slice(),
            _ => &[],
        };
        self.column.into_iter().chain(conditions.iter().map(|condition| condition.column)).collect()
    }
}

/// Deepest nesting of parentheses.
const DEEPEST: usize = 16;

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn take(&mut self, sign: &str) -> bool {
        match self.rest.trim_start().strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn one_of<T: Copy>(&mut self, choices: &[(&str, T)]) -> Option<T> {
        choices.iter().find(|(sign, _)| self.take(sign)).map(|(_, choice)| *choice)
    }

    fn expression(&mut self, depth: usize) -> Option<Expression<'a>> {
        let signs = [("+", Operator::Plus), ("-", Operator::Minus)];
        self.chain(&signs, |reader| reader.chain(&PRODUCTS, |reader| reader.factor(depth)))
    }

    /// Operands with operators between them, from left to right.
    fn chain(
        &mut self,
        signs: &[(&str, Operator)],
        operand: impl Fn(&mut Self) -> Option<Expression<'a>>,
    ) -> Option<Expression<'a>> {
        let mut left = operand(self)?;
        while let Some(operator) = self.one_of(signs) {
            left = Expression::Combined(Box::new(left), operator, Box::new(operand(self)?));
        }
        Some(left)
    }

    fn factor(&mut self, depth: usize) -> Option<Expression<'a>> {
        if depth > DEEPEST {
            return None;
        }
        if self.take("(") {
            let inner = self.expression(depth + 1)?;
            return self.take(")").then_some(inner);
        }
        if self.take("-") {
            let inner = self.factor(depth + 1)?;
            return Some(Expression::Combined(Box::new(Expression::Number(0.0)), Operator::Minus, Box::new(inner)));
        }
        if let Some(number) = self.number() {
            return Some(Expression::Number(number));
        }
        let name = self.name()?;
        let function = FUNCTIONS.iter().find(|(known, _)| *known == name).map(|(_, function)| *function);
        match function.filter(|_| self.take("(")) {
            Some(function) => {
                let name = self.name()?;
                let mut selection = self.selection(name)?;
                // all rows of a table, not a quantity
                if let (Function::Count | Function::Share, Part::Whole) = (function, &selection.part) {
                    selection.part = Part::Rows(Vec::new());
                }
                self.take(")").then_some(Expression::Reduced(function, selection))
            }
            None => self.selection(name).map(Expression::Selection),
        }
    }

    fn selection(&mut self, name: &'a str) -> Option<Selection<'a>> {
        let column = if self.take(".") { Some(self.name()?) } else { None };
        if column == Some("len") {
            return Some(Selection { name, column: None, part: Part::Length });
        }
        if !self.take("[") {
            return Some(Selection { name, column, part: Part::Whole });
        }
        let part = match self.index() {
            Some(index) => Part::Entry(index),
            None => Part::Rows(self.conditions()?),
        };
        self.take("]").then_some(Selection { name, column, part })
    }

    fn conditions(&mut self) -> Option<Vec<Condition<'a>>> {
        let mut conditions = Vec::new();
        loop {
            let column = self.name()?;
            let comparison = self.one_of(&COMPARISONS)?;
            let value = match self.number() {
                Some(number) => Wanted::Number(number),
                None => match self.name()? {
                    "max" => Wanted::Largest,
                    "min" => Wanted::Smallest,
                    word => Wanted::Word(word),
                },
            };
            conditions.push(Condition { column, comparison, value });
            if !self.take(",") {
                return Some(conditions);
            }
        }
    }

    /// As many characters as belong to a word, if there are any.
    fn span(&mut self, belongs: impl Fn(usize, char) -> bool) -> Option<&'a str> {
        let text = self.rest.trim_start();
        let end = text.char_indices().find(|&(place, c)| !belongs(place, c)).map_or(text.len(), |(place, _)| place);
        let (word, rest) = text.split_at(end);
        (!word.is_empty()).then(|| {
            self.rest = rest;
            word
        })
    }

    /// A name, or any text between single quotes.
    fn name(&mut self) -> Option<&'a str> {
        if self.take("'") {
            let (word, rest) = self.rest.split_once('\'')?;
            self.rest = rest;
            return Some(word);
        }
        self.span(|place, c| c == '_' || c.is_ascii_alphabetic() || (place > 0 && c.is_ascii_digit()))
    }

    fn index(&mut self) -> Option<usize> {
        self.span(|_, c| c.is_ascii_digit())?.parse().ok()
    }

    /// A number with an optional sign.
    fn number(&mut self) -> Option<f64> {
        let text = self.rest.trim_start();
        let bytes = text.as_bytes();
        let mut end = usize::from(matches!(bytes.first(), Some(b'-')));
        let digits = |mut place: usize| {
            while bytes.get(place).is_some_and(|byte| byte.is_ascii_digit() || *byte == b'.') {
                place += 1;
            }
            place
        };
        let start = end;
        end = digits(end);
        if end == start {
            return None;
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'-' | b'+')));
            let exponent = digits(end + 1 + sign);
            end = if exponent > end + 1 + sign { exponent } else { end };
        }
        let number: f64 = text.get(..end)?.parse().ok()?;
        self.rest = text.get(end..)?;
        Some(number)
    }
}

const PRODUCTS: [(&str, Operator); 2] = [("*", Operator::Times), ("/", Operator::Over)];

#[cfg(test)]
mod tests {
    use super::*;

    fn selection<'a>(name: &'a str, column: Option<&'a str>, part: Part<'a>) -> Expression<'a> {
        Expression::Selection(Selection { name, column, part })
    }

    #[test]
    fn selections_name_quantities_entries_lengths_and_rows_of_tables() {
        assert_eq!(Expression::parse("period"), Some(selection("period", None, Part::Whole)));
        assert_eq!(Expression::parse("fold_speeds[2]"), Some(selection("fold_speeds", None, Part::Entry(2))));
        assert_eq!(Expression::parse("fold_speeds.len"), Some(selection("fold_speeds", None, Part::Length)));
        let condition = |column, comparison, value| Condition { column, comparison, value };
        let rows = Part::Rows(vec![
            condition("load", Comparison::Equal, Wanted::Number(0.6)),
            condition("kind", Comparison::NotEqual, Wanted::Word("stick")),
            condition("time", Comparison::Equal, Wanted::Largest),
        ]);
        assert_eq!(
            Expression::parse("curve.speed[load = 0.6, kind != stick, time = max]"),
            Some(selection("curve", Some("speed"), rows))
        );
    }

    #[test]
    fn texts_that_are_not_expressions_are_refused() {
        for wrong in
            ["", "a b", "a[", "a[x]", "a[-1]", "[0]", ".len", "a[1][2]", "max()", "max(a", "a +", "a[x = ]", "2a"]
        {
            assert_eq!(Expression::parse(wrong), None, "{wrong}");
        }
        assert_eq!(Expression::parse(&"(".repeat(100_000)), None);
    }
}
