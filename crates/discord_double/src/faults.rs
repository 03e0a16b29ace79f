//! What goes wrong with requests, on demand.

use serde_json::Value;

use crate::ids::{Millis, now};
use crate::limits::matches;

#[derive(Clone, Debug)]
pub enum FaultKind {
    /// An answer of that status; done before it, or not at all.
    Status { code: u16, carried_out: bool },
    /// Too many requests: for so many seconds, of that scope.
    Limited { seconds: f64, scope: String },
    /// Done, but late.
    Slow { millis: Millis },
    /// Done, but the connection ends within the answer.
    Cut,
}

#[derive(Clone, Debug)]
pub struct Fault {
    pub route: String,
    pub left: u64,
    pub kind: FaultKind,
}

#[derive(Debug, Default)]
pub struct Faults {
    pub waiting: Vec<Fault>,
    /// Until when everything but the control API is down.
    pub down_until: Millis,
}

impl Faults {
    /// The fault that this request meets, which is one less then.
    pub fn meet(&mut self, method: &str, path: &[String]) -> Option<FaultKind> {
        let at = self
            .waiting
            .iter()
            .position(|it| it.left > 0 && matches(&it.route, method, path))?;
        let fault = &mut self.waiting[at];
        fault.left -= 1;
        let kind = fault.kind.clone();
        self.waiting.retain(|it| it.left > 0);
        Some(kind)
    }

    pub fn is_down(&self) -> bool {
        now() < self.down_until
    }
}

/// Reads a fault of requests: `{"kind", "route", "times", …}`.
pub fn read(wish: &Value) -> Result<Fault, String> {
    let number = |key: &str, usual: u64| wish[key].as_u64().unwrap_or(usual);
    let kind = match wish["kind"].as_str().unwrap_or_default() {
        "status" => {
            let code = u16::try_from(number("status", 500))
                .ok()
                .filter(|code| (400..600).contains(code));
            let code = code.ok_or("status: 400 to 599")?;
            FaultKind::Status {
                code,
                carried_out: wish["carried_out"].as_bool().unwrap_or(false),
            }
        }
        "rate_limit" => FaultKind::Limited {
            seconds: wish["retry_after"].as_f64().unwrap_or(0.5),
            scope: wish["scope"].as_str().unwrap_or("user").to_owned(),
        },
        "slow" => FaultKind::Slow {
            millis: number("ms", 1000),
        },
        "cut" => FaultKind::Cut,
        other => {
            return Err(format!(
                "kind: {other:?} is none of status, rate_limit, slow, cut"
            ));
        }
    };
    let route = wish["route"].as_str().unwrap_or("*").to_owned();
    Ok(Fault {
        route,
        left: number("times", 1),
        kind,
    })
}
