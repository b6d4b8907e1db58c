//! stdout for data, stderr for talk, colours only where a person sees them.

use std::env;
use std::ffi::OsStr;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use stiction_lab::safe_text;
use stiction_lab::scenario::Paint;

/// Whether the last line of stderr is a status that the next words replace.
static HAS_STATUS: AtomicBool = AtomicBool::new(false);

/// Fewest columns for a status in one line; on narrower terminals it is said in plain lines.
const NARROWEST: u16 = 40;

/// Writes data to stdout; nothing in it steers a terminal. A reader that has closed its end of the pipe has seen enough: the
/// command goes on, and its exit code says what became of it.
pub(crate) fn print(text: &str) -> io::Result<()> {
    clear_status();
    let mut out = io::stdout().lock();
    match out.write_all(safe_text::lines(text).as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Says something on stderr, in one line: what others wrote into it can neither steer the terminal nor make a line of its own.
pub(crate) fn say(text: &str) {
    say_rendered(&safe_text::line(text));
}

/// Says something of several lines whose parts are safe already. Nobody can be told if that fails.
pub(crate) fn say_rendered(text: &str) {
    let mut err = io::stderr().lock();
    let _ = writeln!(err, "{}{text}", status_end());
}

/// Columns for a status that is redrawn in place; none where plain lines are said instead: not on a terminal, or on one that is
/// narrow or cannot redraw.
pub(crate) fn status_width() -> Option<usize> {
    let (_, columns) = console::Term::stderr().size_checked().filter(|_| io::stderr().is_terminal())?;
    width_on(env::var_os("TERM").as_deref(), columns)
}

/// Columns for a status on a terminal of this kind with this many columns.
fn width_on(kind: Option<&OsStr>, columns: u16) -> Option<usize> {
    let capable = kind.map_or(cfg!(windows), |kind| kind != "dumb" && !kind.is_empty());
    // a character in the last column would wrap on some terminals
    (capable && columns >= NARROWEST).then(|| usize::from(columns) - 1)
}

/// Shows a status in place of the one before; the text fits into the width.
pub(crate) fn show_status(text: &str) {
    let mut err = io::stderr().lock();
    let _ = write!(err, "\r\x1b[2K{}", safe_text::line(text));
    let _ = err.flush();
    HAS_STATUS.store(true, Ordering::Relaxed);
}

/// Takes the status away.
pub(crate) fn clear_status() {
    let mut err = io::stderr().lock();
    let _ = write!(err, "{}", status_end());
}

/// What ends a status, if there is one. The caller holds the lock of stderr.
fn status_end() -> &'static str {
    if HAS_STATUS.swap(false, Ordering::Relaxed) { "\r\x1b[2K" } else { "" }
}

/// Says what went wrong and what would help.
pub(crate) fn say_error(message: &str, hint: &str) {
    let (red, end) = match paint() {
        Paint::Plain => ("", ""),
        Paint::Colour => ("\x1b[1;31m", "\x1b[0m"),
    };
    say_rendered(&format!("{red}error{end}: {}", safe_text::line(message)));
    if !hint.is_empty() {
        say(&format!("hint: {hint}"));
    }
}

/// Whether talk is coloured: on a terminal that can, unless `NO_COLOR` is set.
pub(crate) fn paint() -> Paint {
    let refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = env::var_os("TERM").is_some_and(|value| value == "dumb");
    if io::stderr().is_terminal() && !refused && !dumb { Paint::Colour } else { Paint::Plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_that_is_dumb_unknown_or_narrow_gets_plain_lines() {
        let width = |kind: &str, columns: u16| width_on(Some(OsStr::new(kind)), columns);
        assert_eq!(width("xterm-256color", 80), Some(79));
        assert_eq!((width("dumb", 80), width("", 80), width("xterm", 20), width("xterm", 0)), (None, None, None, None));
        assert_eq!(width_on(None, 80).is_some(), cfg!(windows));
    }
}
