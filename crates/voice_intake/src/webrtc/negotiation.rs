//! An offer is answered: one audio in Opus, both ways. Video is declined.

use std::net::SocketAddr;
use std::time::Instant;

use runtime::ports::DoorRefusal;
use str0m::change::SdpOffer;
use str0m::{Candidate, Rtc, RtcConfig};

/// A connection that is about to be made.
pub(super) struct Negotiated {
    pub(super) rtc: Rtc,
    pub(super) answer: String,
}

/// Answers an offer, with the addresses by which the voice can come. Takes some milliseconds, for keys are made.
pub(super) async fn answer(offer: String, addresses: Vec<SocketAddr>) -> Result<Negotiated, DoorRefusal> {
    let answered = tokio::task::spawn_blocking(move || negotiate(&offer, &addresses)).await;
    // An offer that nobody thought of may trip the library; that is the offer's fault.
    answered.unwrap_or_else(|_| Err(bad_offer("it makes no sense")))
}

fn negotiate(offer: &str, addresses: &[SocketAddr]) -> Result<Negotiated, DoorRefusal> {
    // The parser's own words tell where in the memory of this process it was.
    let offer = SdpOffer::from_sdp_string(offer)
        .map_err(|_| bad_offer("it is no description of a session (SDP) that can be read"))?;
    let mut config = RtcConfig::new()
        .clear_codecs()
        .set_ice_lite(true)
        .set_rtp_mode(true);
    config.codec_config().enable_opus(true, false);
    let mut rtc = config.build(Instant::now());
    for address in addresses {
        let candidate = Candidate::host(*address, "udp");
        let candidate = candidate.map_err(|error| DoorRefusal::Unavailable(error.to_string()))?;
        rtc.add_local_candidate(candidate);
    }
    let answer = rtc.sdp_api().accept_offer(offer);
    let answer = answer
        .map_err(|error| bad_offer(&error.to_string()))?
        .to_sdp_string();
    if !takes_audio(&answer) {
        return Err(bad_offer(
            "it has no audio in Opus, which every browser can offer",
        ));
    }
    Ok(Negotiated { rtc, answer })
}

/// Whether an answer accepts audio, in whichever direction.
fn takes_audio(answer: &str) -> bool {
    let sections = answer.split("\r\nm=").skip(1);
    let mut audio = sections.filter(|section| section.starts_with("audio "));
    audio.any(|section| !section.starts_with("audio 0 ") && !section.contains("\r\na=inactive"))
}

fn bad_offer(why: &str) -> DoorRefusal {
    DoorRefusal::BadOffer(format!(
        "The offer cannot be answered: {why}. Offer one audio track, as RTCPeerConnection.createOffer makes it."
    ))
}

#[cfg(test)]
#[path = "negotiation_tests.rs"]
mod negotiation_tests;
