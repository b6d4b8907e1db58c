//! The papers and their figures that show data.

/// A paper whose systems the program implements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paper {
    /// The first part of the names of its scenarios.
    pub key: &'static str,
    /// What it is.
    pub citation: &'static str,
    /// Its figures that show data; those that show an apparatus are left out.
    pub figures: &'static [&'static str],
}

/// All papers, in the order of the gallery.
pub const PAPERS: [Paper; 5] = [
    Paper {
        key: "elmer1997",
        citation: "F.-J. Elmer, Nonlinear dynamics of dry friction (1997)",
        figures: &["fig1", "fig3"],
    },
    Paper {
        key: "szalai2014",
        citation: "R. Szalai and M. R. Jeffrey, Non-deterministic dynamics of a mechanical system (2014)",
        figures: &["fig3", "fig4", "fig5", "fig8"],
    },
    Paper {
        key: "hu2021",
        citation: "H. Hu, A. Batou and H. Ouyang, Coefficient of friction random field modelling and analysis in planar sliding (2021)",
        figures: &[
            "fig3", "fig4", "fig5", "fig6", "fig7", "fig8", "fig9", "fig10", "fig11", "fig14", "fig15", "figA1",
            "figA2",
        ],
    },
    Paper {
        key: "hu2023_belt",
        citation: "H. Hu, A. Batou and H. Ouyang (2023), stochastic planar stick-slip of a slider on a belt",
        figures: &[
            "fig3", "fig4", "fig5", "fig6", "fig7", "fig9", "fig10", "fig11", "fig12", "fig13", "fig14", "fig15",
            "fig16",
        ],
    },
    Paper {
        key: "hu2023_disc",
        citation: "H. Hu, A. Batou, H. Ouyang and N. Liu, Friction-induced planar vibration of a two-rigid-disc system with a finite contact area subjected to uncertain friction (2023)",
        figures: &[
            "fig4", "fig5", "fig6", "fig7", "fig8", "fig9", "fig10", "fig11", "fig12", "fig13", "fig14", "fig15",
            "fig16", "figA1",
        ],
    },
];

/// The scenarios of all figures with data, of one paper or of all, in the order of the gallery.
pub fn figures(paper: Option<&str>) -> impl Iterator<Item = String> + '_ {
    let papers = PAPERS.iter().filter(move |known| paper.is_none_or(|paper| paper == known.key));
    papers.flat_map(|paper| paper.figures.iter().map(move |figure| format!("{}/{figure}", paper.key)))
}
