//! shim
#[derive(Clone, Copy, Debug)]
pub struct ScrubBrief<'a> {
    pub names: &'a [String],
    pub texts: &'a [String],
}
pub fn scrub_summary(_s: &str, _b: &ScrubBrief<'_>) -> Option<String> {
    None
}
