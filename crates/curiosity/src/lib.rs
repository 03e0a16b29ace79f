//! Looks things up on the web: search, readable pages, and a real browser.
