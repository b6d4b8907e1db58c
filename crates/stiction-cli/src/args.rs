//! What can be typed.

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use std::path::PathBuf;
use stiction_lab::report::TableFormat;
use stiction_lab::scenario::{MemoryChoice, Scenario};

/// A laboratory for dry friction: mechanisms that stick, slip and squeal.
#[derive(Debug, Parser)]
#[command(name = "stiction", version, propagate_version = true, arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  stiction run                                 run the default scenario
  stiction run elmer1997/coulomb               run a built-in scenario by name
  stiction run my.toml --set system.spring_block.drive_speed=0.3
  stiction show elmer1997/coulomb > my.toml    a scenario to copy and change
  stiction check my.toml                       what is wrong, where, and what was probably meant
  stiction explain system.spring_block         parameters, units, ranges, defaults
  stiction explain period                      what a result means
  stiction list wheel return                   search the built-in scenarios

Exit codes: 0 done, 1 the run failed, 2 wrong scenario or arguments, 130 stopped by Ctrl-C";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a scenario: a built-in one by name, or a file
    Run(Run),
    /// Split a large study into tasks for several machines
    Plan(Plan),
    /// Work on one task of a plan
    Work(Work),
    /// Put the work of all tasks together: the same bytes as one run
    Merge(Merge),
    /// Tell how far a split or interrupted study is
    Status(Status),
    /// Write a job script for Slurm that works on all tasks of a plan
    Slurm(Slurm),
    /// Repeat one item of a study alone
    Replay(Replay),
    /// Repeat a run from one of its tables
    Rerun(Rerun),
    /// Draw other pictures of a finished run from its tables
    Plot(Plot),
    /// List the built-in scenarios by topic, or search them: what they show, about how long they take
    List(List),
    /// Print a built-in scenario, to copy and change
    Show(Show),
    /// Check a scenario without running it: every mistake with its place
    Check(Check),
    /// List the claims of scenarios, or test whether they can fail
    Claims(Claims),
    /// Explain a key (meaning, unit, range, default) or a result (meaning, definition, unit)
    Explain(Explain),
    /// Run every figure of every paper and show them on one page, with the verdict on every statement
    Gallery(Gallery),
    /// Print the JSON Schema of scenario files, for editors and other programs
    Schema,
    /// Print shell completions
    Completions(Completions),
    /// Print the manual page, or write all pages into a folder
    Man(Man),
}

impl Command {
    /// The number of threads that is asked for.
    pub(crate) fn threads(&self) -> Option<u16> {
        match self {
            Command::Run(Run { workers, .. })
            | Command::Work(Work { workers, .. })
            | Command::Merge(Merge { workers, .. })
            | Command::Claims(Claims { workers, .. })
            | Command::Rerun(Rerun { workers, .. }) => workers.threads,
            _ => None,
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = RUN_EXAMPLES)]
pub(crate) struct Run {
    #[command(flatten)]
    pub(crate) question: Question,

    #[command(flatten)]
    pub(crate) workers: Workers,

    /// Folder for the results
    #[arg(long, value_name = "DIR", help = "Folder for the results [default: stiction-out/<name>; with --json none]")]
    pub(crate) out: Option<PathBuf>,

    /// Begin again: throw away unfinished work in the folder, and replace the results of another scenario
    #[arg(long)]
    pub(crate) restart: bool,

    #[command(flatten)]
    pub(crate) telling: Telling,

    /// Format of the tables
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Parquet)]
    pub(crate) format: Format,
}

const RUN_EXAMPLES: &str = "\
Examples:
  stiction run elmer1997/coulomb --set system.spring_block.drive_speed=0.3 --json
  stiction run my.toml --out results --format csv
  stiction show elmer1997/coulomb | stiction run - --quick
  stiction run my.toml --set 'study={trajectory={duration=10}}'

--set takes TOML values and can be given several times; later ones win. A table replaces the
whole table that was there, which is how a choice (a law, a study) is switched.
Ctrl-C stops within two seconds; a second one stops at once. What is finished of a long study is kept:
the same command goes on where it stopped.";

const PLAN_EXAMPLES: &str = "\
Examples:
  stiction plan my.toml --out big --items-per-task 100
  stiction work big --task 0
  stiction status big
  stiction merge big
  stiction slurm big";

/// A scenario, and all that changes its answer.
#[derive(Debug, Args)]
pub(crate) struct Question {
    #[command(flatten)]
    pub(crate) scenario: ScenarioChoice,

    /// Seed of everything random; the same as --set seed=N
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Run reduced, as the scenario's table `[quick]` says: coarser, but soon done
    #[arg(long)]
    pub(crate) quick: bool,

