//! Finding what fits: words and meaning over turns and gems.
