//! From text to a scenario: read, lay over, set, check, deserialise, check again what no schema can say.

use super::check::check;
use super::mistake::{Mistake, WrongScenario};
use super::renamed::rename;
use super::resolved::inline;
use super::schema::{QUICK, document};
use super::setting::Setting;
use super::source::{Place, Source};
use super::tree::{Content, Entry, Node, Table, overlay, parse};
use super::wording::quoted_place;
use super::{Scenario, Size};
use serde_json::Value as Json;
use serde_path_to_error::Segment;
use std::path::Path;
use std::sync::Arc;
use stiction::keys::KeyPath;

/// Reads a scenario.
///
/// `settings` are `path=value` arguments, later ones win. With [`Size::Quick`] the table `[quick]` of the scenario is laid
/// over the rest before they are applied. The table is checked in either case.
///
/// # Errors
/// [`WrongScenario`] has every mistake that was found, with its place.
pub fn read(source: Source, settings: &[String], size: Size) -> Result<Scenario, WrongScenario> {
    let source = Arc::new(source);
    let mut table = parse(&source).map_err(WrongScenario::new)?;
    let mut notes = Vec::new();
    let mut mistakes = rename(&mut table, true, &mut notes);
    let quick = take_quick(&mut table, &mut mistakes);
    let settings = parse_settings(settings, &mut mistakes);

    // the scenario as it is asked for, and the other size, whose mistakes are told as well
    let quick_table = quick.map(|quick| {
        let mut quick_table = table.clone();
        overlay(&mut quick_table, quick);
        rename(&mut quick_table, false, &mut notes);
        quick_table
    });
    let (asked, other, reduced) = match (quick_table, size) {
        (Some(quick_table), Size::Quick) => (quick_table, Some(table), true),
        (other, _) => (table, other, false),
    };
    let scenario = finish(&source, asked, &settings, &mut mistakes);
    if let Some(other) = other {
        let mut more = Vec::new();
        finish(&source, other, &settings, &mut more);
        mistakes.extend(more);
    }
    match scenario {
        Some(mut scenario) if mistakes.is_empty() => {
            scenario.reduced |= reduced;
            notes.append(&mut scenario.notes);
            scenario.notes = notes;
            locate_files(&mut scenario, &source);
            Ok(scenario)
        }
        _ => Err(WrongScenario::new(mistakes)),
    }
}

/// Reads the scenario of a finished folder with the figures of another file, or with its own; claims are left out.
///
/// # Errors
/// [`WrongScenario`] has every mistake of the figures, with its place.
pub fn read_with_figures(scenario: Source, figures: Option<Source>) -> Result<Scenario, WrongScenario> {
    const KEY: &str = "figure";
    let source = Arc::new(scenario);
    let mut table = parse(&source).map_err(WrongScenario::new)?;
    rename(&mut table, false, &mut Vec::new());
    table.remove("claim");
    if let Some(figures) = figures {
        let figures = Arc::new(figures);
        let Some(entry) = parse(&figures).map_err(WrongScenario::new)?.remove(KEY) else {
            let mistake = Mistake::new(&Place::whole(&figures), "there is no `[[figure]]`");
            return Err(WrongScenario::new(vec![
                mistake.note("write each figure as in a scenario, below `[[figure]]`"),
            ]));
        };
        table.insert(KEY.to_owned(), entry);
    }
    let mut mistakes = Vec::new();
    match finish(&source, table, &[], &mut mistakes) {
        Some(scenario) if mistakes.is_empty() => Ok(scenario),
        _ => Err(WrongScenario::new(mistakes)),
    }
}

/// What the schema says against these settings of a scenario that is right without them: for each that is wrong its place in
/// the list, and the first mistake. What parameters say to each other is not looked at.
pub(super) fn outside_schema(text: &str, settings: &[(String, Json)]) -> Vec<(usize, String)> {
    let source = Arc::new(Source::new("scenario", text));
    let Ok(table) = parse(&source) else { return Vec::new() };
    let wrong = |(key, value): &(String, Json)| {
        let setting = Setting::parse(&format!("{key}={}", inline(value)), 1).map_err(|mut mistakes| mistakes.pop());
        let setting = match setting {
            Ok(setting) => setting,
            Err(mistake) => return mistake,
        };
        let mut table = table.clone();
        if let Err(mistake) = setting.apply(&mut table) {
            return Some(mistake);
        }
        rename(&mut table, false, &mut Vec::new());
        let root = Node { place: Place::whole(&source), content: Content::Table(table) };
        check(document(), &root).into_iter().next()
    };
    let words = |mistake: Mistake| {
        let parts = [mistake.message, mistake.label].into_iter().chain(mistake.notes);
        parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
    };
    settings.iter().enumerate().filter_map(|(index, setting)| Some((index, words(wrong(setting)?)))).collect()
}

/// Makes the name of a measured map absolute: it is relative to the file of the scenario, or to the current folder if the
/// scenario is not a file. The resolved scenario then finds it from any place.
fn locate_files(scenario: &mut Scenario, source: &Source) {
    let Some(file) = scenario.system.field_mut().and_then(|field| field.file.as_mut()) else { return };
    let own = Path::new(&source.name);
    let folder = own.parent().filter(|_| own.is_file()).unwrap_or(Path::new(""));
    let here = folder.join(&*file);
    let found = std::path::absolute(&here).ok();
    // a current folder whose name is not UTF-8 has no place in a scenario: the file is found from there only
    if let Some(path) = found.as_deref().and_then(Path::to_str).or_else(|| here.to_str()) {
        *file = path.to_owned();
    }
}

