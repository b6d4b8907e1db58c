//! `stiction gallery`: every figure of every paper, on one page.

use super::answer::{Delivery, Job, reserve};
use crate::args;
use crate::failure::Failure;
use crate::progress::{self, Stopwatch};
use crate::terminal;
use serde_json::{Map, Value as Json};
use std::fs;
use std::path::{Path, PathBuf};
use stiction_lab::files::{OWN_TEXT, read_text};
use stiction_lab::gallery::{Exhibit, PAPERS, Tally, figures, file_names, markdown, page};
use stiction_lab::report::replace_file;
use stiction_lab::scenario::{Scenario, Size, builtin, read};

/// How long each run took, for the page.
const TIMES: &str = "times.json";

/// Pixels per inch of pictures in a repository.
const SMALL: f64 = 110.0;

pub(crate) fn gallery(arguments: &args::Gallery) -> Result<(), Failure> {
    let names = chosen(arguments.paper.as_deref())?;
    let size = if arguments.quick { Size::Quick } else { Size::Full };
    let root = arguments.out.clone().unwrap_or_else(|| PathBuf::from("stiction-out/gallery"));
    fs::create_dir_all(&root).map_err(|error| {
        Failure::run(format!("cannot write into `{}`: {error}", root.display()), "choose another folder with --out DIR")
    })?;
    let mut times = Times::read(&root);
    let mut exhibits = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let place = format!("{name} ({} of {})", index + 1, names.len());
        let scenario = read(builtin(name).map_err(|error| Failure::run(error.to_string(), ""))?.source(), &[], size)?;
        exhibits.push(exhibit(name, &place, &scenario, &root.join(name), arguments, &mut times)?);
        times.write(&root)?;
    }
    progress::phase("writing the page");
    let index = root.join("index.html");
    write(&index, page(&exhibits).as_bytes())?;
    if let Some(folder) = &arguments.markdown {
        write_markdown(folder, &exhibits)?;
    }
    let tally = Tally::of(&exhibits);
    terminal::print(&format!("{}\n{}\n", tally.words(), index.display()))?;
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
    reserve(folder, &job.resolved, arguments.restart)?;
    let watch = Stopwatch::start();
    match job.carry_out(&Delivery::into_folder(folder)) {
        Ok(_) => times.set(name, watch.seconds()),
        Err(Failure::Failed { message, .. }) => return Ok(Exhibit::failed(name, scenario, message)),
        // the figures before this one are there
        Err(Failure::Stopped { .. }) => return Err(Failure::Stopped { kept: true }),
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
    replace_file(path, content).map_err(|error| Failure::run(error.to_string(), "choose another folder with --out DIR"))
}

fn write_markdown(folder: &Path, exhibits: &[Exhibit]) -> Result<(), Failure> {
    fs::create_dir_all(folder)
        .map_err(|error| Failure::run(format!("cannot write into `{}`: {error}", folder.display()), ""))?;
    for exhibit in exhibits {
        for (file, picture) in file_names(exhibit).zip(&exhibit.pictures) {
            let png = stiction_lab::figure::png_of(&picture.svg, SMALL)
                .map_err(|error| Failure::run(error.to_string(), ""))?;
            write(&folder.join(file), &png)?;
        }
    }
    write(&folder.join("README.md"), markdown(exhibits).as_bytes())
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
        write(&root.join(TIMES), format!("{:#}\n", Json::Object(self.0.clone())).as_bytes())
    }
}
