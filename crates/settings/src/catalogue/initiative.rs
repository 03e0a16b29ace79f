//! The knobs of its own thoughts: when it thinks, what that may cost, what it reads, and what it may post.

use crate::choice::{GifProvider, ImageSize, MediaProvider, ProviderOrInherit, SearchProvider};
use crate::knob::Limits;
use crate::section::{choice_of, settings_section};

settings_section! {
    /// Attention, which replies and its own thoughts share: while an exchange is going on, it belongs to the replies.
    AttentionSettings at "attention" {
        /// How long an exchange counts as going on after the last message that was meant for Denizen, and after its own last reply.
        active_seconds: u64 = 120, Limits::Whole { min: 0, max: 3600 }, unit Seconds;
    }
}

settings_section! {
    /// Thoughts of its own, posted in the channels of `permissions.replies.discoveryChannelIds`.
    InitiativeTextSettings at "initiative.text" {
        /// Let it think of something by itself.
        enabled: bool = true, Limits::Switch;
        /// Provider of the model that thinks; `inherit` takes `llm.provider`.
        execution: ProviderOrInherit = ProviderOrInherit::Inherit, choice_of!(ProviderOrInherit), acts Answering;
        /// Model; empty takes the provider's default, or `llm.model` when the provider is inherited.
        model: String = "", Limits::Text { min: 0, max: 200 }, acts Answering;
        /// Chance, each minute in which nothing else stands against it, that a fresh thought is looked for. 0 never, 100 always.
        eagerness: u64 = 20, Limits::Whole { min: 0, max: 100 }, unit Percent;
        /// Shortest time between two times it looks for a fresh thought.
        min_minutes_between_posts: u64 = 360, Limits::Whole { min: 1, max: 1440 }, unit Minutes;
        /// Most posts of its own in any 24 hours; 0: none.
        max_posts_per_day: u64 = 3, Limits::Whole { min: 0, max: 100 };
        /// Messages of each channel it looks back on.
        lookback_messages: u64 = 20, Limits::Whole { min: 4, max: 80 }, unit Messages, acts Answering;
        /// Let it look things up on the web while it thinks: web_search, web_scrape and browser_browse.
        allow_active_curiosity: bool = true, Limits::Switch;
        /// Most rounds of look-ups for one thought; 0 offers no tools.
        max_tool_steps: u64 = 3, Limits::Whole { min: 0, max: 8 };
        /// Most look-ups for one thought; a call beyond that is told so.
        max_tool_calls: u64 = 4, Limits::Whole { min: 0, max: 12 };
    }
}

settings_section! {
    /// What its own thoughts may cost in any 24 hours. Checked before a model is asked, never after.
    InitiativeBudgetSettings at "initiative.budget" {
        /// Questions to a model, every round of look-ups counted; 0: none.
        max_calls_per_day: u64 = 40, Limits::Whole { min: 0, max: 10000 };
        /// Tokens read and written; 0: none.
        max_tokens_per_day: u64 = 250000, Limits::Whole { min: 0, max: 1_000_000_000 }, unit Tokens;
        /// Dollars, where prices are known; 0: none, not even for a model whose price nobody knows.
        max_dollars_per_day: f64 = 1.0, Limits::Fraction { min: 0.0, max: 10000.0 };
    }
}

settings_section! {
    /// The families of sources it reads.
    DiscoverySourcesSettings at "initiative.discovery.sources" {
        /// Subreddits.
        reddit: bool = true, Limits::Switch, acts Before;
        /// The front page of Hacker News.
        hacker_news: bool = true, Limits::Switch, acts Before;
        /// YouTube channels.
        youtube: bool = true, Limits::Switch, acts Before;
        /// RSS and Atom feeds.
        rss: bool = true, Limits::Switch, acts Before;
        /// Handles on X, through `initiative.discovery.xBridgeUrl`.
        x: bool = false, Limits::Switch, acts Before;
    }
}

