//! The sink of a run: extremes in a window, samples, stick episodes, and whether the contact leaves the lower disc.

use super::stick_slip::Episodes;
use super::window::Window;
use crate::integrate::{Flow, Sink, Stretch};
use crate::system::Sections;
use crate::system::two_disc::{Discs, LEADING, LOWER_X, LOWER_Y, RATES, UPPER_ROTATION, UPPER_X, UPPER_Y};

/// Place of dΘ/dt in a state.
const ROTATION_RATE: usize = RATES + UPPER_ROTATION;

/// A coordinate further out than so many radii of the lower disc means that the run has no bound.
const UNBOUNDED: f64 = 1e3;

/// Watches a run. Only the leading coordinates are read.
pub(crate) struct Watch<'a> {
    discs: &'a Discs,
    pub(crate) rotation: Window,
    pub(crate) translation: Window,
    pub(crate) episodes: Option<Episodes>,
    sample_times: &'a [f64],
    pub(crate) samples: Vec<[f64; 13]>,
    /// Largest distance of a cell from the centre of the lower disc so far \[m\].
    pub(crate) reach: f64,
    /// When a cell left the lower disc \[s\].
    pub(crate) left_disc_at: Option<f64>,
    pub(crate) is_unbounded: bool,
    begin: Vec<f64>,
    end: Vec<f64>,
    scratch: Vec<f64>,
    begin_at: Option<f64>,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(
        discs: &'a Discs,
        (from, to): (f64, f64),
        episodes: Option<Episodes>,
        sample_times: &'a [f64],
    ) -> Self {
        Self {
            discs,
            rotation: Window::new(from, to),
            translation: Window::new(from, to),
            episodes,
            sample_times,
            samples: Vec::with_capacity(sample_times.len()),
            reach: 0.0,
            left_disc_at: None,
            is_unbounded: false,
            begin: vec![0.0; LEADING],
            end: vec![0.0; LEADING],
            scratch: vec![0.0; LEADING],
            begin_at: None,
        }
    }

    /// Extremes of Θ and of the distance between the centres from `from` to `to`, whose states are `begin` and `end`.
    fn extremes(&mut self, stretch: &Stretch<'_, Discs>, (from, to): (f64, f64)) {
        let distance = |y: &[f64]| {
            let (dx, dy) = (y[UPPER_X] - y[LOWER_X], y[UPPER_Y] - y[LOWER_Y]);
            (dx * dx + dy * dy).sqrt()
        };
        for (time, y) in [(from, &self.begin), (to, &self.end)] {
            self.rotation.add(time, y[UPPER_ROTATION]);
            self.translation.add(time, distance(y));
        }
        // the velocity along the cubic through both ends: its roots are where Θ turns
        let step = to - from;
        let (v0, v1) = (self.begin[ROTATION_RATE], self.end[ROTATION_RATE]);
        let mean = (self.end[UPPER_ROTATION] - self.begin[UPPER_ROTATION]) / step;
        let (a, b, c) = (3.0 * (v0 + v1 - 2.0 * mean), 6.0 * mean - 4.0 * v0 - 2.0 * v1, v0);
        let discriminant = b * b - 4.0 * a * c;
        if discriminant < 0.0 {
            return;
        }
        let far = -0.5 * (b + if b < 0.0 { -discriminant.sqrt() } else { discriminant.sqrt() });
        for u in [far / a, c / far] {
            if u > 0.0 && u < 1.0 {
                let time = from + u * step;
                (stretch.at)(time, &mut self.scratch);
                self.rotation.add(time, self.scratch[UPPER_ROTATION]);
                // falling velocity: a peak
                if 2.0 * a * u + b < 0.0 {
                    self.rotation.peak(time, self.scratch[UPPER_ROTATION]);
                }
            }
        }
    }
}

impl Sink<Discs> for Watch<'_> {
    const SECTIONS: Sections = Sections::NONE;

    fn stretch(&mut self, stretch: &Stretch<'_, Discs>) -> Flow {
        if self.begin_at.is_none() {
            (stretch.at)(stretch.from, &mut self.begin);
            self.begin_at = Some(stretch.from);
        }
        let (mut from, from_step) = (stretch.from, stretch.from);
        // the window and its pieces cut the step
        let [first, second, third, last] = self.rotation.ends();
        for cut in [self.rotation.from, first, second, third, last] {
            if cut > from_step && cut < stretch.to {
                (stretch.at)(cut, &mut self.end);
                if from >= self.rotation.from && from < self.rotation.to {
                    self.extremes(stretch, (from, cut));
                }
                std::mem::swap(&mut self.begin, &mut self.end);
                from = cut;
            }
        }
        (stretch.at)(stretch.to, &mut self.end);
        if from >= self.rotation.from && from < self.rotation.to {
            self.extremes(stretch, (from, stretch.to));
        }
        std::mem::swap(&mut self.begin, &mut self.end);

        while let Some(&time) = self.sample_times.get(self.samples.len()) {
            if time > stretch.to {
                break;
            }
            (stretch.at)(time.max(stretch.from), &mut self.scratch);
            self.samples.push(std::array::from_fn(|i| self.scratch[i]));
        }
        if let Some(episodes) = &mut self.episodes {
            while episodes.next_instant() <= stretch.to {
                (stretch.at)(episodes.next_instant().max(stretch.from), &mut self.scratch);
                episodes.sample(self.discs.relative_spin(&self.scratch));
            }
        }
        self.reach = self.discs.reach(&self.begin, self.reach);
        if self.reach > self.discs.lower_radius() && self.left_disc_at.is_none() {
            self.left_disc_at = Some(stretch.to);
        }
        // displacements in radii of the lower disc, rotations in radians
        let length = self.discs.lower_radius();
        let sizes = [length, length, 1.0, length, length, 1.0];
        if self.begin.iter().zip(sizes).any(|(q, size)| q.abs() > UNBOUNDED * size) {
            self.is_unbounded = true;
            return Flow::Stop;
        }
        Flow::Continue
    }
}
