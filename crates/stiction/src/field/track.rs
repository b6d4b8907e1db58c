//! A field under a body that moves over it: what its interpolation needs, column by column, on nodes at the multiples of one step.
//!
//! Given formulas and random fields with a Gaussian parent are made in blocks where the body is, as long as the track may be;
//! all others are made once for the whole track, and leaving it is an error. Values belong to the germ and the place alone.

use super::generator::{GeneratorError, Lognormal, Separable, SeparableField};
use super::interpolation::{MARGIN, coefficients, extend, extend_rows, spline};
use super::realisations::{separable, uncovered};
use super::{
    Domain, FieldDescription, FieldError, FormulaField, GeneratorChoice, GeneratorKind, Germ, Grid,
    InterpolationChoice, Marginal, Purpose, Realisations, Surface,
};

/// Rows above the last one that may be read and do not count.
const FILL: usize = 40;
/// Rows beyond those asked for that a random field is made on: the spline forgets its end like 0.27ᵏ.
const FORGETTING: i64 = 10;

/// Numbers of an interpolation in double or single precision.
#[derive(Debug, Clone, PartialEq)]
pub enum Numbers {
    /// Half the memory and twice the speed, for many realisations.
    Single(Vec<f32>),
    /// All digits.
    Double(Vec<f64>),
}

/// Part of a track: values (bilinear) or coefficients of the spline (cubic), column by column.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// Column and row of the first number.
    first: [i64; 2],
    /// Columns and rows.
    count: [usize; 2],
    stride: usize,
    numbers: Numbers,
    interpolation: InterpolationChoice,
    step: f64,
}

/// Interpolation weights of one place within a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Taps {
    across: [f64; 4],
    along: [f64; 4],
    count: usize,
}

impl Block {
    /// How values between nodes are found.
    pub fn interpolation(&self) -> InterpolationChoice {
        self.interpolation
    }

    /// The numbers.
    pub fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// Numbers from one column to the next.
    pub fn stride(&self) -> usize {
        self.stride
    }

    fn covers(&self, columns: [i64; 2], rows: [i64; 2]) -> bool {
        let [[left, bottom], [width, height]] = [self.first, self.count.map(|count| count as i64)];
        columns[0] >= left && columns[1] < left + width && rows[0] >= bottom && rows[1] < bottom + height
    }

    /// Where the first tap of the node `node` + `corner` is stored, if all nodes within `reach` of `node` are.
    ///
    /// # Errors
    /// [`GeneratorError::Outside`] if they are not.
    pub fn place(&self, node: [i64; 2], corner: [i64; 2], reach: [[i64; 2]; 2]) -> Result<usize, GeneratorError> {
        let around = [0, 1].map(|axis| reach[axis].map(|offset| node[axis].saturating_add(offset)));
        if !self.covers(around[0], around[1]) {
            let [left, bottom] = self.first.map(|node| node as f64 * self.step);
            let [width, height] = self.count.map(|count| (count - 1) as f64 * self.step);
            let (right, top) = (left + width, bottom + height);
            let [x, y] = node.map(|node| node as f64 * self.step);
            return Err(GeneratorError::Outside { left, right, bottom, top, x, y });
        }
        let shift = if self.interpolation == InterpolationChoice::Cubic { 1 } else { 0 };
        let at = [0, 1].map(|axis| (node[axis] + corner[axis] - shift - self.first[axis]) as usize);
        Ok(at[0] * self.stride + at[1])
    }

    /// Weights of the place at the part (u, v) of a cell.
    pub fn taps(&self, [u, v]: [f64; 2]) -> Taps {
        match self.interpolation {
            InterpolationChoice::Cubic => Taps { across: spline(u).0, along: spline(v).0, count: 4 },
            InterpolationChoice::Bilinear => {
                Taps { across: [1.0 - u, u, 0.0, 0.0], along: [1.0 - v, v, 0.0, 0.0], count: 2 }
            }
        }
    }

