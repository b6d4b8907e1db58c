//! The scenario as it was run: every default filled in, as a file that runs again to the same bytes.

use super::Scenario;
use sha2::{Digest, Sha256};

/// A scenario with every default filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    /// The TOML text; read again, it gives the identical scenario.
    pub text: String,
    /// SHA-256 of the text in hexadecimal: two runs with the same hash were asked the same.
    pub hash: String,
}

/// A scenario that cannot be written as TOML.
#[derive(Debug, thiserror::Error)]
#[error("the scenario cannot be written as TOML: {0}")]
pub struct ResolveError(#[from] toml::ser::Error);

impl Scenario {
    /// The scenario with every default filled in.
    ///
    /// # Errors
    /// [`ResolveError`] if a value has no form in TOML; a scenario that was read always has one.
    pub fn resolved(&self) -> Result<Resolved, ResolveError> {
        let text = toml::to_string_pretty(self)?;
        let hash = Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Resolved { text, hash })
    }
}

impl Resolved {
    /// The text as a file, with a comment in front that says where it comes from and how it is run.
    ///
    /// The hash is that of the text below the comment, so that it does not depend on where a scenario came from.
    pub fn file(&self, origin: &str) -> String {
        let origin: String = origin.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        format!(
            "# Every value of this run, defaults included. Made by: {origin}\n# Run it again with: stiction run scenario.toml\n\n{}",
            self.text
        )
    }
}
