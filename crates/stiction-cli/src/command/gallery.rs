//! `stiction gallery`: every figure of every paper, on one page.

use super::answer::{Delivery, Job, unwritten};
use crate::args;
use crate::failure::Failure;
use crate::progress::{self, Stopwatch};
use crate::{interrupt, terminal};
use serde_json::{Map, Value as Json};
use std::path::{Path, PathBuf};
use stiction_lab::files::{OWN_TEXT, own_folder, read_text};
use stiction_lab::gallery::{Exhibit, MARKDOWN_TITLE, PAGE_TITLE, PAPERS, Tally, figures, file_names, markdown, page};
use stiction_lab::report::{FolderError, Reserved, replace_file, same_folder};
use stiction_lab::safe_text;
use stiction_lab::scenario::{Scenario, Size, builtin, read};

/// How long each run took, for the page.
const TIMES: &str = "times.json";

/// The gallery as Markdown.
const MARKDOWN: &str = "README.md";

/// Pixels per inch of pictures in a repository.
const SMALL: f64 = 110.0;

pub(crate) fn gallery(arguments: &args::Gallery) -> Result<(), Failure> {
    let names = chosen(arguments.paper.as_deref())?;
    let size = if arguments.quick { Size::Quick } else { Size::Full };
    let root = arguments.out.clone().unwrap_or_else(|| PathBuf::from("stiction-out/gallery"));
    let reserved = |folder: &Path| Reserved::new(folder).map_err(|error| unwritten(error.into()));
    let _reserved = reserved(&root)?;
    let index = root.join("index.html");
    refuse_foreign(&index, |text| text.contains(PAGE_TITLE))?;
    refuse_foreign(&root.join(TIMES), |text| serde_json::from_str::<Map<String, Json>>(text).is_ok())?;
    let beside = arguments.markdown.as_ref().filter(|folder| !same_folder(folder, &root));
    let _beside = beside.map(|folder| reserved(folder)).transpose()?;
    let earlier = arguments.markdown.as_deref().map(earlier_markdown).transpose()?;
    let mut times = Times::read(&root);
    let mut exhibits = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let place = format!("{name} ({} of {})", index + 1, names.len());
        let mut scenario =
            read(builtin(name).map_err(|error| Failure::run(error.to_string(), ""))?.source(), &[], size)?;
        arguments.limit.apply(&mut scenario);
        let folder = root.join(name);
        for folder in [folder.parent().unwrap_or(&root), &folder] {
            own_folder(folder).map_err(|error| unwritten(FolderError::new(folder, error).into()))?;
        }
        exhibits.push(exhibit(name, &place, &scenario, &folder, arguments, &mut times)?);
        interrupt::has_kept();
        times.write(&root)?;
    }
    progress::phase("writing the page");
    write(&index, page(&exhibits).as_bytes())?;
    if let Some((folder, earlier)) = arguments.markdown.as_ref().zip(earlier) {
        write_markdown(folder, &exhibits, &earlier)?;
    }
    let tally = Tally::of(&exhibits);
    terminal::print(&format!("{}\n{}\n", tally.words(), safe_text::path(&index)))?;
    let failed: Vec<&str> =
        exhibits.iter().filter(|exhibit| exhibit.trouble.is_some()).map(|exhibit| exhibit.scenario.as_str()).collect();
    match &failed[..] {
        [] => Ok(()),
        failed => Err(Failure::run(format!("no answer from {}", failed.join(", ")), "the page says why")),
    }
}

/// The scenarios of the figures.
fn chosen(paper: Option<&str>) -> Result<Vec<String>, Failure> {
    if let Some(key) = paper
        && !PAPERS.iter().any(|paper| paper.key == key)
    {
        let keys = PAPERS.map(|paper| paper.key).join(", ");
        return Err(Failure::arguments(format!("there is no paper `{key}`"), format!("the papers are {keys}")));
    }
    Ok(figures(paper).collect())
}