    /// The values at nodes one above the other, the first `corner` columns and rows from the place `start`, all at the place
    /// of the taps within their cells; `line` is scratch.
    pub fn column(&self, start: usize, corner: [usize; 2], taps: &Taps, line: &mut Vec<f64>, values: &mut [f64]) {
        let start = start + corner[0] * self.stride + corner[1];
        line.clear();
        line.resize(values.len() + taps.count - 1, 0.0);
        match &self.numbers {
            Numbers::Single(numbers) => combined(numbers, start, self.stride, taps, line, |x| f64::from(*x)),
            Numbers::Double(numbers) => combined(numbers, start, self.stride, taps, line, |x| *x),
        }
        values.fill(0.0);
        for (k, along) in taps.along.iter().enumerate().take(taps.count) {
            for (value, number) in values.iter_mut().zip(line.iter().skip(k)) {
                *value += along * number;
            }
        }
    }

    /// The value at the node that is `corner` columns and rows from the place `start`, at the place of the taps within its cell.
    pub fn value(&self, start: usize, corner: [usize; 2], taps: &Taps) -> f64 {
        let start = start + corner[0] * self.stride + corner[1];
        match &self.numbers {
            Numbers::Single(numbers) => interpolated(numbers, start, self.stride, taps, |x| f64::from(*x)),
            Numbers::Double(numbers) => interpolated(numbers, start, self.stride, taps, |x| *x),
        }
    }
}

#[inline]
fn interpolated<T>(numbers: &[T], start: usize, stride: usize, taps: &Taps, wide: impl Fn(&T) -> f64) -> f64 {
    let mut value = 0.0;
    for (k, across) in taps.across.iter().enumerate().take(taps.count) {
        let column = numbers.get(start + k * stride..).unwrap_or_default();
        let mut sum = 0.0;
        for (number, along) in column.iter().zip(&taps.along).take(taps.count) {
            sum += along * wide(number);
        }
        value += across * sum;
    }
    value
}

/// Columns of numbers combined into one.
fn combined<T>(numbers: &[T], start: usize, stride: usize, taps: &Taps, line: &mut [f64], wide: impl Fn(&T) -> f64) {
    for (k, across) in taps.across.iter().enumerate().take(taps.count) {
        let column = numbers.get(start + k * stride..).unwrap_or_default();
        for (out, number) in line.iter_mut().zip(column) {
            *out += across * wide(number);
        }
    }
}

/// What is common to the tracks of all realisations.
#[derive(Debug, Clone)]
pub struct TrackPlan {
    source: Source,
    setting: TrackSetting,
}

/// Grid, interpolation and extent of a track.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrackSetting {
    /// Distance between nodes \[m\].
    pub step: f64,
    /// How values between nodes are found.
    pub interpolation: InterpolationChoice,
    /// Whether numbers are stored in single precision.
    pub single: bool,
    /// Whether the field is seen in a mirror, x → −x.
    pub mirrored: bool,
    /// First and last coordinate along x that will be needed \[m\], in the frame after the mirror.
    pub extent: [f64; 2],
    /// Lower and upper rim \[m\].
    pub rims: [f64; 2],
}

#[derive(Debug, Clone)]
enum Source {
    Constant(f64),
    Formula(FormulaField),
    Separable(Separable, Box<Marginal>),
    /// Made on the nodes of a grid, which starts at the node `first`.
    Whole {
        realisations: Box<Realisations>,
        first: [i64; 2],
        count: [usize; 2],
    },
}

/// Most numbers of one block.
const BLOCK: i64 = 1 << 21;

