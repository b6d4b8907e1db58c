//! A field under a body that moves over it: what its interpolation needs, column by column, on nodes at the multiples of one step.
//!
//! Given formulas and random fields with a Gaussian parent are made in blocks where the body is, as long as the track may be;
//! so are maps of a loop; all others are made once for the whole track, and leaving it is an error. Values belong to the germ and the place alone.

mod averages;
mod block;
mod exact;

pub use block::{Block, Numbers, Taps};
pub(crate) use exact::ExactField;

use super::generator::{GeneratorError, Lognormal, PointMap, Separable};
use super::interpolation::{MARGIN, coefficients, extend, extend_rows};
use super::{
    Domain, FieldDescription, FieldError, FormulaField, GeneratorChoice, GeneratorKind, Germ, Grid,
    InterpolationChoice, Marginal, RandomField, Realisations, Surface,
};
use averages::Averages;

/// Rows beyond those asked for that a random field is made on: the spline forgets its end like 0.27ᵏ.
const FORGETTING: i64 = 10;

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
    /// A random field with a Gaussian parent is averaged over so many parts of a step along x and y; 1: it is taken as it is.
    pub parts: usize,
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

impl TrackSetting {
    /// Whether a random field is made in blocks where the body is, which can hold local averages.
    ///
    /// # Errors
    /// [`FieldError`]: the field cannot be made at all.
    pub(crate) fn is_streamed(&self, random: &RandomField, asked: GeneratorChoice) -> Result<bool, FieldError> {
        let Self { step, extent, rims, .. } = *self;
        let sides = [extent[1] - extent[0], rims[1] - rims[0]];
        let decision = random.generator(asked, Domain::Grid { sides, step })?;
        Ok(decision.kind == GeneratorKind::Separable)
    }
}

#[derive(Debug, Clone)]
enum Source {
    Constant(f64),
    Formula(FormulaField),
    /// A measured map that repeats along x.
    Loop(Box<Surface>),
    Separable(Separable, Box<Marginal>),
    /// Made on the nodes of a grid, which starts at the node `first`.
    Whole {
        realisations: Box<Realisations>,
        first: [i64; 2],
        count: [usize; 2],
        /// How far a measured map reaches along x and y \[m\].
        map: Option<[[f64; 2]; 2]>,
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
        Self::unless(&|| false, field, map, asked, setting)
    }

    /// The same unless `stop` says so: the generator of a long track takes many seconds.
    ///
    /// # Errors
    /// As [`TrackPlan::new`], and if it was stopped.
    pub(crate) fn unless(
        stop: &dyn Fn() -> bool,
        field: &FieldDescription,
        map: Option<&Surface>,
        asked: GeneratorChoice,
        setting: TrackSetting,
    ) -> Result<Self, FieldError> {
        let TrackSetting { extent, rims, mirrored, .. } = setting;
        let source = match field {
            FieldDescription::Constant(value) => Source::Constant(*value),
            FieldDescription::Expression(formula) => Source::Formula(formula.clone()),
            FieldDescription::Random(random) => {
                if setting.is_streamed(random, asked)? {
                    let (parent, _) = random.for_sampling()?;
                    Source::Separable(random.separable(&parent)?, Box::new(random.marginal.clone()))
                } else {
                    whole(stop, field, map, asked, setting, [extent, rims])?
                }
            }
            FieldDescription::File(_) => {
                let Some(map) = map else {
                    return Err(FieldError::Generator { message: "the measured map was not read".to_owned() });
                };
                if map.period().is_some() {
                    return Ok(Self { source: Source::Loop(Box::new(map.clone())), setting });
                }
                let ([left, bottom], [right, top]) = (map.grid().origin(), map.grid().end());
                let columns = if mirrored { [-right, -left] } else { [left, right] };
                // the map ends where it ends: what is asked for must be inside
                let inside = |asked: [f64; 2], own: [f64; 2]| [asked[0].max(own[0]), asked[1].min(own[1])];
                whole(stop, field, Some(map), asked, setting, [inside(extent, columns), inside(rims, [bottom, top])])?
            }
        };
        Ok(Self { source, setting })
    }

    /// The setting.
    pub(crate) fn setting(&self) -> &TrackSetting {
        &self.setting
    }

    /// The track of one realisation; nothing is made until it is asked for.
    pub fn track(&self, germ: Germ) -> Track<'_> {
        Track { plan: self, germ, block: None }
    }
}

