//! What the usual models cost at OpenAI's own address: list prices as last known in November 2026. They change; what
//! is not known here is not guessed.

use serde_json::Value;

/// Dollars for a million tokens, which are millionths of a dollar for one.
struct TokenPrices {
    /// How the model's name begins; the first that fits counts.
    model: &'static str,
    text_in: f64,
    image_in: f64,
    image_out: f64,
}

const PICTURES: [TokenPrices; 4] = [
    TokenPrices {
        model: "gpt-image-1-mini",
        text_in: 2.0,
        image_in: 2.5,
        image_out: 8.0,
    },
    TokenPrices {
        model: "gpt-image-1.5",
        text_in: 5.0,
        image_in: 8.0,
        image_out: 32.0,
    },
    // 2, 2.5 and 2.6 alike.
    TokenPrices {
        model: "gpt-image-2",
        text_in: 5.0,
        image_in: 8.0,
        image_out: 30.0,
    },
    TokenPrices {
        model: "gpt-image-1",
        text_in: 5.0,
        image_in: 10.0,
        image_out: 40.0,
    },
];

/// Millionths of a dollar for a picture, by the tokens that the answer counts or by the size.
pub(crate) fn picture(model: &str, size: &str, answer: &Value) -> Option<u64> {
    let fixed = match (model, size) {
        ("dall-e-3", "1024x1024") => Some(40_000),
        ("dall-e-3", _) => Some(80_000),
        ("dall-e-2", "512x512") => Some(18_000),
        ("dall-e-2", _) => Some(20_000),
        _ => None,
    };
    fixed.or_else(|| by_tokens(model, &answer["usage"]))
}

fn by_tokens(model: &str, usage: &Value) -> Option<u64> {
    let prices = PICTURES.iter().find(|prices| model.starts_with(prices.model))?;
    let output = usage["output_tokens"].as_u64()?;
    let input = usage["input_tokens"].as_u64()?;
    let image_in = usage["input_tokens_details"]["image_tokens"]
        .as_u64()
        .unwrap_or(0)
        .min(input);
    let cost = output as f64 * prices.image_out
        + image_in as f64 * prices.image_in
        + (input - image_in) as f64 * prices.text_in;
    Some(cost.round() as u64)
}

/// Millionths of a dollar for a clip.
pub(crate) fn clip(model: &str, seconds: u64) -> Option<u64> {
    let a_second = match model {
        model if model.starts_with("sora-2-pro") => 300_000,
        model if model.starts_with("sora-2") => 100_000,
        _ => return None,
    };
    Some(a_second * seconds)
}

#[cfg(test)]
#[path = "prices_tests.rs"]
mod tests;
