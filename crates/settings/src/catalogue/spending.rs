//! The knobs of what models may cost in a day, all purposes together and each by itself.

use crate::knob::Limits;
use crate::section::settings_section;

settings_section! {
    /// What a community may spend on models in a day (UTC), whatever for. A question is paid for before it is asked, as dear as it may get, and settled when its answer is there. What is known to be free, such as the built-in model or a model server on this machine, is counted and binds nothing.
    SpendingPerDaySettings at "spending.perDay" {
        /// Requests to models, every try counted; 0: none, also of a free model before its first answer has shown that it is.
        calls: u64 = 5000, Limits::Whole { min: 0, max: 10_000_000 };
        /// Tokens read and written; this binds also where nobody knows the price. 0: none.
        tokens: u64 = 10_000_000, Limits::Whole { min: 0, max: 100_000_000_000 }, unit Tokens;
        /// Dollars, as far as prices are known; 0: nothing that could cost money.
        dollars: f64 = 10.0, Limits::Fraction { min: 0.0, max: 100000.0 };
    }
}

settings_section! {
    /// What each purpose may take of `spending.perDay`, of calls, tokens and dollars alike; 0: nothing. They may add up to more than a hundred: then whoever comes first has it.
    SpendingPercentSettings at "spending.percent" {
        /// Replies. At the limit, whoever speaks to it directly is told once a day in each room; after that it is silent.
        replies: u64 = 100, Limits::Whole { min: 0, max: 100 }, unit Percent;
        /// Everything but replies, together: the rest of the day is left for replies.
        background: u64 = 60, Limits::Whole { min: 0, max: 100 }, unit Percent;
        /// The classifier. At the limit, unclear messages are not answered.
        classifier: u64 = 10, Limits::Whole { min: 0, max: 100 }, unit Percent;
        /// Gems of memory. At the limit they are made by patterns, or wait for tomorrow where `memory.extractor` is `model`.
        memory: u64 = 10, Limits::Whole { min: 0, max: 100 }, unit Percent;
        /// Running summaries. At the limit they are written without a model, or wait for tomorrow where `context.compaction.summariser` is `model`.
        summaries: u64 = 15, Limits::Whole { min: 0, max: 100 }, unit Percent;
        /// Notes on shared screens. At the limit they wait for tomorrow.
        screen_notes: u64 = 30, Limits::Whole { min: 0, max: 100 }, unit Percent;
        /// Comments on shared screens. At the limit nothing is said.
        commentary: u64 = 15, Limits::Whole { min: 0, max: 100 }, unit Percent;
        /// Thoughts of its own; `initiative.budget` binds them as well. At the limit none is looked for.
        thoughts: u64 = 15, Limits::Whole { min: 0, max: 100 }, unit Percent;
    }
}
