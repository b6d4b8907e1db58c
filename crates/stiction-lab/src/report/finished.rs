//! A finished folder, read again to draw other pictures of it.

use super::folder::{SUMMARY, earlier_files, replace_file};
use super::record::Provenance;
use super::reserve::{Reserved, same_folder};
use super::write::{Names, REDUCED};
use crate::dataset::{Table, read_table};
use crate::figure::{Figure, FigureError, draw};
use crate::files::{OWN_TEXT, open, read_text};
use crate::keep::{FolderError, Home};
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The tables of a finished run, and where they come from.
#[derive(Debug, Clone)]
pub struct Finished {
    folder: PathBuf,
    tables: Vec<Table>,
    provenance: Provenance,
}

/// Why a finished folder cannot be drawn from.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FinishedError {
    /// The folder has no results that can be read.
    #[error("{} has no finished results: {reason}", folder.display())]
    Unfinished {
        /// The folder.
        folder: PathBuf,
        /// What is missing.
        reason: String,
    },
    /// A figure cannot be drawn.
    #[error(transparent)]
    Figure(#[from] FigureError),
    /// A picture cannot be written.
    #[error(transparent)]
    Folder(#[from] FolderError),
}

impl Finished {
    /// Reads the tables of a folder.
    ///
    /// # Errors
    /// [`FinishedError::Unfinished`] says what is missing.
    pub fn read(folder: &Path) -> Result<Self, FinishedError> {
        let unfinished = |reason: String| FinishedError::Unfinished { folder: folder.to_owned(), reason };
        let json = |name: &str| -> Result<Json, FinishedError> {
            let text = read_text(&folder.join(name), OWN_TEXT);
            let text = text.map_err(|error| unfinished(format!("{name} cannot be read: {error}")))?;
            serde_json::from_str(&text).map_err(|error| unfinished(format!("{name} is damaged: {error}")))
        };
        let (summary, run) = (json(SUMMARY)?, json("run.json")?);
        let listed = summary.get("tables").and_then(Json::as_object);
        let listed = listed.ok_or_else(|| unfinished(format!("{SUMMARY} lists no tables")))?;
        let tables = listed.iter().map(|(name, about)| read_table(folder, name, about).map_err(unfinished));
        let folder = folder.to_owned();
        Ok(Self { folder, tables: tables.collect::<Result<_, _>>()?, provenance: Provenance::of_run(&run) })
    }

    /// Draws figures and writes each as SVG and PNG into a folder; `reduced` is said in the pictures. Returns the names of the
    /// files. All are drawn before the first is written.
    ///
    /// # Errors
    /// [`FinishedError`] names the figure, or the file in the way: pictures that this program drew of this run are replaced,
    /// others are not.
    pub fn plot(&self, figures: &[Figure], reduced: bool, out: &Path) -> Result<Vec<String>, FinishedError> {
        let mut names = Names::default();
        let mut files: Vec<(String, Vec<u8>)> = Vec::new();
        for figure in figures {
            let name = names.free(figure.name.as_deref().unwrap_or("figure"), "figure");
            let figure = Figure { name: Some(name.clone()), ..figure.clone() };
            let drawing = draw(&figure, &self.tables, reduced.then_some(REDUCED))?.stamped(&self.provenance.pairs());
            let png = drawing.png()?;
            files.push((format!("{name}.svg"), drawing.svg.into_bytes()));
            files.push((format!("{name}.png"), png));
        }
        let _reserved = Reserved::new(out)?;
        let elsewhere = !same_folder(out, &self.folder);
        if elsewhere && Home::of(out).exists() {
            return Err(FolderError::Unfinished { path: out.to_owned() }.into());
        }
        let of_others = if elsewhere { earlier_files(out) } else { BTreeSet::new() };
        for (name, _) in &files {
            let path = out.join(name);
            if of_others.contains(name) {
                return Err(FolderError::OfAnotherRun { path }.into());
            }
            if path.symlink_metadata().is_ok() && !is_ours(&path) {
                return Err(FolderError::Foreign { path }.into());
            }
        }
        for (name, bytes) in &files {
            replace_file(&out.join(name), bytes)?;
        }
        Ok(files.into_iter().map(|(name, _)| name).collect())
    }
}

/// Whether a picture carries the stamp of this program.
fn is_ours(path: &Path) -> bool {
    let (stamp, mut begin) = (b"stiction", Vec::new());
    // it stands near the beginning
    let read = open(path).and_then(|file| file.take(1 << 20).read_to_end(&mut begin));
    read.is_ok() && begin.windows(stamp.len()).any(|part| part == stamp)
}
