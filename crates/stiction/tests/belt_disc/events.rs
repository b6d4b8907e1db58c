//! No turning point and no landing of a disc on a belt is missed, however long the steps are.

use stiction::field::Germ;
use stiction::integrate::{Dopri5, Event, Flow, Sink, Span, Stretch, Tolerance, integrate};
use stiction::system::belt_disc::{BeltBalance, BeltMotion, ContactPlan, Mode, State};
use stiction::system::{BeltDisc, Guard};

/// Index of ẋ in a [`State`].
const VX: usize = 2;

/// Looks at many instants of every stretch of slip.
struct Watchful {
    balance: BeltBalance,
    /// Sign of ẋ at the last instant of the present slip.
    sign: Option<f64>,
    reversals: usize,
    turning_points: usize,
    landings: usize,
}

impl Sink<BeltMotion<'_>> for Watchful {
    fn stretch(&mut self, stretch: &Stretch<'_, BeltMotion<'_>>) -> Flow {
        let Mode::Slip { floor, ceiling, .. } = stretch.mode else {
            self.sign = None;
            return Flow::Continue;
        };
        for k in 0..=500 {
            let mut y: State = [0.0; 8];
            (stretch.at)(stretch.from + (stretch.to - stretch.from) * f64::from(k) / 500.0, &mut y);
            // the slip speed stays between the speeds at which the mode ends, up to the error of a located root
            let square = self.balance.lambda_square(&y, &[0.0; 8])[0];
            assert!(square >= floor * (1.0 - 1e-6), "λ² = {square:e} below {floor:e} at {}", stretch.from);
            assert!(square <= ceiling * (1.0 + 1e-6), "λ² = {square:e} above {ceiling:e} at {}", stretch.from);
            if y[VX].abs() > 1e-9 {
                self.reversals += usize::from(self.sign.is_some_and(|sign| sign * y[VX] < 0.0));
                self.sign = Some(y[VX].signum());
            }
        }
        Flow::Continue
    }

    fn event(&mut self, event: &Event<'_, BeltMotion<'_>>) -> Flow {
        self.turning_points += usize::from(event.kind == Guard::Section("turning point"));
        self.landings += usize::from(!event.mode.is_stick() && event.next == Some(Mode::Stick));
        Flow::Continue
    }
}

#[test]
fn every_turning_point_and_every_landing_is_an_event_also_with_long_steps() {
    let (mut turning_points, mut landings) = (0, 0);
    for (seed, belt_speed) in [(1, 0.2), (2, 0.05), (3, 0.4)] {
        let disc = BeltDisc { belt_speed, ..BeltDisc::default() };
        let plan = ContactPlan::new(&disc, None, 60.0).unwrap();
        let motion = BeltMotion::new(&disc, &plan, Germ::new(seed, 0)).unwrap();
        let balance = BeltBalance::of(&disc);
        let mut sink = Watchful { balance, sign: None, reversals: 0, turning_points: 0, landings: 0 };
        // a hundred times coarser than in a study: steps are as long as the motion allows
        let mut method = Dopri5::new(&motion, Tolerance { relative: 1e-3, absolute: 1e-5 });
        integrate(&motion, &mut method, Span::until(60.0), &mut sink).unwrap();
        assert_eq!(sink.turning_points, sink.reversals, "{disc:?}");
        (turning_points, landings) = (turning_points + sink.turning_points, landings + sink.landings);
    }
    assert!(turning_points > 40 && landings > 20, "{turning_points} turning points, {landings} landings");
}