    /// End the realisations early, for instance "displacement_ratio_mean.se < 0.005"; the same as --set campaign.stop_when
    #[arg(long, value_name = "RULE")]
    pub(crate) stop_when: Option<String>,

    #[command(flatten)]
    pub(crate) limit: Limit,
}

/// What a run may keep.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Limit {
    /// What the run may keep, for instance 4GiB; the results do not depend on it, only whether there are any [default: the key
    /// `memory` of the scenario, or 2GiB]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) memory: Option<u64>,
}

impl Limit {
    /// The scenario with this limit, if there is one.
    pub(crate) fn apply(self, scenario: &mut Scenario) {
        if let Some(bytes) = self.memory {
            scenario.memory = MemoryChoice::Bytes(bytes as f64);
        }
    }
}

fn size(text: &str) -> Result<u64, String> {
    stiction::memory::parse(text)
}

/// Who does the work.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Workers {
    /// Number of threads; the results do not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}

/// How the end of a run is told.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Telling {
    /// End with exit code 1 if an item failed
    #[arg(long)]
    pub(crate) strict: bool,

    /// Print all quantities, claims and warnings instead of the most important ones
    #[arg(long, conflicts_with = "json")]
    pub(crate) all: bool,

    /// Print the summary as one JSON object and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = PLAN_EXAMPLES)]
pub(crate) struct Plan {
    #[command(flatten)]
    pub(crate) question: Question,

    /// Folder for the results; every machine must see it
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,

    /// How many items make a task
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) items_per_task: u64,

    /// Begin again: throw away unfinished work in the folder, and replace the results of another scenario
    #[arg(long)]
    pub(crate) restart: bool,

    /// Format of the tables
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Parquet)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct Work {
    /// The folder that was planned
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,

    /// Number of the task, counted from 0 [default: the environment variable SLURM_ARRAY_TASK_ID]
    #[arg(long, value_name = "K")]
    pub(crate) task: Option<u64>,

    #[command(flatten)]
    pub(crate) limit: Limit,

    #[command(flatten)]
    pub(crate) workers: Workers,
}

#[derive(Debug, Args)]
pub(crate) struct Merge {
    /// The folder that was planned
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,

    #[command(flatten)]
    pub(crate) limit: Limit,

    #[command(flatten)]
    pub(crate) workers: Workers,

    #[command(flatten)]
    pub(crate) telling: Telling,
}

#[derive(Debug, Args)]
pub(crate) struct Status {
    /// A folder of results
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,

    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Slurm {
    /// The folder that was planned
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,

    /// Print the script instead of writing it to DIR/array.sbatch
    #[arg(long)]
    pub(crate) print: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// A folder of results, finished or not
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,

    /// Number of the item, as in its table
    #[arg(value_name = "ITEM")]
    pub(crate) item: u64,

    /// Folder for the results of the item, if it is a run of its own [default: none]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Replace the results of another scenario in the folder
    #[arg(long, requires = "out")]
    pub(crate) restart: bool,

    #[command(flatten)]
    pub(crate) limit: Limit,

    /// Print the summary as one JSON object and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Rerun {
    /// A table of a run, as Parquet
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Folder for the results [default: stiction-out/rerun; with --json none]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Replace the results of another scenario in the folder
    #[arg(long)]
    pub(crate) restart: bool,

    #[command(flatten)]
    pub(crate) limit: Limit,

    #[command(flatten)]
    pub(crate) workers: Workers,

    #[command(flatten)]
    pub(crate) telling: Telling,

    /// Format of the tables
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Parquet)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = PLOT_EXAMPLES)]
pub(crate) struct Plot {
    /// The folder of a finished run
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,

    /// A TOML file with `[[figure]]` entries, for instance a scenario [default: DIR/scenario.toml]
    #[arg(long, value_name = "FILE")]
    pub(crate) figures: Option<PathBuf>,

    /// Folder for the pictures [default: DIR]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

const PLOT_EXAMPLES: &str = "\
Examples:
  stiction plot results --figures my-figures.toml
  stiction plot results --figures my.toml --out pictures
  stiction plot results                        after the figures in results/scenario.toml were edited

Only pictures are written, as SVG and PNG: tables, summary and report stay as the run left them.";

/// Which scenario, and what is changed in it.
#[derive(Debug, Args)]
pub(crate) struct ScenarioChoice {
    /// A built-in scenario, a TOML file, or - for stdin
    #[arg(value_name = "NAME|FILE")]
    pub(crate) scenario: Option<String>,

