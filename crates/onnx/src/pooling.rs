//! From a vector per token to one vector per text, of length one.

use serde_json::Value;

/// How the tokens of a text become one vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pooling {
    /// The mean over the tokens that are text.
    Mean,
    /// The first token stands for all.
    First,
    /// The last token stands for all, as in models made from language models.
    Last,
}

impl Pooling {
    /// Reads sentence-transformers' `1_Pooling/config.json`.
    pub(crate) fn from_configuration(configuration: &Value) -> Option<Self> {
        let says = |key: &str| configuration[key].as_bool() == Some(true);
        if says("pooling_mode_cls_token") {
            Some(Pooling::First)
        } else if says("pooling_mode_lasttoken") {
            Some(Pooling::Last)
        } else if says("pooling_mode_mean_tokens") {
            Some(Pooling::Mean)
        } else {
            None
        }
    }

    /// What the makers of a family of models took, where its folder does not say.
    pub(crate) fn of_lineage(lineage: &str) -> Self {
        let lineage = lineage.to_lowercase();
        let first = ["bge-", "mxbai-embed", "arctic-embed"];
        if first.iter().any(|family| lineage.contains(family)) {
            Pooling::First
        } else if lineage.contains("qwen3-embedding") {
            Pooling::Last
        } else {
            Pooling::Mean
        }
    }

    /// One vector from `tokens`, which holds `mask.len()` vectors of `dimensions`; the mask says which are text.
    pub(crate) fn pool(self, tokens: &[f32], mask: &[i64], dimensions: usize) -> Vec<f32> {
        debug_assert_eq!(tokens.len(), mask.len() * dimensions);
        let vectors = || {
            tokens
                .chunks_exact(dimensions)
                .zip(mask)
                .filter(|(_, m)| **m != 0)
        };
        let pooled = match self {
            Pooling::First => vectors().next().map(|(vector, _)| vector.to_vec()),
            Pooling::Last => vectors().next_back().map(|(vector, _)| vector.to_vec()),
            Pooling::Mean => {
                let mut sum = vec![0.0; dimensions];
                for (vector, _) in vectors() {
                    for (total, value) in sum.iter_mut().zip(vector) {
                        *total += value;
                    }
                }
                // The count does not matter: only the direction is kept.
                Some(sum)
            }
        };
        pooled.unwrap_or_else(|| vec![0.0; dimensions])
    }
}

/// Brings a vector to length one; one without a direction, or with a number that is none, is not a vector.
pub(crate) fn unit(mut vector: Vec<f32>) -> Option<Vec<f32>> {
    let length = vector
        .iter()
        .map(|value| f64::from(*value).powi(2))
        .sum::<f64>()
        .sqrt();
    if !length.is_finite() || length < 1e-12 {
        return None;
    }
    for value in &mut vector {
        *value = (f64::from(*value) / length) as f32;
    }
    Some(vector)
}

#[cfg(test)]
#[path = "pooling_tests.rs"]
mod tests;
