//! The line of sound of every call, and the time that passes for them.

use std::sync::Arc;
use std::time::Duration;

use tokio::net::UdpSocket;
use tokio::time::MissedTickBehavior;

use crate::Shared;

const TICK: Duration = Duration::from_millis(100);
/// No server answers at once, and some clients listen only after they have asked.
const ON_ITS_WAY: Duration = Duration::from_millis(20);

pub async fn run(socket: UdpSocket, shared: Arc<Shared>) {
    let socket = Arc::new(socket);
    let mut packet = vec![0; 4096];
    let mut ticks = tokio::time::interval(TICK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        // Whoever comes into a call asks for their address first.
        let has_calls = !shared.world().calls.talkers.is_empty();
        let received = tokio::select! {
            _ = ticks.tick(), if has_calls => {
                shared.world().calls.tick();
                continue;
            }
            received = socket.recv_from(&mut packet) => received,
        };
        // What could not be delivered is told here, too, and is nobody's fault.
        let Ok((length, from)) = received else {
            continue;
        };
        let sent = shared.world().calls.packet(from, &packet[..length]);
        for (to, packet) in sent {
            if to != from {
                let _ = socket.send_to(&packet, to).await;
                continue;
            }
            let socket = Arc::clone(&socket);
            tokio::spawn(async move {
                tokio::time::sleep(ON_ITS_WAY).await;
                let _ = socket.send_to(&packet, to).await;
            });
        }
    }
}
