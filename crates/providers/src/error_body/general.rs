//! Words of errors that tell nobody what is wrong.

/// As many words beside those may be the name of something that only the server knows, such as `E17`.
pub(super) const TELLING_MAX: usize = 1;

/// Lower-cased.
#[rustfmt::skip]
pub(super) const WORDS: &[&str] = &[
    "a", "an", "the", "this", "that", "your", "our", "it", "its", "is", "was", "were", "be", "been", "has",
    "have", "had", "i", "we", "you", "to", "of", "in", "at", "for", "from", "with", "by", "on", "and",
    "or", "as", "not", "no", "none", "null", "undefined", "true", "false", "bad", "request", "requests",
    "requested", "invalid", "wrong", "error", "errors", "failed", "failure", "fail", "fails",
    "unprocessable", "entity", "content", "acceptable", "unacceptable", "http", "https", "status", "code",
    "client", "server", "exception", "badrequest", "badrequesterror", "badrequestexception", "validation",
    "validationerror", "malformed", "could", "couldn", "can", "cannot", "unable", "t", "s", "process",
    "processed", "processing", "parse", "parsed", "parsing", "handle", "handled", "understand",
    "understood", "input", "body", "payload", "json", "parameter", "parameters", "argument", "arguments",
    "format", "syntax", "due", "unknown", "unexpected", "unsupported", "supported", "something", "went",
    "please", "try", "again", "later", "check", "sorry", "oops", "provider", "returned", "upstream",
    "gateway", "nginx", "openresty", "apache", "cloudflare", "caddy", "details", "detail", "message",
    "occurred", "internal", "response", "contains", "contain", "type", "object", "api", "param", "media",
    "implemented", "sent", "reason", "unspecified", "rejected", "refused",
];
