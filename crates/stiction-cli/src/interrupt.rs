//! Ctrl-C and termination signals: the first asks the run to stop, the second ends the program.

use crate::failure::STOPPED;
use crate::terminal;
use std::io::{self, IsTerminal};
use std::process;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

static ASKED: AtomicBool = AtomicBool::new(false);

/// A run that has not stopped by then is ended: results are written under their names only when they are whole, so
/// that nothing half-written is left.
const PATIENCE: Duration = Duration::from_millis(700);

/// Begins to listen for signals, unless that is so already.
pub(crate) fn listen() {
    static LISTENING: Once = Once::new();
    LISTENING.call_once(set_handler);
}

fn set_handler() {
    let handler = || {
        if ASKED.swap(true, Ordering::SeqCst) {
            process::exit(i32::from(STOPPED));
        }
        // a terminal shows `^C` in the line of the bar
        let line_end = if io::stderr().is_terminal() { "\n" } else { "" };
        terminal::say(&format!("{line_end}stopping; Ctrl-C again stops at once"));
        thread::spawn(|| {
            thread::sleep(PATIENCE);
            terminal::say("stopped before the run was finished; what was finished of a long study is kept");
            process::exit(i32::from(STOPPED));
        });
    };
    // without a handler Ctrl-C still ends the program, only less politely
    if let Err(error) = ctrlc::set_handler(handler) {
        terminal::say(&format!("warning: signals are not handled: {error}"));
    }
}

/// Whether the user asked to stop.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