impl TrackPlan {
    /// Prepares the tracks of a field; `map` is the measured map, where the description is a file.
    ///
    /// # Errors
    /// [`FieldError`]: the field cannot be made, or a map does not cover the track.
    pub fn new(
        field: &FieldDescription,
        map: Option<&Surface>,
        asked: GeneratorChoice,
        setting: TrackSetting,
    ) -> Result<Self, FieldError> {
        let TrackSetting { step, extent, rims, mirrored, .. } = setting;
        let source = match field {
            FieldDescription::Constant(value) => Source::Constant(*value),
            FieldDescription::Expression(formula) => Source::Formula(formula.clone()),
            FieldDescription::Random(random) => {
                let sides = [extent[1] - extent[0], rims[1] - rims[0]];
                let decision = random.generator(asked, Domain::Grid { sides, step })?;
                if decision.kind == GeneratorKind::Separable {
                    let (parent, _) = random.for_sampling()?;
                    Source::Separable(separable(&parent)?, Box::new(random.marginal.clone()))
                } else {
                    whole(field, map, asked, setting, [extent, rims])?
                }
            }
            FieldDescription::File(_) => {
                let Some(map) = map else {
                    return Err(FieldError::Generator { message: "the measured map was not read".to_owned() });
                };
                let ([left, bottom], [right, top]) = (map.grid().origin(), map.grid().end());
                let columns = if mirrored { [-right, -left] } else { [left, right] };
                // the map ends where it ends: what is asked for must be inside
                let inside = |asked: [f64; 2], own: [f64; 2]| [asked[0].max(own[0]), asked[1].min(own[1])];
                whole(field, Some(map), asked, setting, [inside(extent, columns), inside(rims, [bottom, top])])?
            }
        };
        Ok(Self { source, setting })
    }

    /// The setting.
    pub fn setting(&self) -> &TrackSetting {
        &self.setting
    }

    /// The track of one realisation; nothing is made until it is asked for.
    pub fn track(&self, germ: Germ) -> Track<'_> {
        Track { plan: self, germ, block: None }
    }
}

/// A source on the nodes inside a rectangle (x, then y) \[m\].
fn whole(
    field: &FieldDescription,
    map: Option<&Surface>,
    asked: GeneratorChoice,
    setting: TrackSetting,
    rectangle: [[f64; 2]; 2],
) -> Result<Source, FieldError> {
    let step = setting.step;
    // nodes on a rim count as inside in spite of rounding
    let nodes = rectangle.map(|[low, high]| [(low / step - 1e-9).ceil() as i64, (high / step + 1e-9).floor() as i64]);
    let count = nodes.map(|[low, high]| usize::try_from(high - low + 1).unwrap_or(0));
    let first = [nodes[0][0], nodes[1][0]];
    let left = if setting.mirrored { -nodes[0][1] } else { first[0] };
    let problem = |error: super::LatticeError| {
        let message = format!("does not cover the contact: {error}; bring a larger map, or make the contact smaller");
        FieldError::Invalid { problems: vec![crate::Problem::new("file", message)] }
    };
    let grid = Grid::new([left as f64 * step, first[1] as f64 * step], [step; 2], count).map_err(problem)?;
    let realisations = match (field, map) {
        (FieldDescription::File(_), Some(map)) => {
            // a node on the rim may be rounded across it
            let ([left, bottom], [right, top]) = (map.grid().origin(), map.grid().end());
            let clamped = |[x, y]: [f64; 2]| [x.clamp(left, right), y.clamp(bottom, top)];
            let points: Vec<_> = (0..grid.points()).map(|place| clamped(grid.position(place))).collect();
            Realisations::at_points(field, Some(map), asked, &points)?
        }
        _ => Realisations::on_grid(field, map, asked, &grid)?,
    };
    Ok(Source::Whole { realisations: Box::new(realisations), first, count })
}

/// One realisation of a field along a track.
#[derive(Debug, Clone)]
pub struct Track<'a> {
    plan: &'a TrackPlan,
    germ: Germ,
    block: Option<Block>,
}

