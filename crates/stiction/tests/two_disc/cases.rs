//! Motions that are compared with those of another solver: faces of six cells and point contacts.

use stiction::system::two_disc::{Discs, IntervalField, TwoDisc};

/// Times at which the coordinates are compared \[s\].
pub(crate) const TIMES: [f64; 4] = [0.25, 0.5, 1.0, 2.0];

pub(crate) const CASES: [Case; 4] = [
    Case { radius: 0.1, field: false },
    Case { radius: 0.1, field: true },
    Case { radius: 0.0, field: false },
    Case { radius: 0.0, field: true },
];

/// A contact of this radius \[m\], uniform or with a realisation of the field.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Case {
    radius: f64,
    field: bool,
}

impl Case {
    pub(crate) fn system(self) -> Discs {
        let field = self.field.then(IntervalField::default);
        let mut discs = TwoDisc { field, ..TwoDisc::new(20.0, 1.0) };
        discs.contact.radius = self.radius;
        discs.contact.rings = 1;
        discs.realisation(3, 0).unwrap()
    }
}
