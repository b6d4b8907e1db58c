//! The Filippov automaton on a system of one's own: a relay that chatters to rest, and one that slides.
//!
//! ```text
//! twisting:  x'' = −2 sign(x) − sign(x')     infinitely many switches in finite time: (1/3 + 1/√3)/(1 − 1/√3) after x' = −1
//! sliding:   x'' = −x' − sign(x' + x)        lands on x' = −x and slides to rest there
//! ```
//!
//! Run with `cargo run -p stiction --example relay`.

use std::error::Error;
use stiction::integrate::{Dop853, Event, Flow, Sink, Span, Stop, Tolerance, integrate};
use stiction::system::filippov::{Automaton, AutomatonEvent, Filippov, Side, Signs};

/// State: x, x', time.
struct Twisting;

impl Filippov for Twisting {
    type State = [f64; 3];
    const DIMENSION: usize = 2;
    const SIGNS: usize = 1;

    fn zero(&self) -> [f64; 3] {
        [0.0; 3]
    }
    fn switching(&self, y: &[f64; 3]) -> f64 {
        y[0]
    }
    fn gradient(&self, _y: &[f64; 3], gradient: &mut [f64; 3]) {
        *gradient = [1.0, 0.0, 0.0];
    }
    fn field(&self, side: Side, signs: Signs, y: &[f64; 3], slope: &mut [f64; 3]) {
        *slope = [y[1], -2.0 * side.sign() - signs.sign(0), 1.0];
    }
    fn sign_function(&self, _index: usize, y: &[f64; 3]) -> f64 {
        y[1]
    }
}

/// State: x, x', time.
struct Sliding;

impl Filippov for Sliding {
    type State = [f64; 3];
    const DIMENSION: usize = 2;

    fn zero(&self) -> [f64; 3] {
        [0.0; 3]
    }
    fn switching(&self, y: &[f64; 3]) -> f64 {
        y[1] + y[0]
    }
    fn gradient(&self, _y: &[f64; 3], gradient: &mut [f64; 3]) {
        *gradient = [1.0, 1.0, 0.0];
    }
    fn field(&self, side: Side, _signs: Signs, y: &[f64; 3], slope: &mut [f64; 3]) {
        *slope = [y[1], -y[1] - side.sign(), 1.0];
    }
}

/// Writes down the first events.
struct Notes<'a, F: Filippov> {
    automaton: &'a Automaton<'a, F>,
    lines: Vec<String>,
}

impl<'a, F: Filippov<State = [f64; 3]>> Sink<Automaton<'a, F>> for Notes<'_, F> {
    fn event(&mut self, event: &Event<'_, Automaton<'a, F>>) -> Flow {
        let kind = self.automaton.kind(event.mode, event.guard, event.next, event.after);
        if kind != AutomatonEvent::Internal && self.lines.len() < 8 {
            let [x, v, t] = *event.after;
            self.lines.push(format!("  t = {t:12.9}  x = {x:12.9}  x' = {v:12.9}  {kind:?}\n"));
        }
        Flow::Continue
    }
}

fn follow<F: Filippov<State = [f64; 3]>>(model: &F, start: [f64; 3], end: f64) -> Result<String, Box<dyn Error>> {
    let automaton = Automaton::at(model, start).ok_or("the start is not determined")?.until(2, end);
    let mut method = Dop853::new(&automaton, Tolerance::default());
    let mut notes = Notes { automaton: &automaton, lines: Vec::new() };
    let finish = integrate(&automaton, &mut method, Span::until(1e3), &mut notes)?;
    if let Stop::Accumulation { error, .. } = finish.stop {
        notes.lines.push(format!("  infinitely many switches until {:.9} (error below {error:.1e})\n", finish.time));
    }
    Ok(notes.lines.concat())
}

pub(crate) fn report() -> Result<String, Box<dyn Error>> {
    let end = (1.0 / 3.0 + 1.0 / 3f64.sqrt()) / (1.0 - 1.0 / 3f64.sqrt());
    let twisting = follow(&Twisting, [0.0, -1.0, 0.0], 10.0)?;
    let sliding = follow(&Sliding, [1.0, 1.0, 0.0], 6.0)?;
    Ok(format!("twisting, exact end {end:.9}:\n{twisting}sliding:\n{sliding}"))
}

fn main() -> Result<(), Box<dyn Error>> {
    report().map(|report| print!("{report}"))
}