impl Track<'_> {
    /// A block that holds these columns and rows of nodes, first to last.
    ///
    /// # Errors
    /// If the field is not positive there, or ends before.
    pub fn covering(&mut self, columns: [i64; 2], rows: [i64; 2]) -> Result<&Block, FieldError> {
        let block = match self.block.take() {
            Some(block) if block.covers(columns, rows) => block,
            held => self.made(columns, rows, held.as_ref())?,
        };
        Ok(self.block.insert(block))
    }

    /// The value at a point \[m\].
    ///
    /// # Errors
    /// As [`Track::covering`].
    pub fn at(&mut self, [x, y]: [f64; 2]) -> Result<f64, FieldError> {
        let place = [x, y].map(|x| x / self.plan.setting.step);
        if !place.iter().all(|x| x.abs() < 1e12) {
            let message = format!("x = {x} m, y = {y} m is too far away");
            return Err(FieldError::Generator { message });
        }
        let node = place.map(|x| x.floor() as i64);
        let part = [0, 1].map(|axis| place[axis] - node[axis] as f64);
        let block = self.covering([node[0] - 1, node[0] + 2], [node[1] - 1, node[1] + 2])?;
        let start = block.place(node, [0, 0], [[-1, 2], [-1, 2]])?;
        Ok(block.value(start, [0, 0], &block.taps(part)))
    }

    fn made(&self, columns: [i64; 2], rows: [i64; 2], held: Option<&Block>) -> Result<Block, FieldError> {
        let setting = &self.plan.setting;
        if let Source::Whole { realisations, first, count } = &self.plan.source {
            let block = self.whole(realisations, *first, *count)?;
            if block.covers(columns, rows) {
                return Ok(block);
            }
            let ([left, right], [bottom, top]) = ([columns[0], columns[1]], [rows[0], rows[1]]);
            let [x0, x1, y0, y1] = [left, right, bottom, top].map(|node| node as f64 * setting.step);
            let [a, b] = [block.first[0], block.first[0] + block.count[0] as i64 - 1].map(|n| n as f64 * setting.step);
            let [c, d] = [block.first[1], block.first[1] + block.count[1] as i64 - 1].map(|n| n as f64 * setting.step);
            let message = format!(
                "the contact needs the field over x = {x0:.4} .. {x1:.4} m, y = {y0:.4} .. {y1:.4} m, but it is known over \
                 {a:.4} .. {b:.4} m and {c:.4} .. {d:.4} m only; give a larger `strip_margin`, or a map that covers the way"
            );
            return Err(FieldError::Invalid { problems: vec![crate::Problem::new("strip_margin", message)] });
        }
        // rows: those asked for, with the rims of the setting, and twice what is needed where the rims were not enough
        let rims = setting.rims.map(|rim| rim / setting.step);
        let mut rows = [rows[0].min(rims[0].floor() as i64), rows[1].max(rims[1].ceil() as i64)];
        if let Some(held) = held {
            let top = held.first[1] + held.count[1] as i64 - 1;
            let more = (rows[1] - rows[0]) / 4;
            rows[0] = if rows[0] < held.first[1] { rows[0] - more } else { held.first[1] };
            rows[1] = if rows[1] > top { rows[1] + more } else { top };
        }
        let height = rows[1] - rows[0] + 1;
        let width = columns[1] - columns[0] + 1;
        // the body moves toward smaller x
        let left = (setting.extent[0] / setting.step).floor() as i64 - 4;
        let ahead = (columns[0] - left).clamp(width, (BLOCK / height.max(1)).max(width));
        let columns = [columns[0] - ahead, columns[1] + width / 2 + 2];
        self.endless(columns, rows)
    }

    /// A block of a field without ends.
    fn endless(&self, columns: [i64; 2], rows: [i64; 2]) -> Result<Block, FieldError> {
        let TrackSetting { step, interpolation, mirrored, .. } = self.plan.setting;
        let margin = if interpolation == InterpolationChoice::Cubic { MARGIN as i64 } else { 0 };
        let extra = if matches!(self.plan.source, Source::Separable(..)) && margin > 0 { FORGETTING } else { 0 };
        let rows = [rows[0] - extra, rows[1] + extra];
        let wide = [columns[0] - margin, columns[1] + margin];
        let [width, height] = [wide, rows].map(|[low, high]| usize::try_from(high - low + 1).unwrap_or(0));
        let mut values = vec![0.0; width.saturating_mul(height)];
        match &self.plan.source {
            Source::Constant(value) => values.fill(*value),
            Source::Formula(formula) => {
                let inside = columns[0]..=columns[1];
                for (i, column) in (wide[0]..=wide[1]).zip(values.chunks_exact_mut(height)) {
                    let x = i as f64 * step;
                    let x = if mirrored { -x } else { x };
                    for (j, value) in (rows[0]..=rows[1]).zip(column) {
                        let y = j as f64 * step;
                        *value = formula.at(x, y);
                        let fine = value.is_finite() && (*value > 0.0 || !inside.contains(&i));
                        if !fine {
                            return Err(FieldError::NotPositive { key: "expression".to_owned(), x, y, value: *value });
                        }
                    }
                }
            }
            Source::Separable(generator, marginal) => {
                let first = if mirrored { -wide[1] } else { wide[0] };
                let grid = Grid::new([0.0, rows[0] as f64 * step], [step; 2], [width, height])
                    .map_err(GeneratorError::from)?;
                let plan = generator.on_shifted(&grid, first)?;
                match marginal.as_ref() {
                    Marginal::Lognormal(own) => {
                        let map = Lognormal { location: own.log_mean, scale: own.log_deviation };
                        plan.fill(&self.germ, Purpose::Field(0), &map, &mut values)?;
                    }
                    other => plan.fill(&self.germ, Purpose::Field(0), &|g: f64| other.value(g), &mut values)?,
                }
                if mirrored {
                    reverse_columns(&mut values, height);
                }
            }
            Source::Whole { .. } => {}
        }
        let numbers = match interpolation {
            InterpolationChoice::Cubic => {
                coefficients(&extend_rows(&values, width, height), width, height + 2 * MARGIN)
            }
            InterpolationChoice::Bilinear => values,
        };
        let (first, count) = match interpolation {
            // the prefilter leaves one coefficient more than there are nodes on every side
            InterpolationChoice::Cubic => ([columns[0] - 1, rows[0] - 1], [width - 2 * MARGIN + 2, height + 2]),
            InterpolationChoice::Bilinear => ([columns[0], rows[0]], [width, height]),
        };
        self.block(first, count, &numbers)
    }

    fn whole(&self, realisations: &Realisations, first: [i64; 2], count: [usize; 2]) -> Result<Block, FieldError> {
        let setting = &self.plan.setting;
        let mut values = vec![0.0; realisations.count()];
        realisations.fill(&self.germ, &mut values)?;
        if setting.mirrored {
            reverse_columns(&mut values, count[1]);
        }
        match setting.interpolation {
            InterpolationChoice::Bilinear => self.block(first, count, &values),
            InterpolationChoice::Cubic => {
                let extended = extend(&values, count[0], count[1]);
                let numbers = coefficients(&extended, count[0] + 2 * MARGIN, count[1] + 2 * MARGIN);
                self.block([first[0] - 1, first[1] - 1], count.map(|count| count + 2), &numbers)
            }
        }
    }

    /// Stores numbers with room above every column, after a look at their sign.
    fn block(&self, first: [i64; 2], count: [usize; 2], numbers: &[f64]) -> Result<Block, FieldError> {
        let TrackSetting { step, interpolation, single, .. } = self.plan.setting;
        let [width, height] = count;
        let stride = height + FILL;
        let mut padded = vec![0.0; width * stride];
        for (column, source) in padded.chunks_exact_mut(stride).zip(numbers.chunks_exact(height)) {
            let (inside, above) = column.split_at_mut(height);
            inside.copy_from_slice(source);
            above.fill(source.last().copied().unwrap_or(1.0));
        }
        let positive = padded.iter().all(|number| *number > 0.0);
        let block = Block { first, count, stride, numbers: Numbers::Double(padded), interpolation, step };
        if !positive {
            block.check_between()?;
        }
        Ok(if single { block.rounded() } else { block })
    }
}

