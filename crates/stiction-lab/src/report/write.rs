//! Puts everything that a run leaves behind into its folder.

use super::folder::{Content, NewFile, SUMMARY, write_folder};
use super::page::page;
use super::record::RunRecord;
use crate::dataset::{DatasetError, csv_bytes, parquet_bytes};
use crate::figure::{Drawing, draw};
use crate::keep::FolderError;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The format of tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TableFormat {
    /// Apache Parquet.
    #[default]
    Parquet,
    /// Comma-separated values.
    Csv,
}

impl TableFormat {
    /// How the names of tables end.
    pub(super) fn ending(self) -> &'static str {
        match self {
            TableFormat::Parquet => "parquet",
            TableFormat::Csv => "csv",
        }
    }
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The folder.
    pub folder: PathBuf,
    /// Names of the files in it, sorted.
    pub files: Vec<String>,
    /// Pictures that could not be drawn and old files that could not be removed, and why.
    pub warnings: Vec<String>,
}

/// Why a run could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// A table could not be turned into bytes.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// The folder could not be written.
    #[error(transparent)]
    Folder(#[from] FolderError),
}

/// A picture of the report.
#[derive(Debug, Clone)]
pub(super) struct Picture {
    pub(super) drawing: Drawing,
    pub(super) caption: String,
}

/// Writes tables, figures, the resolved scenario, `report.html` and `summary.json` into a folder.
///
/// A figure that cannot be drawn does not cost the answer: it becomes a warning, here, in the summary and in the report.
///
/// # Errors
/// [`ReportError`] names the path and what to do. The folder is then as it was, unless the disk failed between two
/// renames; the next run mends that.
pub fn write_run(record: &RunRecord, folder: &Path, format: TableFormat) -> Result<Written, ReportError> {
    let mut names = Names::default();
    let mut files = Vec::new();
    let provenance = record.provenance.metadata(&record.resolved);
    for table in &record.outcome.tables {
        let content = match format {
            TableFormat::Parquet => parquet_bytes(table, &provenance)?,
            TableFormat::Csv => csv_bytes(table)?,
        };
        let name = format!("{}.{}", names.free(&table.name, "table"), format.ending());
        files.push(NewFile { name, content: Content::Bytes(content) });
    }
    for long in &record.outcome.long {
        let name = format!("{}.{}", names.free(&long.header.name, "table"), format.ending());
        files.push(NewFile { name, content: Content::File(long.path.clone()) });
    }
    let (pictures, warnings) = pictures(record, &mut files);
    files.push(NewFile::new("scenario.toml", record.resolved.clone().into_bytes()));
    files.push(NewFile::new("run.json", record.provenance.run_text().into_bytes()));
    let mut listed: Vec<String> = files.iter().map(|file| file.name.clone()).collect();
    listed.extend(["report.html".to_owned(), SUMMARY.to_owned()]);
    listed.sort();
    let report = page(record, &pictures, &listed, &warnings);
    files.push(NewFile::new("report.html", report.into_bytes()));
    let summary = record.summary_text(&listed, &warnings);
    files.push(NewFile::new(SUMMARY, summary.into_bytes()));
    let unremoved = write_folder(folder, &files)?;
    let warnings = [warnings, unremoved].concat();
    Ok(Written { folder: folder.to_owned(), files: listed, warnings })
}

fn pictures(record: &RunRecord, files: &mut Vec<NewFile>) -> (Vec<Picture>, Vec<String>) {
    // a picture may have the name of its table: their endings differ
    let mut names = Names::default();
    let (mut pictures, mut warnings) = (Vec::new(), Vec::new());
    for figure in &record.figures {
        let mut figure = figure.clone();
        let name = names.free(figure.name.as_deref().unwrap_or("figure"), "figure");
        figure.name = Some(name.clone());
        let drawn = draw(&figure, &record.outcome.tables, record.note.as_deref());
        let drawn = drawn.map(|drawing| drawing.stamped(&record.provenance.pairs()));
        match drawn.and_then(|drawing| drawing.png().map(|png| (drawing, png))) {
            Ok((drawing, png)) => {
                files.push(NewFile::new(&format!("{name}.svg"), drawing.svg.clone().into_bytes()));
                files.push(NewFile::new(&format!("{name}.png"), png));
                pictures.push(Picture { drawing, caption: figure.caption });
            }
            Err(error) => warnings.push(format!("a picture is missing: {error}")),
        }
    }
    (pictures, warnings)
}

/// Stands below the pictures of a reduced run.
pub(super) const REDUCED: &str = "reduced run (--quick)";

/// Hands out names of files: safe on every system, each one once.
#[derive(Debug, Default)]
pub(super) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    pub(super) fn free(&mut self, wanted: &str, fallback: &str) -> String {
        let safe = |sign: char| if sign.is_ascii_alphanumeric() || matches!(sign, '_' | '-') { sign } else { '_' };
        let mut base: String = wanted.chars().take(80).map(safe).collect();
        if base.trim_matches('_').is_empty() {
            fallback.clone_into(&mut base);
        }
        // some systems take `A` and `a` for the same file
        let mut name = base.clone();
        let mut count = 1;
        while !self.taken.insert(name.to_ascii_lowercase()) {
            count += 1;
            name = format!("{base}-{count}");
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_and_different() {
        let mut names = Names::default();
        let given = ["figure", "figure", "Figure", "../etc/passwd", "", "λ"].map(|name| names.free(name, "figure"));
        assert_eq!(given, ["figure", "figure-2", "Figure-3", "___etc_passwd", "figure-4", "figure-5"]);
    }
}
