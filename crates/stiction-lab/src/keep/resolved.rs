//! What was asked, as a file that runs again to the same bytes.

use super::input::{InputFile, hexadecimal, inputs_of};
use sha2::{Digest, Sha256};
use std::borrow::Cow;

/// A scenario with every default filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    /// The TOML text; read again, it gives the identical scenario.
    pub text: String,
    /// SHA-256 of the text in hexadecimal, with the contents of input files in place of their paths: two runs with the same
    /// hash were asked the same.
    pub hash: String,
    /// The files that it reads, as they were when they were hashed.
    pub inputs: Vec<InputFile>,
}

const FILE_HEAD: &str =
    "# Every value of this run, defaults included.\n# Run it again with: stiction run scenario.toml\n\n";

impl Resolved {
    /// A resolved scenario by its text.
    pub fn of(text: String) -> Self {
        let inputs = inputs_of(&text);
        let quoted = |word: &str| toml::Value::String(word.to_owned()).to_string();
        let by_contents = inputs.iter().fold(Cow::Borrowed(&text), |text, input| {
            Cow::Owned(text.replace(&quoted(&input.file), &quoted(&input.sha256)))
        });
        let hash = hexadecimal(&Sha256::digest(by_contents.as_bytes()));
        Self { text, hash, inputs }
    }

    /// A resolved scenario by the text of its file.
    pub(crate) fn of_file(text: &str) -> Self {
        Self::of(text.strip_prefix(FILE_HEAD).unwrap_or(text).to_owned())
    }

    /// The text as a file, with a comment in front that says what it is and how it is run.
    ///
    /// The comment does not say where the scenario came from: the file, run again, leaves the same file behind.
    pub fn file(&self) -> String {
        format!("{FILE_HEAD}{}", self.text)
    }
}