impl Block {
    fn rounded(self) -> Self {
        let numbers = match self.numbers {
            Numbers::Double(numbers) => Numbers::Single(numbers.into_iter().map(|x| x as f32).collect()),
            single => single,
        };
        Self { numbers, ..self }
    }

    /// Looks at sixteen points of every cell: a spline may fall below zero between positive values.
    fn check_between(&self) -> Result<(), FieldError> {
        let taps = if self.interpolation == InterpolationChoice::Cubic { 4 } else { 2 };
        for i in 0..self.count[0].saturating_sub(taps - 1) {
            for j in 0..self.count[1].saturating_sub(taps - 1) {
                for part in 0..16 {
                    let part = [part / 4, part % 4].map(|k| f64::from(k) / 4.0);
                    let value = self.value(0, [i, j], &self.taps(part));
                    if value <= 0.0 || value.is_nan() {
                        let shift = if taps == 4 { 1.0 } else { 0.0 };
                        let at = |axis: usize, k: usize| {
                            ((self.first[axis] + k as i64) as f64 + shift + part[axis]) * self.step
                        };
                        return Err(GeneratorError::NotPositive { x: at(0, i), y: at(1, j), value }.into());
                    }
                }
            }
        }
        Ok(())
    }
}

fn reverse_columns(values: &mut [f64], height: usize) {
    values.reverse();
    for column in values.chunks_exact_mut(height.max(1)) {
        column.reverse();
    }
}

