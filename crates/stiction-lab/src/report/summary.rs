//! `summary.json`: the answer for a program.

use super::record::{CheckedClaim, RunRecord};
use crate::dataset::{EVENTS, MOST_EVENTS, Value};
use crate::safe_text;
use serde_json::{Value as Json, json};

impl RunRecord {
    /// The content of `summary.json`, given the files that the run wrote and warnings about them.
    pub fn summary(&self, files: &[String], more_warnings: &[String]) -> Json {
        let outcome = self.outcome.to_json();
        let warnings: Vec<&String> = outcome.warnings.iter().chain(more_warnings).collect();
        let mut summary = json!({
            "scenario": self.scenario,
            "study": self.study,
            "title": self.title,
            "answer": self.answer.sentence,
            "quantities": outcome.quantities,
            "units": outcome.units,
            "events": outcome.events,
            "warnings": warnings,
            "claims": self.claims.iter().map(claim).collect::<Vec<_>>(),
            "tables": outcome.tables,
            "files": files,
            "provenance": {
                "program": "stiction",
                "version": self.provenance.version,
                "seed": self.provenance.seed,
                "scenario_sha256": self.provenance.scenario_sha256,
                "command": self.command,
            },
        });
        self.provenance.add_input(&mut summary["provenance"]);
        self.provenance.add_solver(&mut summary["provenance"]);
        let total = self.outcome.events.len();
        if let Some(summary) = summary.as_object_mut().filter(|_| total > MOST_EVENTS) {
            summary.insert("more_events".to_owned(), json!({ "total": total, "listed": MOST_EVENTS, "table": EVENTS }));
        }
        summary
    }

    /// The text of `summary.json`.
    pub fn summary_text(&self, files: &[String], more_warnings: &[String]) -> String {
        safe_text::json(&self.summary(files, more_warnings))
    }
}

fn claim(verdict: &CheckedClaim) -> Json {
    json!({
        "statement": verdict.statement,
        "source": verdict.source,
        "quantity": verdict.quantity,
        "value": verdict.found.as_ref().map_or(Json::Null, Value::to_json),
        "band": verdict.band,
        "holds": verdict.holds,
        "erratum": verdict.erratum,
    })
}
