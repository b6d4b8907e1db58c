//! Ctrl-C and termination signals: the first asks the run to stop, the second ends the program.

use crate::failure::STOPPED;
use crate::terminal;
use std::io::{self, IsTerminal};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};
use std::thread;
use std::time::Duration;
use stiction_lab::keep::Home;

static ASKED: AtomicBool = AtomicBool::new(false);
/// Whether something that was finished before the present run is kept, as by a gallery.
static KEPT: AtomicBool = AtomicBool::new(false);
/// Where the items of the present run are kept.
static KEEPER: Mutex<Option<Home>> = Mutex::new(None);

/// A run that has not stopped by then is ended: results are written under their names only when they are whole, so
/// that nothing half-written is left.
const PATIENCE: Duration = Duration::from_millis(700);

/// A file that reaches the limit for its size gives an error when it is written, not a signal that ends the program without
/// a word. To be called before any thread starts: threads inherit it.
pub(crate) fn outlive_file_limit() {
    #[cfg(unix)]
    {
        use nix::sys::signal::{SigSet, Signal};
        // where that fails, the signal ends the program as before
        let _ = SigSet::from(Signal::SIGXFSZ).thread_block();
    }
}

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
        if io::stderr().is_terminal() {
            terminal::say("");
        }
        terminal::say("stopping; Ctrl-C again stops at once");
        thread::spawn(|| {
            thread::sleep(PATIENCE);
            say_stopped();
            process::exit(i32::from(STOPPED));
        });
    };
    // without a handler Ctrl-C still ends the program, only less politely
    if let Err(error) = ctrlc::set_handler(handler) {
        terminal::say(&format!("warning: signals are not handled: {error}"));
    }
}

/// Finished items of the present run are kept here.
pub(crate) fn keep_in(home: &Home) {
    *KEEPER.lock().unwrap_or_else(PoisonError::into_inner) = Some(home.clone());
}

/// Something is finished that an interruption does not undo.
pub(crate) fn has_kept() {
    KEPT.store(true, Ordering::Relaxed);
}

/// Says that the run was stopped, and whether the same command goes on with what is kept on the disk.
pub(crate) fn say_stopped() {
    let items = || KEEPER.lock().unwrap_or_else(PoisonError::into_inner).as_ref().is_some_and(Home::has_items);
    let kept = KEPT.load(Ordering::Relaxed) || items();
    let next = if kept { "goes on with what is kept" } else { "starts it again" };
    terminal::say(&format!("stopped before the run was finished; the same command {next}"));
}

/// Whether the user asked to stop.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