/// A field at any point of a rectangle, without a grid of its own.
#[derive(Debug, Clone)]
pub enum ExactField {
    /// The same everywhere.
    Constant(f64),
    /// A formula; whether it is seen in a mirror.
    Formula(FormulaField, bool),
    /// A measured map.
    Map(Box<Surface>, bool),
    /// The white-noise sum of a random field over a rectangle.
    Random {
        /// The Gaussian parent.
        parent: Box<SeparableField>,
        /// Its marginal.
        marginal: Box<Marginal>,
        /// Whether it is seen in a mirror.
        mirrored: bool,
        /// The rectangle \[m\], after the mirror.
        from: [f64; 2],
        /// Its other corner \[m\].
        to: [f64; 2],
    },
}

impl TrackPlan {
    /// The field over a rectangle \[m\] for evaluation at any point.
    ///
    /// # Errors
    /// If the generator knows the field on a grid only.
    pub fn exact(
        &self,
        map: Option<&Surface>,
        germ: &Germ,
        from: [f64; 2],
        to: [f64; 2],
    ) -> Result<ExactField, FieldError> {
        let mirrored = self.setting.mirrored;
        match (&self.source, map) {
            (Source::Constant(value), _) => Ok(ExactField::Constant(*value)),
            (Source::Formula(formula), _) => Ok(ExactField::Formula(formula.clone(), mirrored)),
            (Source::Separable(generator, marginal), _) => {
                let columns = if mirrored { [-to[0], -from[0]] } else { [from[0], to[0]] };
                let parent = generator.over(germ, Purpose::Field(0), [columns[0], from[1]], [columns[1], to[1]])?;
                let (parent, marginal) = (Box::new(parent), marginal.clone());
                Ok(ExactField::Random { parent, marginal, mirrored, from, to })
            }
            (Source::Whole { .. }, Some(map)) => Ok(ExactField::Map(Box::new(map.clone()), mirrored)),
            (Source::Whole { .. }, None) => {
                let message = "this field is known on a grid only, but `quadrature` = \"polar\" needs it at every point; use \
                               \"lattice\", or a correlation with `correlation_exponent` = 2";
                Err(FieldError::Generator { message: message.to_owned() })
            }
        }
    }
}

impl ExactField {
    /// Whether the whole rectangle is known.
    pub fn covers(&self, low: [f64; 2], high: [f64; 2]) -> bool {
        match self {
            ExactField::Random { from, to, .. } => (0..2).all(|axis| low[axis] >= from[axis] && high[axis] <= to[axis]),
            _ => true,
        }
    }

    /// The coefficient at a point \[m\].
    ///
    /// # Errors
    /// If it is not positive, or not known there.
    pub fn at(&self, [x, y]: [f64; 2]) -> Result<f64, FieldError> {
        let seen = |mirrored: bool| if mirrored { -x } else { x };
        match self {
            ExactField::Constant(value) => Ok(*value),
            ExactField::Formula(formula, mirrored) => {
                let x = seen(*mirrored);
                let value = formula.at(x, y);
                let error = || FieldError::NotPositive { key: "expression".to_owned(), x, y, value };
                if value.is_finite() && value > 0.0 { Ok(value) } else { Err(error()) }
            }
            ExactField::Map(map, mirrored) => {
                map.positive_at(seen(*mirrored), y).map(|sample| sample.value).map_err(|error| uncovered(&error))
            }
            ExactField::Random { parent, marginal, mirrored, .. } => {
                Ok(marginal.value(parent.at(seen(*mirrored), y)?.value))
            }
        }
    }
}
