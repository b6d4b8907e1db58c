//! The same picture as pixels, with the font that the program carries and none of the machine's.

use super::draw::Drawing;
use super::error::FigureError;
use resvg::{tiny_skia, usvg};
use std::sync::{Arc, LazyLock};

/// Pixels per point: 300 to the inch.
const SCALE: f64 = 300.0 / 72.0;
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
    /// [`FigureError::Png`] if the picture is too large for pixels.
    pub fn png(&self) -> Result<Vec<u8>, FigureError> {
        let fail = |reason: String| FigureError::Png { figure: self.name.clone(), reason };
        let options = usvg::Options {
            fontdb: Arc::clone(&FONTS),
            font_family: "DejaVu Sans".to_owned(),
            ..usvg::Options::default()
        };
        let tree = usvg::Tree::from_str(&self.svg, &options).map_err(|error| fail(error.to_string()))?;
        let inches = 1.0 / 25.4;
        let (wide, high) = (self.width * inches * 72.0 * SCALE, self.height * inches * 72.0 * SCALE);
        if !(wide <= MOST && high <= MOST) {
            return Err(fail(format!("{wide:.0} x {high:.0} pixels are more than {MOST} x {MOST}; use fewer panels")));
        }
        let (pixels_wide, pixels_high) = (wide.round().max(1.0) as u32, high.round().max(1.0) as u32);
        let mut pixels =
            tiny_skia::Pixmap::new(pixels_wide, pixels_high).ok_or_else(|| fail("no memory".to_owned()))?;
        pixels.fill(tiny_skia::Color::WHITE);
        let size = tree.size();
        let scale =
            tiny_skia::Transform::from_scale(pixels_wide as f32 / size.width(), pixels_high as f32 / size.height());
        resvg::render(&tree, scale, &mut pixels.as_mut());
        encode(&pixels, &self.stamp).map_err(|error| fail(error.to_string()))
    }
}

/// Opaque colours, and the resolution, so that other programs know the size in print.
fn encode(pixels: &tiny_skia::Pixmap, stamp: &[(String, String)]) -> Result<Vec<u8>, png::EncodingError> {
    let colors: Vec<u8> = pixels.pixels().iter().flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect();
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, pixels.width(), pixels.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let per_metre = (300.0_f64 / 0.0254).round() as u32;
    encoder.set_pixel_dims(Some(png::PixelDimensions { xppu: per_metre, yppu: per_metre, unit: png::Unit::Meter }));
    for (name, value) in stamp {
        encoder.add_itxt_chunk(name.clone(), value.clone())?;
    }
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&colors)?;
    writer.finish()?;
    Ok(file)
}