settings_section! {
    /// What it reads to have something to talk about, and what it may put into a post.
    DiscoverySettings at "initiative.discovery" {
        /// Subreddits, without `r/`.
        reddit_subreddits: Vec<String> = Vec::<String>::new(), Limits::List { max: 50 }, acts Before;
        /// Addresses of RSS and Atom feeds.
        rss_feeds: Vec<String> = Vec::<String>::new(), Limits::List { max: 50 }, acts Before;
        /// Ids of YouTube channels, such as `UCsBjURrPoezykLs9EqgamOA`.
        youtube_channel_ids: Vec<String> = Vec::<String>::new(), Limits::List { max: 50 }, acts Before;
        /// Handles on X, without `@`.
        x_handles: Vec<String> = Vec::<String>::new(), Limits::List { max: 50 }, acts Before;
        /// Address that serves a handle of X as a feed, with `{handle}` in it, such as `https://bridge.example/{handle}/rss`.
        x_bridge_url: String = "", Limits::Text { min: 0, max: 500 }, acts Before;
        /// Nothing older than this is offered.
        freshness_hours: u64 = 96, Limits::Whole { min: 1, max: 720 }, unit Hours;
        /// What was shared is not offered again for so long.
        dedupe_hours: u64 = 168, Limits::Whole { min: 1, max: 2160 }, unit Hours;
        /// Newest items of a source that are looked at.
        source_fetch_limit: u64 = 10, Limits::Whole { min: 1, max: 50 }, acts Before;
        /// Items it is shown while it thinks.
        max_candidates_for_prompt: u64 = 6, Limits::Whole { min: 1, max: 20 }, acts Answering;
        /// Links a post may have; further ones are taken out.
        max_links_per_post: u64 = 2, Limits::Whole { min: 0, max: 5 };
        /// How much chance goes into the choice of items.
        randomness: u64 = 55, Limits::Whole { min: 0, max: 100 }, unit Percent;
        /// Offer items that are marked as not safe for work.
        allow_nsfw: bool = false, Limits::Switch;
        /// Let it add sources, and remove those it has added, while it thinks.
        allow_self_curation: bool = true, Limits::Switch;
        /// Most sources of a family, yours and its own together. Yours are never pushed out.
        max_sources_per_type: u64 = 10, Limits::Whole { min: 1, max: 50 };
        /// Let a post have a picture that was made for it.
        allow_image_posts: bool = false, Limits::Switch;
        /// Let a post have a clip that was made for it.
        allow_video_posts: bool = false, Limits::Switch;
        /// Let a post or a reply have a GIF.
        allow_reply_gifs: bool = false, Limits::Switch;
        /// Let a reply have a picture that was made for it, when somebody asks for one. Whoever it answers can cause one.
        allow_reply_images: bool = false, Limits::Switch;
        /// Pictures in any 24 hours, posts and replies together; 0: none.
        max_images_per_day: u64 = 10, Limits::Whole { min: 0, max: 200 };
        /// Clips in any 24 hours; 0: none.
        max_videos_per_day: u64 = 10, Limits::Whole { min: 0, max: 120 };
        /// GIFs in any 24 hours, posts and replies together; 0: none.
        max_gifs_per_day: u64 = 60, Limits::Whole { min: 0, max: 300 };
        /// Models that may make pictures; the first is used. Empty: none may.
        allowed_image_models: Vec<String> = Vec::<String>::new(), Limits::List { max: 20 };
        /// Models that may make clips; the first is used. Empty: none may.
        allowed_video_models: Vec<String> = Vec::<String>::new(), Limits::List { max: 20 };
    }
}

settings_section! {
    /// Who makes pictures and clips, and who finds GIFs. Keys go into the environment: IMAGE_API_KEY (else OPENAI_API_KEY), VIDEO_API_KEY (else OPENAI_API_KEY), GIPHY_API_KEY, TENOR_API_KEY.
    MediaSettings at "media" {
        /// `openai` speaks the images API of OpenAI, at its own address or at `media.imageUrl`.
        image_provider: MediaProvider = MediaProvider::None, choice_of!(MediaProvider), acts Before;
        /// Address of a server with that API, such as `http://127.0.0.1:8188/v1`; empty takes OpenAI's.
        image_url: String = "", Limits::Text { min: 0, max: 500 }, acts Before;
        /// Size of a picture.
        image_size: ImageSize = ImageSize::Square, choice_of!(ImageSize), acts After;
        /// `openai` speaks the videos API of OpenAI, at its own address or at `media.videoUrl`.
        video_provider: MediaProvider = MediaProvider::None, choice_of!(MediaProvider), acts Before;
        /// Address of a server with that API; empty takes OpenAI's.
        video_url: String = "", Limits::Text { min: 0, max: 500 }, acts Before;
        /// Length of a clip.
        video_seconds: u64 = 4, Limits::Whole { min: 1, max: 20 }, unit Seconds, acts After;
        /// Who finds GIFs.
        gif_provider: GifProvider = GifProvider::None, choice_of!(GifProvider), acts Before;
        /// Address of a server with the provider's API; empty takes its own.
        gif_url: String = "", Limits::Text { min: 0, max: 500 }, acts Before;
        /// How long a picture, clip or GIF may take. The post goes out without it then.
        timeout_seconds: u64 = 120, Limits::Whole { min: 5, max: 900 }, unit Seconds;
        /// How long a picture or GIF for a reply may take, `media.timeoutSeconds` at most. The room waits for it, and gets words alone then.
        reply_timeout_seconds: u64 = 60, Limits::Whole { min: 5, max: 300 }, unit Seconds;
        /// Largest file that is taken.
        max_megabytes: u64 = 12, Limits::Whole { min: 1, max: 100 }, unit Megabytes, acts After;
    }
}

settings_section! {
    /// Tools that reach out: the web, and the MCP servers named in `mcp.json` in the data folder.
    ToolsSettings at "tools" {
        /// Offer web_search, web_scrape and browser_browse while a reply is written, too.
        web_in_replies: bool = true, Limits::Switch, acts Before;
        /// Who searches the web. Keys go into BRAVE_API_KEY and TAVILY_API_KEY.
        search_provider: SearchProvider = SearchProvider::None, choice_of!(SearchProvider), acts Answering;
        /// Address of your SearXNG, or of a server with the provider's API; empty takes the provider's own.
        search_url: String = "", Limits::Text { min: 0, max: 500 }, acts Before;
        /// Let it read pages: web_scrape.
        pages: bool = true, Limits::Switch, acts Answering;
        /// Let it open pages in a real browser without a window: browser_browse. Needs Chromium.
        browser: bool = true, Limits::Switch, acts Answering;
        /// The Chromium to run; empty looks in the usual places.
        browser_path: String = "", Limits::Text { min: 0, max: 500 }, acts Before;
        /// How long one look-up on the web may take.
        timeout_seconds: u64 = 20, Limits::Whole { min: 1, max: 120 }, unit Seconds, acts Before;
        /// Hosts on your own network that may be fetched all the same, such as `127.0.0.1:8080` or `wiki.lan`. Every other private address is refused.
        allowed_private_hosts: Vec<String> = Vec::<String>::new(), Limits::List { max: 50 }, acts Before;
    }
}
