//! Whether a picture found in a folder is one that this program could have drawn: a page that shows it takes it in as it is, and so
//! would run whatever a stranger had put into it.

use resvg::usvg::roxmltree::{Document, Node};

/// Every element that a picture has.
const ELEMENTS: [&str; 8] = ["svg", "g", "path", "rect", "text", "tspan", "image", "metadata"];
/// Every attribute that an element has.
const ATTRIBUTES: [&str; 25] = [
    "d",
    "dy",
    "fill",
    "fill-opacity",
    "font-family",
    "font-size",
    "font-weight",
    "height",
    "href",
    "overflow",
    "paint-order",
    "preserveAspectRatio",
    "stroke",
    "stroke-dasharray",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-opacity",
    "stroke-width",
    "style",
    "text-anchor",
    "transform",
    "viewBox",
    "width",
    "x",
    "y",
];
const NAMESPACE: &str = "http://www.w3.org/2000/svg";

/// Whether the text is a picture of known elements and attributes that needs nothing but itself. Comments and the like are refused:
/// a page ends them elsewhere than XML does.
pub(crate) fn is_own_picture(svg: &str) -> bool {
    svg.starts_with("<svg ")
        && !svg.contains("<!")
        && !svg.contains("<?")
        && Document::parse(svg).is_ok_and(|document| document.root().descendants().skip(1).all(|node| is_known(&node)))
}

fn is_known(node: &Node<'_, '_>) -> bool {
    if node.is_text() {
        return true;
    }
    let named = node.tag_name();
    let element = named.namespace() == Some(NAMESPACE) && ELEMENTS.contains(&named.name());
    element
        && node.namespaces().all(|known| known.uri() == NAMESPACE)
        && node.attributes().all(|attribute| is_harmless(attribute.name(), attribute.value()))
}

fn is_harmless(name: &str, value: &str) -> bool {
    ATTRIBUTES.contains(&name)
        && match name {
            "href" => value.starts_with("data:image/png;base64,"),
            "style" => value == IMAGE_STYLE,
            _ => !value.contains("url("),
        }
}

/// The only style that is written: cells of a map keep their edges.
const IMAGE_STYLE: &str = "image-rendering:pixelated";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::Table;
    use crate::figure::{Figure, draw};

    fn drawn() -> String {
        let axis: Vec<f64> = (0..12).map(f64::from).collect();
        let table = Table::new("t", "")
            .numbers("a", "m", "a_1 < b", axis.iter().map(|x| x % 3.0).collect())
            .numbers("b", "m", "b", axis.iter().map(|x| (x / 3.0).floor()).collect())
            .numbers("c", "m", "c", axis.clone());
        let figure: Figure = toml::from_str("map = { x = \"a\", y = \"b\", color = \"c\" }").unwrap();
        draw(&figure, &[table], Some("note")).unwrap().stamped(&[("program".to_owned(), "stiction".to_owned())]).svg
    }

    #[test]
    fn what_the_program_draws_is_its_own() {
        assert!(is_own_picture(&drawn()), "{}", drawn());
        let golden = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
        let mut seen = 0;
        for entry in std::fs::read_dir(golden).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|end| end == "svg") {
                assert!(is_own_picture(&std::fs::read_to_string(&path).unwrap()), "{}", path.display());
                seen += 1;
            }
        }
        assert!(seen > 3, "{seen}");
    }

    #[test]
    fn what_a_stranger_adds_is_refused() {
        let own = drawn();
        for (place, added) in [
            ("</svg>", "<script>alert(1)</script></svg>"),
            ("</svg>", "<foreignObject/></svg>"),
            ("</svg>", "<!--><script>alert(1)</script>--></svg>"),
            ("</svg>", "<g onload=\"alert(1)\"/></svg>"),
            ("</svg>", "<image href=\"file:///etc/passwd\"/></svg>"),
            ("</svg>", "<image href=\"https://example.org/x.png\"/></svg>"),
            ("</svg>", "<rect style=\"background:url(//example.org)\"/></svg>"),
            ("</svg>", "<rect fill=\"url(//example.org#a)\"/></svg>"),
            ("</svg>", "<h:a xmlns:h=\"http://www.w3.org/1999/xhtml\"/></svg>"),
            ("<svg ", "<?xml version=\"1.0\"?><svg "),
            ("<svg ", "<svg onload=\"alert(1)\" "),
            ("</svg>", ""),
        ] {
            assert!(!is_own_picture(&own.replacen(place, added, 1)), "{added}");
        }
    }
}
