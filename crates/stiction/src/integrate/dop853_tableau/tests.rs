//! The order conditions of the tableau: one for every rooted tree (Hairer, Nørsett, Wanner I, section II.2).
//!
//! ```text
//! Σ b_i Φ_i(t) = 1/γ(t),   Φ_i([t₁ … t_m]) = Π_k Σ_j a_ij Φ_j(t_k),   γ([t₁ … t_m]) = |t| Π_k γ(t_k)
//! ```

use super::*;
use crate::num::jet::Jet;

/// A rooted tree by what an order condition needs of it.
#[derive(Clone)]
struct Tree {
    order: usize,
    density: f64,
    /// Φ_i for every stage.
    weights: [f64; STAGES_DENSE],
}

/// All rooted trees with at most `order` nodes: 1, 1, 2, 4, 9, 20, 48, 115 of each order.
fn trees(order: usize) -> Vec<Tree> {
    let mut trees = vec![Tree { order: 1, density: 1.0, weights: [1.0; STAGES_DENSE] }];
    for wanted in 2..=order {
        let mut grown = Vec::new();
        graft(&trees, trees.len(), wanted - 1, &mut Vec::new(), &mut grown);
        trees.extend(grown);
    }
    trees
}

/// Every tree whose branches have `left` nodes in all, the branches chosen from the first `below` trees, in falling order.
fn graft(known: &[Tree], below: usize, left: usize, branches: &mut Vec<usize>, grown: &mut Vec<Tree>) {
    if left == 0 {
        let order = 1 + branches.iter().map(|&k| known[k].order).sum::<usize>();
        let density = order as f64 * branches.iter().map(|&k| known[k].density).product::<f64>();
        let weights = std::array::from_fn(|i| {
            let through = |k: usize| ROWS[i].iter().map(|&(j, a)| a * known[k].weights[j]).sum::<f64>();
            branches.iter().map(|&k| through(k)).product()
        });
        grown.push(Tree { order, density, weights });
        return;
    }
    for k in (0..below).rev().filter(|&k| known[k].order <= left) {
        branches.push(k);
        graft(known, k + 1, left - known[k].order, branches, grown);
        branches.pop();
    }
}

fn applied(row: StageRow, tree: &Tree) -> f64 {
    row.iter().map(|&(stage, weight)| weight * tree.weights[stage]).sum()
}

/// Weights b_i(θ) of the dense output: those of [`super::super::Dop853`]'s nested form.
fn dense_weights(theta: Jet<2>) -> [Jet<2>; STAGES_DENSE] {
    let constant = |value: f64| Jet::from_coefficients([value, 0.0]);
    let entry = |row: StageRow, stage: usize| row.iter().find(|e| e.0 == stage).map_or(0.0, |e| e.1);
    let rest = constant(1.0) - theta;
    std::array::from_fn(|stage| {
        let rise = entry(ROWS[STAGES], stage);
        let (first, last) = (f64::from(stage == 0), f64::from(stage == STAGES));
        let d = [rise, first - rise, 2.0 * rise - (last + first)]
            .into_iter()
            .chain(DENSE.iter().map(|row| entry(row, stage)))
            .map(constant)
            .collect::<Vec<_>>();
        let inner = d[3] + theta * (d[4] + rest * (d[5] + theta * d[6]));
        theta * (d[0] + rest * (d[1] + theta * (d[2] + rest * inner)))
    })
}

// Sums of about ten products of numbers up to 50 (step) or 500 (dense output), each correct to 1e-16.
const ROUNDING: f64 = 1e-13;
const DENSE_ROUNDING: f64 = 1e-12;

#[test]
fn there_are_as_many_trees_as_there_should_be() {
    let of_order = |n: usize| trees(8).iter().filter(|tree| tree.order == n).count();
    assert_eq!([1, 2, 3, 4, 5, 6, 7, 8].map(of_order), [1, 1, 2, 4, 9, 20, 48, 115]);
}

#[test]
fn rows_sum_to_their_nodes() {
    for (row, node) in ROWS.iter().zip(NODES) {
        let sum: f64 = row.iter().map(|entry| entry.1).sum();
        assert!((sum - node).abs() < ROUNDING, "{sum} {node}");
    }
}

#[test]
fn every_row_uses_only_stages_before_it() {
    for (i, row) in ROWS.iter().enumerate() {
        assert!(row.iter().all(|&(stage, _)| stage < i), "row {i}");
    }
}

#[test]
fn the_step_fulfils_all_two_hundred_conditions_of_order_eight() {
    for (index, tree) in trees(8).iter().enumerate() {
        let error = applied(ROWS[STAGES], tree) - 1.0 / tree.density;
        assert!(error.abs() < ROUNDING, "tree {index} of order {}: {error:e}", tree.order);
    }
}

#[test]
fn the_step_is_not_of_order_nine() {
    let largest = trees(9)
        .iter()
        .filter(|tree| tree.order == 9)
        .map(|tree| (applied(ROWS[STAGES], tree) - 1.0 / tree.density).abs())
        .fold(0.0, f64::max);
    assert!(largest > 1e-7, "{largest:e}");
}

#[test]
fn the_error_estimates_vanish_up_to_their_orders_and_not_beyond() {
    for (row, order) in [(ERROR_5, 5), (ERROR_3, 3)] {
        let mut next = 0.0_f64;
        for tree in trees(order + 1) {
            let estimate = applied(row, &tree);
            if tree.order <= order {
                assert!(estimate.abs() < ROUNDING, "order {}: {estimate:e}", tree.order);
            } else {
                next = next.max(estimate.abs());
            }
        }
        assert!(next > 1e-6, "an estimate of order {order} that sees nothing: {next:e}");
    }
}

#[test]
fn the_dense_output_has_order_seven_everywhere_in_the_step() {
    for theta in [0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95] {
        let weights = dense_weights(Jet::variable(theta)).map(|weight| weight.coefficients()[0]);
        for tree in trees(7) {
            let value: f64 = weights.iter().zip(tree.weights).map(|(b, phi)| b * phi).sum();
            let error = value - theta.powi(tree.order as i32) / tree.density;
            assert!(error.abs() < DENSE_ROUNDING, "θ = {theta}, order {}: {error:e}", tree.order);
        }
    }
}

#[test]
fn the_dense_output_meets_both_ends_in_value_and_slope() {
    let entry = |stage: usize| ROWS[STAGES].iter().find(|e| e.0 == stage).map_or(0.0, |e| e.1);
    for (stage, (start, end)) in
        dense_weights(Jet::variable(0.0)).into_iter().zip(dense_weights(Jet::variable(1.0))).enumerate()
    {
        let ([value_start, slope_start], [value_end, slope_end]) = (start.coefficients(), end.coefficients());
        assert_eq!(value_start, 0.0, "stage {stage}");
        assert!((slope_start - f64::from(stage == 0)).abs() < DENSE_ROUNDING, "stage {stage}");
        assert!((value_end - entry(stage)).abs() < DENSE_ROUNDING, "stage {stage}");
        assert!((slope_end - f64::from(stage == STAGES)).abs() < DENSE_ROUNDING, "stage {stage}");
    }
}
