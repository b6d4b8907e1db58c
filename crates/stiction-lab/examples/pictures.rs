//! Draws the sample figures of the tests into a folder, and a sample report, to look at them:
//! `cargo run --example pictures -- FOLDER`.

#[path = "../tests/support/record.rs"]
mod record;
#[path = "../tests/support/samples.rs"]
mod samples;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::path::PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "pictures".to_owned()));
    std::fs::create_dir_all(&folder)?;
    for sample in samples::all() {
        let drawing = stiction_lab::figure::draw(&sample.figure, &sample.tables, sample.note)?;
        std::fs::write(folder.join(format!("{}.svg", sample.name)), &drawing.svg)?;
        std::fs::write(folder.join(format!("{}.png", sample.name)), drawing.png()?)?;
    }
    let record = record::record();
    let format = stiction_lab::report::TableFormat::Parquet;
    let written = stiction_lab::report::write_run(&record, &folder.join("report"), format)?;
    print!("{}", stiction_lab::report::short_summary(&record, Some(&written)));
    Ok(())
}
