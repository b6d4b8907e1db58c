//! A first run: a block on a moving surface, held by a spring. `cargo run -p stiction --example first_run`.

use std::error::Error;
use stiction::integrate::{Solver, Span};
use stiction::law::{Coulomb, Law};
use stiction::record::{Cycles, Events, Motion, Moving};
use stiction::system::SpringBlock;

pub(crate) fn report() -> Result<String, Box<dyn Error>> {
    let law = Law::Coulomb(Coulomb { static_coefficient: 0.5, kinetic_coefficient: 0.45 });
    // 10 kg on a spring of 30 N/m, pulled by a surface with 0.2 m/s
    let block = SpringBlock { normal_load: 98.1, ..SpringBlock::new(10.0, 30.0, 0.2, law) };
    let motion = Moving::of(block);
    let mut seen = (Events::of(&motion), Cycles::of(&motion, 0));
    // slips of this law are known in closed form; `integrated` solves the equations of motion all the same
    motion.follow(&Solver::default().integrated(), Span::until(100.0), None, &mut seen)?;
    let (events, cycles) = seen;
    let mut report = String::new();
    for change in events.changes.iter().take(4) {
        report += &format!("{:9.6} s: {} to {}, x = {:.6} m\n", change.time, change.from, change.to, change.columns[0]);
    }
    let last = cycles.cycles.last().ok_or("the block does not stick and slip")?;
    report += &format!("{} cycles; the last one: period {:.9} s, ", cycles.cycles.len(), last.period());
    report += &format!("x from {:.6} to {:.6} m\n", last.min[0], last.max[0]);
    Ok(report + &format!("stuck {:.4} of the time", events.stick_shares()[0]))
}

fn main() -> Result<(), Box<dyn Error>> {
    report().map(|report| println!("{report}"))
}
