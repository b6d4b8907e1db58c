//! Which scenario a word means: a built-in one, a file, or stdin.

use crate::failure::Failure;
use crate::progress;
use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::Path;
use stiction_lab::files::open;
use stiction_lab::safe_text::steers;
use stiction_lab::scenario::{DEFAULT_SCENARIO, Source, builtin};

/// A scenario's text and the name of its run.
pub(crate) struct Chosen {
    /// The text, with the name that messages use.
    pub(crate) source: Source,
    /// The name of the run: that of the built-in scenario, or that of the file without its ending.
    pub(crate) name: String,
    /// What to type to mean it again: the name, the file without its folder, or `-`.
    pub(crate) word: String,
}

/// Finds the scenario that is meant; without a word the default one.
pub(crate) fn find(word: Option<&str>) -> Result<Chosen, Failure> {
    let word = word.unwrap_or(DEFAULT_SCENARIO);
    if word == "-" {
        let text = read_text(io::stdin().lock(), "<stdin>")?;
        return Ok(Chosen { source: Source::new("<stdin>", text), name: "stdin".to_owned(), word: word.to_owned() });
    }
    let unknown = match builtin(word) {
        Ok(builtin) => {
            return Ok(Chosen { source: builtin.source(), name: builtin.name.to_owned(), word: word.to_owned() });
        }
        Err(unknown) => unknown,
    };
    progress::phase("reading the scenario");
    let path = Path::new(word);
    if path.is_dir() {
        return Err(Failure::arguments(format!("`{word}` is a folder, not a scenario"), "name a TOML file in it"));
    }
    let file = open(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            let looks_like_file = word.ends_with(".toml") || path.is_absolute() || word.starts_with('.');
            let message = if looks_like_file {
                format!("there is no file `{word}`")
            } else {
                format!("`{word}` is neither a built-in scenario nor a file")
            };
            let hint = match &unknown.nearest[..] {
                [] => {
                    "`stiction list` shows the built-in scenarios; a file is given by its path, for instance ./my.toml"
                        .to_owned()
                }
                nearest => format!(
                    "did you mean {}? `stiction list` shows all; a file is given by its path, for instance ./my.toml",
                    nearest.join(" or ")
                ),
            };
            Failure::arguments(message, hint)
        }
        _ => Failure::arguments(format!("cannot open `{word}`: {error}"), ""),
    })?;
    let text = read_text(file, word)?;
    let spoken = |part: Option<&OsStr>| part.map_or("scenario".to_owned(), |part| part.to_string_lossy().into_owned());
    let name = folder_name(&spoken(path.file_stem()));
    Ok(Chosen { source: Source::new(word, text), name, word: spoken(path.file_name()) })
}

/// A name as that of a folder inside another: `..` (of a file called `...toml`) would be the one above it.
fn folder_name(name: &str) -> String {
    let safe = |sign: char| if steers(sign) || "/\\:".contains(sign) { '_' } else { sign };
    let hidden = name.chars().take_while(|sign| *sign == '.').count();
    std::iter::repeat_n('_', hidden).chain(name.chars().skip(hidden).map(safe)).collect()
}

/// The text of a TOML file.
pub(crate) fn text(path: &Path) -> Result<String, Failure> {
    let name = path.to_string_lossy();
    let file = open(path).map_err(|error| Failure::arguments(format!("cannot open `{name}`: {error}"), ""))?;
    read_text(file, &name)
}

/// A larger file is no scenario, but something given by mistake.
const LARGEST: u64 = 16 << 20;

fn read_text(reader: impl Read, name: &str) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    reader
        .take(LARGEST + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::arguments(format!("cannot read `{name}`: {error}"), ""))?;
    if bytes.len() as u64 > LARGEST {
        return Err(Failure::arguments(
            format!("`{name}` is larger than any scenario"),
            "a scenario is a short TOML text",
        ));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = error.as_bytes().iter().take(valid).filter(|&&byte| byte == b'\n').count() + 1;
        Failure::arguments(
            format!("`{name}` is not UTF-8 text: line {line} has a byte that is no character"),
            "a scenario is a TOML text",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::folder_name;

    #[test]
    fn the_name_of_a_run_stays_inside_its_folder() {
        let names = ["..", ".", "my run", ".hidden", "a\nb", "c:\\d", "λ.2"].map(folder_name);
        assert_eq!(names, ["__", "_", "my run", "_hidden", "a_b", "c__d", "λ.2"]);
    }
}
