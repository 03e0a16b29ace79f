//! The whole program as a process, driven over HTTP and the command line like a person would.

#[path = "../support/mod.rs"]
mod support;

mod access;
mod agents;
mod bad_input;
mod care;
mod catalogue;
mod communities;
mod community_settings;
mod connections;
mod crash;
mod day_one;
mod docs;
mod doctor;
mod door;
mod first_steps;
mod forgetting;
mod forgetting_crash;
mod golden_folder;
mod local_models;
mod memory;
mod memory_crash;
mod memory_servers;
mod model_moves;
mod models_in_trouble;
mod models_that_misspeak;
mod pictures;
mod pipes;
mod private_rooms;
mod replay;
mod score;
mod screen_text;
mod secrets;
mod session;
mod settings;
mod stopping;
mod streaming;
mod thoughts;
mod told_in_time;
mod upgrade;
mod voice;
mod watch;
mod watch_file;
mod why;
mod wire;
