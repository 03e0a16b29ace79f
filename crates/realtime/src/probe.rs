//! Whether a service works: it is connected to and told how a session is to be, and what it tells first is waited for.

use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use crate::command::Command;
use crate::event::{FaultKind, ServiceEvent, ServiceFault};
use crate::plug::{Happening, Plug};
use crate::socket::Endpoint;
use crate::wire::Part;

/// A service that tells nothing before it is given words has so long to hang up.
const SILENT_FOR: Duration = Duration::from_millis(500);

/// How far a trial has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Connecting,
    Connected,
    ToldHow,
}

/// What it lacks, and whether it was only slow.
pub(crate) async fn probe(endpoint: &Endpoint, within: Duration) -> Result<(), (ServiceFault, bool)> {
    let mut plug = Plug::new(endpoint.clone());
    let until = Instant::now() + within;
    let mut deadline = until;
    let mut stage = Stage::Connecting;
    let broken = |fault: ServiceFault| (fault, false);
    plug.open(1);
    loop {
        let Ok(happening) = timeout_at(deadline, plug.next(None)).await else {
            if stage == Stage::Connected && !endpoint.brief.tells_when_ready() {
                return Ok(());
            }
            let who = &endpoint.choice.who;
            let seconds = within.as_secs();
            let detail = match stage {
                Stage::Connecting => format!("{who} did not answer within {seconds} s"),
                Stage::Connected => format!("{who} lets in and says nothing for {seconds} s"),
                Stage::ToldHow => format!("{who} did not set a session up within {seconds} s"),
            };
            return Err((
                ServiceFault::new(FaultKind::Passing, detail),
                stage != Stage::Connecting,
            ));
        };
        match happening {
            Happening::Opened { .. } => {
                stage = Stage::Connected;
                if !endpoint.brief.tells_when_ready() {
                    deadline = Instant::now() + SILENT_FOR;
                } else if !endpoint.brief.is_greeted_first() {
                    stage = Stage::ToldHow;
                    set_up(&mut plug, endpoint);
                }
            }
            Happening::Told { reading, .. } => {
                for event in reading.events {
                    match event {
                        ServiceEvent::Greeted if stage == Stage::Connected => {
                            stage = Stage::ToldHow;
                            set_up(&mut plug, endpoint);
                        }
                        ServiceEvent::Ready => return Ok(()),
                        ServiceEvent::Fault(fault) => return Err(broken(fault)),
                        _ => {}
                    }
                }
            }
            Happening::Gone { fault, .. } => return Err(broken(fault)),
            Happening::Replaced { .. } => {
                (stage, deadline) = (Stage::Connecting, until);
                plug.open(1);
            }
            Happening::Tick => {}
        }
    }
}

fn set_up(plug: &mut Plug, endpoint: &Endpoint) {
    let command = match endpoint.brief.part {
        Part::Mind => Command::Begin {
            resume: None,
            being: std::sync::Arc::default(),
            history: Vec::new(),
        },
        _ => Command::SetUp { resume: None },
    };
    // Where it does not go out, the connection is gone, and that is told next.
    let _ = plug.send(&command);
}