/// A source on the nodes inside a rectangle (x, then y) \[m\].
fn whole(
    stop: &dyn Fn() -> bool,
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
        let message = format!("does not cover the contact: {error}; bring a larger map, or move it below the contact");
        FieldError::Invalid { problems: vec![crate::Problem::new("file", message)] }
    };
    let grid = Grid::new([left as f64 * step, first[1] as f64 * step], [step; 2], count).map_err(problem)?;
    let realisations = match (field, map) {
        (FieldDescription::File(_), Some(map)) => {
            // a node on the rim may be rounded across it
            let ([left, bottom], [right, top]) = (map.grid().origin(), map.grid().end());
            let clamped = |[x, y]: [f64; 2]| [x.clamp(left, right), y.clamp(bottom, top)];
            let points: Vec<_> = (0..grid.points()).map(|place| clamped(grid.position(place))).collect();
            Realisations::at_points(&|| false, field, Some(map), asked, &points)?
        }
        _ => Realisations::on_grid_unless(stop, field, map, asked, &grid)?,
    };
    let map = map.map(|map| {
        let ([left, bottom], [right, top]) = (map.grid().origin(), map.grid().end());
        [[left, right], [bottom, top]]
    });
    Ok(Source::Whole { realisations: Box::new(realisations), first, count, map })
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
    pub(crate) fn at(&mut self, [x, y]: [f64; 2]) -> Result<f64, FieldError> {
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
        if let Source::Whole { realisations, first, count, map } = &self.plan.source {
            let block = self.whole(realisations, *first, *count)?;
            if block.covers(columns, rows) {
                return Ok(block);
            }
            return Err(self.left(columns, rows, &block, *map));
        }
        let wanted = rows;
        // rows: those asked for, with the rims of the setting, and twice what is needed where the rims were not enough
        let rims = setting.rims.map(|rim| rim / setting.step);
        // rims that are very far away would make every block large: only some of the rows beside those asked for are made at first
        let most = 8 * (rows[1] - rows[0] + 1);
        let rims = [(rims[0].floor() as i64).max(rows[0] - most), (rims[1].ceil() as i64).min(rows[1] + most)];
        let mut rows = [rows[0].min(rims[0]), rows[1].max(rims[1])];
        if let Some(held) = held {
            let top = held.first[1] + held.count[1] as i64 - 1;
            let more = (rows[1] - rows[0]) / 4;
            rows[0] = if rows[0] < held.first[1] { rows[0] - more } else { held.first[1] };
            rows[1] = if rows[1] > top { rows[1] + more } else { top };
        }
        let asked = columns;
        if let Source::Loop(map) = &self.plan.source {
            let ends = [map.grid().origin()[1], map.grid().end()[1]].map(|end| end / setting.step);
            rows = [rows[0].max((ends[0] - 1e-9).ceil() as i64), rows[1].min((ends[1] + 1e-9).floor() as i64)];
        }
        let height = rows[1] - rows[0] + 1;
        let width = columns[1] - columns[0] + 1;
        // the body moves toward smaller x
        let left = ((setting.extent[0] / setting.step).floor() as i64).saturating_sub(4);
        let ahead = columns[0].saturating_sub(left).clamp(width, (BLOCK / height.max(1)).max(width));
        let columns = [columns[0] - ahead, columns[1] + width / 2 + 2];
        let block = self.endless(columns, rows)?;
        match &self.plan.source {
            Source::Loop(map) if !block.covers(asked, wanted) => {
                let across = [map.grid().origin()[1], map.grid().end()[1]];
                Err(self.left(asked, wanted, &block, Some([[f64::NEG_INFINITY, f64::INFINITY], across])))
            }
            _ => Ok(block),
        }
    }

    /// The contact leaves the field that is known.
    fn left(&self, columns: [i64; 2], rows: [i64; 2], block: &Block, map: Option<[[f64; 2]; 2]>) -> FieldError {
        let TrackSetting { step, mirrored, extent, .. } = self.plan.setting;
        let along = |[low, high]: [f64; 2]| if mirrored { [-high, -low] } else { [low, high] };
        let last = |axis: usize| block.first[axis] + block.count[axis] as i64 - 1;
        let metres = |nodes: [i64; 2]| nodes.map(|node| node as f64 * step);
        let ([x0, x1], [y0, y1]) = (along(metres(columns)), metres(rows));
        let own = [along(metres([block.first[0], last(0)])), metres([block.first[1], last(1)])];
        let [[a, b], [c, d]] = map.unwrap_or(own);
        let [from, to] = along(extent);
        let needs = format!("the contact needs the field over x = {x0:.4} .. {x1:.4} m, y = {y0:.4} .. {y1:.4} m");
        let (key, message) = if map.is_none() {
            let known = format!("it is known over {a:.4} .. {b:.4} m and {c:.4} .. {d:.4} m only");
            ("strip_margin", format!("{needs}, but {known}; give a larger `strip_margin`"))
        } else if x0 < a || x1 > b {
            let whole = format!("the whole run needs about x = {from:.4} .. {to:.4} m");
            let remedy =
                "bring a larger map, choose a shorter `duration`, or set `periodic` = true if the belt is a loop";
            (
                "file",
                format!("{needs}, but the map ends: it reaches over x = {a:.4} .. {b:.4} m, and {whole}; {remedy}"),
            )
        } else {
            let remedy = "bring a wider map, or move it below the contact";
            ("file", format!("{needs}, but the map is too narrow: it reaches over y = {c:.4} .. {d:.4} m; {remedy}"))
        };
        FieldError::Invalid { problems: vec![crate::Problem::new(key, message)] }
    }

    /// A block of a field without ends.
    fn endless(&self, columns: [i64; 2], rows: [i64; 2]) -> Result<Block, FieldError> {
        let TrackSetting { step, parts, interpolation, mirrored, .. } = self.plan.setting;
        // local averages are the coefficients themselves
        let filtered = interpolation == InterpolationChoice::Cubic && parts == 1;
        let margin = if filtered { MARGIN as i64 } else { 0 };
        let extra = if matches!(self.plan.source, Source::Separable(..)) && filtered { FORGETTING } else { 0 };
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
            Source::Loop(map) => {
                let ([_, bottom], [_, top]) = (map.grid().origin(), map.grid().end());
                for (i, column) in (wide[0]..=wide[1]).zip(values.chunks_exact_mut(height)) {
                    let x = i as f64 * step;
                    for (j, value) in (rows[0]..=rows[1]).zip(column) {
                        // a node on the rim may be rounded across it
                        let y = (j as f64 * step).clamp(bottom, top);
                        *value = map.positive_at(if mirrored { -x } else { x }, y)?.value;
                    }
                }
            }
            Source::Separable(generator, marginal) => {
                let first = if mirrored { -wide[1] } else { wide[0] };
                let place = ([first, rows[0]], [width, height]);
                match marginal.as_ref() {
                    Marginal::Lognormal(own) => {
                        let map = Lognormal { location: own.log_mean, scale: own.log_deviation };
                        self.random(generator, &map, place, &mut values)?;
                    }
                    other => self.random(generator, &|g: f64| other.value(g), place, &mut values)?,
                }
                if mirrored {
                    reverse_columns(&mut values, height);
                }
            }
            Source::Whole { .. } => {}
        }
        if !filtered {
            return Block::of(&self.plan.setting, [wide[0], rows[0]], [width, height], &values);
        }
        let numbers = coefficients(&extend_rows(&values, width, height), width, height + 2 * MARGIN);
        // the prefilter leaves one coefficient more than there are nodes on every side
        let (first, count) = ([columns[0] - 1, rows[0] - 1], [width - 2 * MARGIN + 2, height + 2]);
        Block::of(&self.plan.setting, first, count, &numbers)
    }

    /// A random field on the nodes from `place` on, or its local averages.
    fn random(
        &self,
        generator: &Separable,
        map: &impl PointMap,
        place: ([i64; 2], [usize; 2]),
        values: &mut [f64],
    ) -> Result<(), GeneratorError> {
        let TrackSetting { step, parts, .. } = self.plan.setting;
        if parts > 1 {
            return Averages { parts, step }.fill((generator, map), &self.germ, place, values);
        }
        let ([left, bottom], count) = place;
        let grid = Grid::new([0.0, bottom as f64 * step], [step; 2], count)?;
        generator.on_shifted(&grid, left)?.fill(&self.germ, map, values)
    }

    fn whole(&self, realisations: &Realisations, first: [i64; 2], count: [usize; 2]) -> Result<Block, FieldError> {
        let setting = &self.plan.setting;
        let mut values = vec![0.0; realisations.count()];
        realisations.fill(&self.germ, &mut values)?;
        if setting.mirrored {
            reverse_columns(&mut values, count[1]);
        }
        match setting.interpolation {
            InterpolationChoice::Bilinear => Block::of(&self.plan.setting, first, count, &values),
            InterpolationChoice::Cubic => {
                let extended = extend(&values, count[0], count[1]);
                let numbers = coefficients(&extended, count[0] + 2 * MARGIN, count[1] + 2 * MARGIN);
                Block::of(&self.plan.setting, [first[0] - 1, first[1] - 1], count.map(|count| count + 2), &numbers)
            }
        }
    }
}

fn reverse_columns(values: &mut [f64], height: usize) {
    values.reverse();
    for column in values.chunks_exact_mut(height.max(1)) {
        column.reverse();
    }
}
