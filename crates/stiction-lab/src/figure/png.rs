//! The same picture as pixels, with the font that the program carries and none of the machine's.

use super::draw::Drawing;
use super::error::{FigureError, Mistake};
use resvg::{tiny_skia, usvg};
use std::sync::{Arc, LazyLock};

/// Pixels per inch of a picture for print.
const PER_INCH: f64 = 300.0;
/// Most pixels along one side.
const MOST: f64 = 20_000.0;

static FONTS: LazyLock<Arc<usvg::fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = usvg::fontdb::Database::new();
    fonts.load_font_data(dejavu::sans::regular().to_vec());
    fonts.load_font_data(dejavu::sans::bold().to_vec());
    fonts.set_sans_serif_family("DejaVu Sans");
    Arc::new(fonts)
});

impl Drawing {
    /// The picture as a PNG file with 300 pixels to the inch.
    ///
    /// # Errors
    /// [`Mistake::Png`] if the picture is too large for pixels.
    pub fn png(&self) -> Result<Vec<u8>, FigureError> {
        render(&self.svg, PER_INCH, &self.stamp).map_err(|reason| Mistake::Png(reason).of(&self.name))
    }
}

/// A picture that the program drew as a PNG file with so many pixels to the inch.
///
/// # Errors
/// [`Mistake::Png`] if the text is no picture, or too large for pixels.
pub fn png_of(svg: &str, per_inch: f64) -> Result<Vec<u8>, FigureError> {
    render(svg, per_inch, &[]).map_err(|reason| Mistake::Png(reason).of("picture"))
}

fn render(svg: &str, per_inch: f64, stamp: &[(String, String)]) -> Result<Vec<u8>, String> {
    let options = usvg::Options {
        fontdb: Arc::clone(&FONTS),
        font_family: "DejaVu Sans".to_owned(),
        dpi: per_inch as f32,
        // a picture of strangers opens no file: its images are in itself
        image_href_resolver: usvg::ImageHrefResolver {
            resolve_string: Box::new(|_, _| None),
            ..usvg::ImageHrefResolver::default()
        },
        ..usvg::Options::default()
    };
    let tree = usvg::Tree::from_str(svg, &options).map_err(|error| error.to_string())?;
    // with that many dots to the inch, a size in millimetres is a size in pixels
    let size = tree.size();
    let (wide, high) = (f64::from(size.width()), f64::from(size.height()));
    if !(wide <= MOST && high <= MOST) {
        return Err(format!("{wide:.0} x {high:.0} pixels are more than {MOST} x {MOST}; use fewer panels"));
    }
    let (pixels_wide, pixels_high) = (wide.round().max(1.0) as u32, high.round().max(1.0) as u32);
    let mut pixels = tiny_skia::Pixmap::new(pixels_wide, pixels_high).ok_or("no memory")?;
    pixels.fill(tiny_skia::Color::WHITE);
    let scale = tiny_skia::Transform::from_scale(pixels_wide as f32 / size.width(), pixels_high as f32 / size.height());
    resvg::render(&tree, scale, &mut pixels.as_mut());
    encode(&pixels, per_inch, stamp).map_err(|error| error.to_string())
}

/// Opaque colours, and the resolution, so that other programs know the size in print.
fn encode(
    pixels: &tiny_skia::Pixmap,
    per_inch: f64,
    stamp: &[(String, String)],
) -> Result<Vec<u8>, png::EncodingError> {
    let mut colors = vec![0; 3 * pixels.pixels().len()];
    for (color, pixel) in colors.chunks_exact_mut(3).zip(pixels.data().chunks_exact(4)) {
        color.copy_from_slice(&pixel[..3]);
    }
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, pixels.width(), pixels.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let per_metre = (per_inch / 0.0254).round() as u32;
    encoder.set_pixel_dims(Some(png::PixelDimensions { xppu: per_metre, yppu: per_metre, unit: png::Unit::Meter }));
    for (name, value) in stamp {
        encoder.add_itxt_chunk(name.clone(), value.clone())?;
    }
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&colors)?;
    writer.finish()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_opens_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let black = folder.path().join("black.svg");
        std::fs::write(
            &black,
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>"#,
        )
        .unwrap();
        let picture = |inside: &str| {
            let svg = format!(r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">{inside}</svg>"#);
            png_of(&svg, 96.0).unwrap()
        };
        let image = picture(&format!(r#"<image width="9" height="9" href="{}"/>"#, black.display()));
        assert!(image == picture("") && image != picture(r#"<rect width="9" height="9"/>"#));
    }
}