    /// Change a key, for instance solver.method=rk4; several times, later ones win
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) settings: Vec<String>,
}

/// How tables are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text, one line a row
    Csv,
    /// Apache Parquet, with units and provenance in its metadata
    Parquet,
}

#[derive(Debug, Args)]
pub(crate) struct List {
    /// Only scenarios with all of these words in their name, title, mechanism, study or text
    #[arg(value_name = "WORD")]
    pub(crate) words: Vec<String>,

    /// Print a JSON list
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Show {
    /// A built-in scenario [default: the one that `stiction run` runs]
    pub(crate) name: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) scenario: ScenarioChoice,

    #[command(flatten)]
    pub(crate) limit: Limit,
}

#[derive(Debug, Args)]
#[command(after_help = CLAIMS_EXAMPLES)]
pub(crate) struct Claims {
    /// Built-in scenarios, keys of papers, or TOML files [default: all built-in scenarios]
    #[arg(value_name = "NAME|FILE")]
    pub(crate) scenarios: Vec<String>,

    /// Run the scenarios and test each claim with known errors of the result and with other seeds
    #[arg(long)]
    pub(crate) audit: bool,

    /// Run reduced, as the scenario's table `[quick]` says
    #[arg(long)]
    pub(crate) quick: bool,

    /// Number of seeds, where something is random
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) seeds: u16,

    /// Print JSON and nothing else
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) limit: Limit,

    #[command(flatten)]
    pub(crate) workers: Workers,
}

const CLAIMS_EXAMPLES: &str = "\
Examples:
  stiction claims elmer1997/fig3                       statements, expressions, bands
  stiction claims elmer1997/coulomb --audit            test them
  stiction claims hu2021 --audit --quick --seeds 5     all scenarios of a paper

The audit moves each value that a claim reads, one at a time, and prints the smallest error that
changes the verdict: 5 %, 25 %, factor 2, or never. `~` marks claims that survive 25 %, `!` faults, which
give exit code 1:
  cannot fail            no error changes the verdict. Take the band from the digits that the paper
                         prints or from the standard error, or say what the paper states by a key:
                         kind = \"trend\"    an order or a sign; must fail if the order is reversed
                         kind = \"bound\"    a printed bound; must fail at a factor of 10
  flips with the seed    widen the band to the scatter, use more realisations, or say for which share
                         of the seeds it holds: seed_share = 0.7
`zero` and `word` claims fail for any other value; only a person can say whether the model enforces it.";

#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// A key or a table, for instance `system.spring_block.law.two_slope`, or a result, for instance `period` [default: the
    /// scenario as a whole]
    #[arg(value_name = "NAME")]
    pub(crate) path: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = GALLERY_EXAMPLES)]
pub(crate) struct Gallery {
    /// Run reduced, as the tables `[quick]` of the scenarios say
    #[arg(long)]
    pub(crate) quick: bool,

    /// Only the figures of this paper
    #[arg(long, value_name = "KEY")]
    pub(crate) paper: Option<String>,

    /// Folder for the page and the runs [default: stiction-out/gallery]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) limit: Limit,

    /// Also write the gallery as Markdown with small pictures into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) markdown: Option<PathBuf>,

    /// Run everything again; otherwise figures that are there already are kept
    #[arg(long)]
    pub(crate) restart: bool,
}

const GALLERY_EXAMPLES: &str = "\
Examples:
  stiction gallery --quick                     all figures, soon done
  stiction gallery --paper hu2021 --out page   one paper at its full size

The page is DIR/index.html; it needs nothing but itself. Interrupted, the same command goes on.";

#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    pub(crate) shell: Shell,
}

#[derive(Debug, Args)]
pub(crate) struct Man {
    /// Folder to write the pages of all commands into
    pub(crate) folder: Option<PathBuf>,
}

impl From<Format> for TableFormat {
    fn from(format: Format) -> Self {
        match format {
            Format::Csv => TableFormat::Csv,
            Format::Parquet => TableFormat::Parquet,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn every_example_of_the_help_can_be_typed() {
        let lines = [EXAMPLES, RUN_EXAMPLES, PLAN_EXAMPLES, PLOT_EXAMPLES, CLAIMS_EXAMPLES, GALLERY_EXAMPLES]
            .into_iter()
            .flat_map(str::lines);
        for line in lines.filter(|line| line.starts_with("  stiction ")) {
            let typed = line.trim().split("   ").next().unwrap_or("").split([';', '>', '|']).next().unwrap_or("");
            assert!(Arguments::try_parse_from(typed.split_whitespace()).is_ok(), "{line}");
        }
    }
}
