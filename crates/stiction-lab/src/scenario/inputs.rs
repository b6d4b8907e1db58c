//! The files that a scenario reads: their paths from the scenario's own folder, their contents by hash.

use super::Scenario;
use super::source::Source;
use crate::campaign::Given;
use crate::keep::InputFile;
use std::path::Path;
use stiction::Problem;
use stiction::keys::KeyPath;

impl Scenario {
    /// Finds the files of the scenario and hashes their contents. Paths are relative to the file of the scenario, or to the
    /// current folder if it is not a file; they become absolute, so that the resolved scenario finds them from any place.
    /// Returns what is wrong, each with its key.
    pub(super) fn find_inputs(&mut self, source: &Source) -> Vec<Problem> {
        let own = Path::new(&source.name);
        let folder = own.parent().filter(|_| own.is_file()).unwrap_or(Path::new(""));
        let mut known = std::mem::take(&mut self.input);
        let mut problems = Vec::new();
        let mut locate = |key: &str, name: &mut String| match located(folder, name) {
            Ok(path) => *name = path,
            Err(message) => problems.push(Problem::new(key, message)),
        };
        known.iter_mut().for_each(|input| locate("input", &mut input.file));
        self.file_names(&mut locate);
        let mut found: Vec<InputFile> = Vec::new();
        self.read_files(&mut |key, name| {
            if found.iter().any(|input| input.file == *name) {
                return;
            }
            match InputFile::of(Path::new(name)) {
                Ok(input) => {
                    let before = known.iter().find(|known| known.file == input.file);
                    if let Some(before) = before.filter(|known| !known.sha256.eq_ignore_ascii_case(&input.sha256)) {
                        let message = format!(
                            "{name} has changed: its SHA-256 was {}, now it is {}; restore the file, or run the scenario \
                             without its entry in `input`",
                            before.sha256, input.sha256
                        );
                        problems.push(Problem::new(key, message));
                    }
                    found.push(input);
                }
                Err(error) => problems.push(Problem::new(key, format!("{name}: cannot be opened: {error}"))),
            }
        });
        let unread = known.iter().filter(|known| found.iter().all(|input| input.file != known.file));
        self.notes
            .extend(unread.map(|known| format!("note: no key reads {}; its entry in `input` is left out", known.file)));
        // by contents first: the hash of a scenario does not depend on where its files are
        found.sort_by(|a, b| (&a.sha256, &a.file).cmp(&(&b.sha256, &b.file)));
        self.input = found;
        problems
    }

    /// With those input files of a campaign that this scenario of one of its items reads.
    pub(crate) fn with_inputs_of(mut self, campaign: &Scenario) -> Self {
        let mut names = Vec::new();
        self.read_files(&mut |_, name| names.push(name.clone()));
        self.input = campaign.input.iter().filter(|input| names.contains(&input.file)).cloned().collect();
        self
    }

    /// Shows every name of a file with its key.
    fn file_names(&mut self, show: &mut dyn FnMut(&str, &mut String)) {
        let key = self.file_key();
        if let Some(file) = self.system.field_mut().and_then(|field| field.file.as_mut()) {
            show(&key.to_string(), file);
        }
        for (place, vary) in self.campaign.iter_mut().flat_map(|campaign| campaign.vary.iter_mut()).enumerate() {
            if key != *vary.key.trim() {
                continue;
            }
            for (number, value) in vary.values.iter_mut().enumerate() {
                if let Given::Word(file) = value {
                    show(&format!("campaign.vary.{place}.values.{number}"), file);
                }
            }
        }
    }

    /// Shows every file that is read: not that of the scenario itself, where a campaign puts others in its place.
    fn read_files(&mut self, show: &mut dyn FnMut(&str, &mut String)) {
        let key = self.file_key();
        let mut keys = self.campaign.iter().flat_map(|campaign| campaign.vary.iter().map(|vary| vary.key.trim()));
        let varied = keys.any(|varied| key == *varied);
        self.file_names(&mut |found, name| {
            if !varied || key != *found {
                show(found, name);
            }
        });
    }

    /// The one key that names a file.
    fn file_key(&self) -> KeyPath {
        KeyPath::of(["system", self.system.name(), "field", "file"])
    }
}

/// The absolute path of a file that is named in a scenario of this folder.
fn located(folder: &Path, name: &str) -> Result<String, String> {
    let path = std::path::absolute(folder.join(name)).map_err(|error| format!("{name}: {error}"))?;
    path.to_str().map(str::to_owned).ok_or_else(|| {
        format!("{} is not UTF-8: move the scenario and its files to a folder whose name is", path.display())
    })
}
