//! stdout for data, stderr for talk, colours only where a person sees them.

use std::env;
use std::io::{self, IsTerminal, Write};
use stiction_lab::plain;
use stiction_lab::scenario::Paint;

/// Writes data to stdout; nothing in it steers a terminal. A reader that has closed its end of the pipe has seen enough: the command goes on, and its exit
/// code says what became of it.
pub(crate) fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(plain::lines(text).as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Says something on stderr, in one line: what others wrote into it can neither steer the terminal nor make a line of its own.
pub(crate) fn say(text: &str) {
    say_rendered(&plain::line(text));
}

/// Says something of several lines whose parts are safe already. Nobody can be told if that fails.
pub(crate) fn say_rendered(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Says what went wrong and what would help.
pub(crate) fn say_error(message: &str, hint: &str) {
    let (red, end) = match paint() {
        Paint::Plain => ("", ""),
        Paint::Colour => ("\x1b[1;31m", "\x1b[0m"),
    };
    say_rendered(&format!("{red}error{end}: {}", plain::line(message)));
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
