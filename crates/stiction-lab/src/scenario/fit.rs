//! Whether figures and claims fit what the study will answer: a misspelt name is told before the run, not after it.

use super::Scenario;
use super::claim::Claim;
use super::decisive::{Expression, Selection};
use crate::campaign::{Campaign, campaign_quantity, campaign_tables};
use crate::figure::{Figure, FigureError, misfit};
use crate::study::Answers;
use serde_json::Value as Json;
use stiction::keys::nearest;

/// What the run of a scenario can have.
pub(super) struct Fit<'s> {
    answers: Answers,
    campaign: Option<&'s Campaign>,
}

impl<'s> Fit<'s> {
    /// None where that is not known.
    pub(super) fn of(scenario: &'s Scenario) -> Option<Self> {
        let campaign = scenario.campaign.as_ref().filter(|campaign| campaign.repeats());
        Answers::of(&scenario.study, &scenario.system).map(|answers| Self { answers, campaign })
    }

    /// Why a figure cannot be drawn. In a campaign a figure may also be one of the study itself, which is then left out.
    pub(super) fn figure(&self, figure: &Figure) -> Option<FigureError> {
        let of_study = misfit(figure, &self.answers.tables)?;
        let Some(campaign) = self.campaign else { return Some(of_study) };
        let mut asked = Vec::new();
        serde_json::to_value(figure).iter().for_each(|tree| texts(tree, &mut asked));
        misfit(figure, &campaign_tables(campaign, &self.answers, &asked))
    }

    /// What is wrong with the quantity of a claim.
    pub(super) fn claim(&self, claim: &Claim) -> Option<String> {
        let expression = Expression::parse(&claim.quantity)?;
        expression.selections().into_iter().find_map(|selection| match selection.is_of_table() {
            true => self.missing_column(selection),
            false => self.missing_quantity(selection.name),
        })
    }

    fn missing_quantity(&self, name: &str) -> Option<String> {
        let of_campaign = || self.campaign.is_some() && campaign_quantity(&self.answers, name);
        if self.answers.has_quantity(name) || of_campaign() {
            return None;
        }
        let plain = self.answers.quantities.iter().map(String::as_str).filter(|name| !name.contains('*'));
        Some(format!("the study has no quantity `{name}`{}", meant(name, plain)))
    }

    fn missing_column(&self, selection: &Selection<'_>) -> Option<String> {
        let asked: Vec<String> = [selection.name].into_iter().chain(selection.columns()).map(str::to_owned).collect();
        let of_campaign = self.campaign.map(|campaign| campaign_tables(campaign, &self.answers, &asked));
        let tables = of_campaign.as_deref().unwrap_or(&self.answers.tables);
        let Some(table) = tables.iter().find(|table| table.name == selection.name) else {
            let names = tables.iter().map(|table| table.name.as_str());
            return Some(format!("the study has no table `{}`{}", selection.name, meant(selection.name, names)));
        };
        let unknown = selection.columns().into_iter().find(|column| table.column(column).is_none())?;
        let names = table.columns.iter().map(|column| column.name.as_str());
        Some(format!("table `{}` has no column `{unknown}`{}", table.name, meant(unknown, names)))
    }
}

/// The nearest known name, as a question.
fn meant<'n>(unknown: &str, known: impl Iterator<Item = &'n str>) -> String {
    nearest(unknown, known).map(|name| format!("; did you mean `{name}`?")).unwrap_or_default()
}

impl Scenario {
    /// Leaves out the figures (and the claims) of the file that no longer fit because settings ask something else, and notes
    /// that. What did not fit the file itself stays, and is a mistake.
    pub(super) fn leave_out_misfits(&mut self, file: &Scenario, figures: bool, claims: bool) {
        let (Some(now), Some(before)) = (Fit::of(self), Fit::of(file)) else { return };
        let stays_figure = |figure: &Figure| now.figure(figure).is_none() || before.figure(figure).is_some();
        let stays_claim = |claim: &Claim| now.claim(claim).is_none() || before.claim(claim).is_some();
        let kept_figures: Vec<Figure> =
            self.figure.iter().filter(|figure| !figures || stays_figure(figure)).cloned().collect();
        let kept_claims: Vec<Claim> =
            self.claim.iter().filter(|claim| !claims || stays_claim(claim)).cloned().collect();
        let lost =
            [(self.figure.len() - kept_figures.len(), "figure"), (self.claim.len() - kept_claims.len(), "claim")];
        let counted = lost.iter().filter(|(count, _)| *count > 0);
        let counted: Vec<String> =
            counted.map(|(count, what)| format!("{count} {what}{}", if *count == 1 { "" } else { "s" })).collect();
        if !counted.is_empty() {
            let counted = counted.join(" and ");
            self.notes
                .push(format!("note: {counted} of the scenario left out, because the settings ask something else"));
        }
        (self.figure, self.claim) = (kept_figures, kept_claims);
    }
}

/// Every text of a tree.
fn texts(tree: &Json, found: &mut Vec<String>) {
    match tree {
        Json::String(text) => found.push(text.clone()),
        Json::Array(list) => list.iter().for_each(|entry| texts(entry, found)),
        Json::Object(table) => table.iter().for_each(|(key, entry)| {
            // columns of `only` are keys
            found.push(key.clone());
            texts(entry, found);
        }),
        _ => {}
    }
}