/// Takes the table `[quick]` out of a scenario.
fn take_quick(table: &mut Table, mistakes: &mut Vec<Mistake>) -> Option<Table> {
    let Entry { key, node } = table.remove(QUICK)?;
    match node.content {
        Content::Table(quick) => {
            if let Some(inner) = quick.get(QUICK) {
                mistakes.push(Mistake::new(&inner.key, "`quick` cannot stand inside `quick`"));
            }
            Some(quick).filter(|_| mistakes.is_empty())
        }
        _ => {
            mistakes.push(Mistake::new(&key, format!("`{QUICK}` must be a table, but is {}", node.kind())));
            None
        }
    }
}

fn parse_settings(arguments: &[String], mistakes: &mut Vec<Mistake>) -> Vec<Setting> {
    let mut settings = Vec::new();
    for (index, argument) in arguments.iter().enumerate() {
        match Setting::parse(argument, index + 1) {
            Ok(setting) => settings.push(setting),
            Err(found) => mistakes.extend(found),
        }
    }
    settings
}

/// Applies the settings, checks, and deserialises.
fn finish(
    source: &Arc<Source>,
    mut table: Table,
    settings: &[Setting],
    mistakes: &mut Vec<Mistake>,
) -> Option<Scenario> {
    let file = (!settings.is_empty()).then(|| table.clone());
    let mut notes = Vec::new();
    for setting in settings {
        if let Err(mistake) = setting.clone().apply(&mut table) {
            mistakes.push(mistake);
        }
        rename(&mut table, false, &mut notes);
    }
    if let Some(entry) = table.remove(QUICK) {
        let mistake = Mistake::new(&entry.key, "`quick` cannot be set");
        mistakes.push(mistake.note("run with --quick, and set the key itself"));
    }
    let root = Node { place: Place::whole(source), content: Content::Table(table) };
    let before = mistakes.len();
    mistakes.extend(check(document(), &root));
    if mistakes.len() > before {
        return None;
    }
    match serde_path_to_error::deserialize::<_, Scenario>(root.to_json()) {
        Ok(mut scenario) => {
            scenario.notes = notes;
            if let Some(file) = file.and_then(|table| without_settings(source, table)) {
                let of_file = |key: &str| !settings.iter().any(|setting| setting.is_below(key));
                scenario.leave_out_misfits(&file, of_file("figure"), of_file("claim"));
                let is_set = |key: &str| settings.iter().any(|setting| setting.sets("solver", key));
                scenario.leave_out_solver_keys(&file, is_set);
            }
            for problem in scenario.problems() {
                mistakes.push(Mistake::new(
                    &locate(&root, &problem.key),
                    format!("`{}`: {}", problem.key, problem.message),
                ));
            }
            Some(scenario)
        }
        Err(error) => {
            let path = KeyPath::of(error.path().iter().filter_map(key_of));
            let place = quoted_place(&path.to_string());
            mistakes.push(Mistake::new(&locate(&root, &path), format!("{place}: {}", error.inner())));
            None
        }
    }
}

/// The scenario as its file says, if it is one without settings.
fn without_settings(source: &Arc<Source>, table: Table) -> Option<Scenario> {
    let root = Node { place: Place::whole(source), content: Content::Table(table) };
    serde_json::from_value(root.to_json()).ok()
}

fn key_of(segment: &Segment) -> Option<String> {
    match segment {
        Segment::Map { key } => Some(key.clone()),
        Segment::Enum { variant } => Some(variant.clone()),
        Segment::Seq { index } => Some(index.to_string()),
        Segment::Unknown => None,
    }
}

/// The place of the value at the end of a path, or of the last one on the way that exists.
fn locate(root: &Node, path: &KeyPath) -> Place {
    let mut node = root;
    let mut header = &root.place;
    for key in path.names() {
        match &node.content {
            Content::Table(table) => match table.get(key) {
                Some(entry) => {
                    header = &entry.key;
                    node = &entry.node;
                }
                None => break,
            },
            Content::List(items) => match key.parse::<usize>().ok().and_then(|index| items.get(index)) {
                Some(item) => {
                    header = &item.place;
                    node = item;
                }
                None => break,
            },
            _ => break,
        }
    }
    match node.content {
        Content::Table(_) => header.clone(),
        _ => node.place.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::builtins;

    #[test]
    fn the_schema_describes_every_built_in_as_it_is_written() {
        for builtin in builtins() {
            let source = Arc::new(builtin.source());
            let content = Content::Table(parse(&source).unwrap());
            let mistakes = check(document(), &Node { place: Place::whole(&source), content });
            assert!(mistakes.is_empty(), "{}", WrongScenario::new(mistakes));
        }
    }

    #[test]
    fn an_error_of_the_deserialiser_has_its_place() {
        let source = Arc::new(Source::new("t", "a.list = [1, { b = 'x' }]"));
        let root = Node { place: Place::whole(&source), content: Content::Table(parse(&source).unwrap()) };
        let at = |path: &str| locate(&root, &path.into());
        assert_eq!(at("a.list[1].b").text(), "'x'");
        assert_eq!(at("a.list.7").text(), "[1, { b = 'x' }]");
        assert_eq!(at("a.none").text(), "a");
        assert_eq!(at(""), root.place);
    }
}