/// One figure: from the folder of an earlier run that was asked the same, or from a new run.
fn exhibit(
    name: &str,
    place: &str,
    scenario: &Scenario,
    folder: &Path,
    arguments: &args::Gallery,
    times: &mut Times,
) -> Result<Exhibit, Failure> {
    let resolved = scenario.resolved().map_err(|error| Failure::run(error.to_string(), ""))?;
    if !arguments.restart
        && asked_before(folder, &resolved.hash)
        && let Some(exhibit) = Exhibit::read(name, scenario, folder, times.of(name))
    {
        terminal::say(&format!("{place}: as it was"));
        return Ok(exhibit);
    }
    terminal::say(place);
    let command = format!("stiction run {name}{}", if arguments.quick { " --quick" } else { "" });
    let job = Job { name: name.to_owned(), command, scenario: scenario.clone(), resolved };
    let watch = Stopwatch::start();
    match job.carry_out(&Delivery::into_folder(folder, arguments.restart)) {
        Ok(_) => times.set(name, watch.seconds()),
        Err(Failure::Failed { message, .. }) => return Ok(Exhibit::failed(name, scenario, message)),
        Err(failure) => return Err(failure),
    }
    Exhibit::read(name, scenario, folder, times.of(name))
        .ok_or_else(|| Failure::run(format!("`{}` cannot be read again", folder.display()), ""))
}

/// Whether the folder holds the answer to the same scenario from the same version.
fn asked_before(folder: &Path, hash: &str) -> bool {
    let Ok(text) = read_text(&folder.join("summary.json"), OWN_TEXT) else { return false };
    let Ok(summary) = serde_json::from_str::<Json>(&text) else { return false };
    let provenance = &summary["provenance"];
    provenance["scenario_sha256"] == hash && provenance["version"] == env!("CARGO_PKG_VERSION")
}

fn write(path: &Path, content: &[u8]) -> Result<(), Failure> {
    replace_file(path, content).map_err(|error| unwritten(error.into()))
}

/// Refuses a file that would be replaced, unless its text is one of ours.
fn refuse_foreign(path: &Path, is_ours: impl Fn(&str) -> bool) -> Result<(), Failure> {
    let ours = || read_text(path, OWN_TEXT).is_ok_and(|text| is_ours(&text));
    if path.symlink_metadata().is_err() || ours() {
        return Ok(());
    }
    Err(unwritten(FolderError::Foreign { path: path.to_owned() }.into()))
}

/// The Markdown of an earlier gallery, which names its pictures; empty if there is none.
fn earlier_markdown(folder: &Path) -> Result<String, Failure> {
    let path = folder.join(MARKDOWN);
    refuse_foreign(&path, |text| text.starts_with(MARKDOWN_TITLE))?;
    Ok(read_text(&path, OWN_TEXT).unwrap_or_default())
}

fn write_markdown(folder: &Path, exhibits: &[Exhibit], earlier: &str) -> Result<(), Failure> {
    for file in exhibits.iter().flat_map(file_names) {
        if !earlier.contains(&format!("({file})")) {
            refuse_foreign(&folder.join(file), |_| false)?;
        }
    }
    for exhibit in exhibits {
        for (file, picture) in file_names(exhibit).zip(&exhibit.pictures) {
            let png = stiction_lab::figure::png_of(&picture.svg, SMALL)
                .map_err(|error| Failure::run(error.to_string(), ""))?;
            write(&folder.join(file), &png)?;
        }
    }
    write(&folder.join(MARKDOWN), markdown(exhibits).as_bytes())
}

/// How long the runs of a gallery took \[s\].
struct Times(Map<String, Json>);

impl Times {
    fn read(root: &Path) -> Self {
        let text = read_text(&root.join(TIMES), OWN_TEXT).unwrap_or_default();
        // a file that is none of ours only costs the times
        Self(serde_json::from_str(&text).unwrap_or_default())
    }

    fn of(&self, name: &str) -> Option<f64> {
        self.0.get(name).and_then(Json::as_f64)
    }

    fn set(&mut self, name: &str, seconds: f64) {
        self.0.insert(name.to_owned(), Json::from(seconds));
    }

    fn write(&self, root: &Path) -> Result<(), Failure> {
        write(&root.join(TIMES), safe_text::json(&Json::Object(self.0.clone())).as_bytes())
    }
}
