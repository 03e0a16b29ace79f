//! What goes into a model and what comes out, read from the model itself.

use ort::session::Session;
use ort::value::{TensorElementType, ValueType};

use crate::pooling::Pooling;

/// What a model wants to be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    Ids,
    Mask,
    Types,
    Positions,
}

/// Which of a model's outputs is taken, and how it becomes one vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Output {
    /// The model has done the pooling itself.
    Whole {
        name: String,
    },
    PerToken {
        name: String,
        pooling: Pooling,
    },
}

impl Input {
    const ALL: [Input; 4] = [Input::Ids, Input::Mask, Input::Types, Input::Positions];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Input::Ids => "input_ids",
            Input::Mask => "attention_mask",
            Input::Types => "token_type_ids",
            Input::Positions => "position_ids",
        }
    }

    /// What a model wants, in its order; or why it cannot be given that.
    pub(crate) fn of(session: &Session) -> Result<Vec<Self>, String> {
        let mut inputs = Vec::new();
        for wanted in session.inputs() {
            let known = Input::ALL.into_iter().find(|input| input.name() == wanted.name());
            let input = known.ok_or_else(|| format!("it wants an input named {}", wanted.name()))?;
            match wanted.dtype() {
                ValueType::Tensor {
                    ty: TensorElementType::Int64,
                    ..
                } => inputs.push(input),
                other => return Err(format!("its input {} takes {other}", wanted.name())),
            }
        }
        if inputs.contains(&Input::Ids) {
            Ok(inputs)
        } else {
            Err("it has no input named input_ids".to_owned())
        }
    }
}

impl Output {
    /// A pooled output is what the makers meant; else the vectors of the tokens, by their usual names first.
    pub(crate) fn of(session: &Session, pooling: Pooling) -> Result<Self, String> {
        let mut found: Vec<(&str, usize)> = Vec::new();
        for output in session.outputs() {
            if let ValueType::Tensor {
                ty: TensorElementType::Float32,
                shape,
                ..
            } = output.dtype()
            {
                found.push((output.name(), shape.len()));
            }
        }
        let named = |wanted: &[&str], rank| {
            wanted
                .iter()
                .find_map(|wanted| found.iter().find(|known| **known == (*wanted, rank)))
        };
        if let Some((name, _)) = named(&["sentence_embedding"], 2) {
            return Ok(Output::Whole {
                name: (*name).to_owned(),
            });
        }
        let per_token = named(&["last_hidden_state", "token_embeddings"], 3)
            .or_else(|| found.iter().find(|(_, rank)| *rank == 3));
        match per_token {
            Some((name, _)) => Ok(Output::PerToken {
                name: (*name).to_owned(),
                pooling,
            }),
            None => Err(
                "it has no output of 32-bit numbers per token, nor one named sentence_embedding".to_owned(),
            ),
        }
    }

    pub(crate) fn name(&self) -> &str {
        match self {
            Output::Whole { name } | Output::PerToken { name, .. } => name,
        }
    }
}
