//! An offer is answered: H.264 before VP8, received only; audio is taken so that senders are content, and ignored.

use std::net::SocketAddr;
use std::time::Instant;

use runtime::ports::StreamRefusal;
use str0m::change::SdpOffer;
use str0m::{Candidate, Rtc, RtcConfig};

/// Level 5.2: what the decoder can do. The profiles are baseline, constrained baseline, main and high.
const H264_PROFILES: [(u8, u8, u32); 4] = [
    (108, 109, 0x42_e0_34),
    (127, 121, 0x42_00_34),
    (123, 119, 0x4d_00_34),
    (114, 115, 0x64_00_34),
];

/// Answers an offer, with the addresses by which the stream can come. Takes some milliseconds, for keys are made.
pub(super) async fn answer(
    offer: String,
    addresses: Vec<SocketAddr>,
) -> Result<(Rtc, String), StreamRefusal> {
    let answered = tokio::task::spawn_blocking(move || negotiate(&offer, &addresses)).await;
    // An offer that nobody thought of may trip the library; that is the offer's fault.
    answered.unwrap_or_else(|_| Err(bad_offer("it makes no sense")))
}

fn negotiate(offer: &str, addresses: &[SocketAddr]) -> Result<(Rtc, String), StreamRefusal> {
    // Whoever would receive too is only received from.
    let offer = offer.replace("a=sendrecv", "a=sendonly");
    // The parser's own words tell where in the memory of this process it was.
    let offer = SdpOffer::from_sdp_string(&offer)
        .map_err(|_| bad_offer("it is no description of a session (SDP) that can be read"))?;
    let mut rtc = config().build(Instant::now());
    for address in addresses {
        let candidate = Candidate::host(*address, "udp");
        let candidate = candidate.map_err(|error| StreamRefusal::Unavailable(error.to_string()))?;
        rtc.add_local_candidate(candidate);
    }
    let answer = rtc.sdp_api().accept_offer(offer);
    let answer = answer
        .map_err(|error| bad_offer(&error.to_string()))?
        .to_sdp_string();
    if !receives_video(&answer) {
        let why = "the offer has no video in H.264 or VP8 that would be sent; choose one of these codecs in the sender";
        return Err(StreamRefusal::NoUsableVideo(why.to_owned()));
    }
    Ok((rtc, answer))
}

fn config() -> RtcConfig {
    let mut config = RtcConfig::new()
        .clear_codecs()
        .set_ice_lite(true)
        .set_rtp_mode(true);
    let codecs = config.codec_config();
    for (payload, resent, profile) in H264_PROFILES {
        codecs.add_h264(payload.into(), Some(resent.into()), true, profile);
    }
    codecs.enable_vp8(true);
    codecs.enable_opus(true, false);
    codecs.enable_pcmu(true, false);
    codecs.enable_pcma(true, false);
    codecs.enable_g722(true, false);
    config
}

/// Whether an answer accepts video from the other side.
fn receives_video(answer: &str) -> bool {
    let sections = answer.split("\r\nm=").skip(1);
    let mut video = sections.filter(|section| section.starts_with("video "));
    video.any(|section| !section.starts_with("video 0 ") && section.contains("\r\na=recvonly"))
}

fn bad_offer(why: &str) -> StreamRefusal {
    StreamRefusal::BadOffer(format!("the offer cannot be answered: {why}"))
}

#[cfg(test)]
#[path = "negotiation_tests.rs"]
mod negotiation_tests;
