//! Makes pictures and clips and finds GIFs, by the services that do so.
