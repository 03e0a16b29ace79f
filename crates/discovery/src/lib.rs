//! Collects what is new on Reddit, Hacker News, YouTube, X and in feeds.
