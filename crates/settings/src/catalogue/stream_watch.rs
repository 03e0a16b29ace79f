//! The knobs of watching shared screens.

use crate::choice::{ProviderOrInherit, TextReaderKind, ThresholdMode};
use crate::knob::Limits;
use crate::section::{choice_of, settings_section};

settings_section! {
    /// Watching a shared screen: rolling notes, and commentary of its own.
    StreamWatchSettings at "voice.streamWatch" {
        /// Watch shared screens at all.
        enabled: bool = true, Limits::Switch;
        /// Let it comment on what it sees without being asked. Notes are taken all the same.
        autonomous_commentary_enabled: bool = true, Limits::Switch;
        /// Provider of the model that takes notes; `inherit` takes `llm.provider`.
        note_provider: ProviderOrInherit = ProviderOrInherit::Inherit, choice_of!(ProviderOrInherit), acts Answering;
        /// Model that takes notes: cheap, fast and able to see. Empty takes the provider's small default, or `llm.model` when the provider is inherited.
        note_model: String = "", Limits::Text { min: 0, max: 200 }, acts Answering;
        /// Wait between notes while the screen is moving.
        note_interval_seconds: u64 = 10, Limits::Whole { min: 3, max: 120 }, unit Seconds,
            formerly ["voice.streamWatch.noteMinIntervalSeconds", "voice.streamWatch.brainContextMinIntervalSeconds"];
        /// Wait between notes while the screen is static, or moves only in the background.
        note_idle_interval_seconds: u64 = 30, Limits::Whole { min: 10, max: 120 }, unit Seconds;
        /// How long a note may take. Nothing else waits for it.
        note_timeout_seconds: u64 = 20, Limits::Whole { min: 2, max: 600 }, unit Seconds;
        /// How a change is told from background motion: `relative` against what is usual on this very screen (`changeThreshold` and `staticFloor` hold for its first seconds), `absolute` by those two alone.
        threshold_mode: ThresholdMode = ThresholdMode::Relative, choice_of!(ThresholdMode);
        /// A change score from which a note is taken at once.
        change_threshold: f64 = 0.01, Limits::Fraction { min: 0.005, max: 1.0 },
            formerly ["voice.streamWatch.directChangeThreshold"];
        /// A change score below which the screen counts as static.
        static_floor: f64 = 0.005, Limits::Fraction { min: 0.001, max: 0.05 };
        /// Shortest wait before another note, whatever changes.
        change_min_interval_seconds: u64 = 2, Limits::Whole { min: 1, max: 30 }, unit Seconds,
            formerly ["voice.streamWatch.directChangeMinIntervalSeconds"];
        /// Rolling notes that are kept; the oldest is folded into the summary of the session.
        max_note_entries: u64 = 12, Limits::Whole { min: 1, max: 24 },
            formerly ["voice.streamWatch.directMaxEntries", "voice.streamWatch.brainContextMaxEntries"];
        /// Shortest wait between two times that it considers commenting.
        commentary_interval_seconds: u64 = 15, Limits::Whole { min: 5, max: 120 }, unit Seconds,
            formerly ["voice.streamWatch.directMinIntervalSeconds", "voice.streamWatch.minCommentaryIntervalSeconds"];
        /// The same after a big change.
        commentary_change_min_interval_seconds: u64 = 5, Limits::Whole { min: 2, max: 60 }, unit Seconds;
        /// Model calls for one room's screens in an hour: a third for comments, the rest for notes. A quarter may come at once, the others are spread evenly. 0 means none.
        max_calls_per_hour: u64 = 900, Limits::Whole { min: 0, max: 3600 };
        /// Provider of the model that comments; `inherit` takes that of `voice.generationLlm`.
        commentary_provider: ProviderOrInherit = ProviderOrInherit::Inherit, choice_of!(ProviderOrInherit), acts Answering;
        /// Model that comments. Empty takes the provider's default, or the model of `voice.generationLlm` when the provider is inherited.
        commentary_model: String = "", Limits::Text { min: 0, max: 200 }, acts Answering;
        /// Frames of one share that are taken in a minute; more are refused.
        max_frames_per_minute: u64 = 180, Limits::Whole { min: 6, max: 600 };
        /// Largest picture that is taken.
        max_frame_bytes: u64 = 350000, Limits::Whole { min: 50000, max: 4000000 };
        /// How often, in milliseconds, a video stream is asked for a picture that stands on its own, and a share page sends one while the screen comes to rest. What changes is sent at once.
        keyframe_interval_ms: u64 = 1200, Limits::Whole { min: 500, max: 2000 }, acts Before;
        /// Frames a second that a video stream (WHIP or a file) gives, at most; what happens between them is held in the score.
        native_discord_max_frames_per_second: u64 = 2, Limits::Whole { min: 1, max: 10 }, acts Before;
        /// JPEG quality of the frames of a video stream.
        native_discord_preferred_quality: u64 = 100, Limits::Whole { min: 0, max: 100 }, acts Before;
        /// Pixels that a frame of a video stream is scaled to, about; 230400 is 640 by 360.
        native_discord_preferred_pixel_count: u64 = 230400, Limits::Whole { min: 4096, max: 8294400 }, acts Before;
        /// Width to which the share page scales what it sends.
        share_page_max_width_px: u64 = 960, Limits::Whole { min: 640, max: 1920 }, acts Before;
        /// JPEG quality of what the share page sends.
        share_page_jpeg_quality: f64 = 0.6, Limits::Fraction { min: 0.5, max: 0.75 }, acts Before;
        /// How long a link to share a screen can be opened.
        share_link_minutes: u64 = 12, Limits::Whole { min: 2, max: 30 }, unit Minutes, acts Before;
        /// Who reads the text of a screen when no model can see: `onnx` the models in `textReaderPath`, `tesseract` the program of that name, `auto` the first of the two that there is.
        text_reader: TextReaderKind = TextReaderKind::Auto, choice_of!(TextReaderKind), acts Before;
        /// Folder with PP-OCR models in ONNX format: one that finds text (`det` in its name), one that reads it (`rec`), and its letters (`dict` or `keys`, a .txt); also libonnxruntime, unless ORT_DYLIB_PATH names it.
        text_reader_path: String = "", Limits::Text { min: 0, max: 500 }, acts Before;
    }
}
