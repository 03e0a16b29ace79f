//! What every buffer and every gem store must do, as tests that each of them runs: see [`turn_buffer_contract`] and
//! [`gem_store_contract`](crate::gem_store_contract).
//!
//! A backend gives a home of its store, fresh for every test:
//!
//! ```ignore
//! async fn fresh() -> impl GemHome { … }
//! stand_ins::gem_store_contract!(embedded, fresh);
//! ```
//!
//! [`turn_buffer_contract`]: crate::turn_buffer_contract

use async_trait::async_trait;
use runtime::ports::{GemStore, TurnBuffer};

pub mod buffer;
pub mod embedding;
pub mod forgetting;
pub mod given;
pub mod keeping;
pub mod listing;
pub mod scope;
pub mod searching;

/// A buffer with what it needs to live; dropping it ends both.
#[async_trait]
pub trait BufferHome: Send + Sync {
    fn buffer(&self) -> &dyn TurnBuffer;
    /// Closes the buffer and opens it again, as the same process would after a restart.
    async fn reopen(&mut self);
    /// The same buffer as another process has it, where there can be one.
    async fn rival(&self) -> Option<Box<dyn TurnBuffer>> {
        None
    }
}

/// A gem store with what it needs to live; dropping it ends both.
#[async_trait]
pub trait GemHome: Send + Sync {
    fn store(&self) -> &dyn GemStore;
    /// Closes the store and opens it again.
    async fn reopen(&mut self);
}

/// Makes a module of tests of that name, for the buffer whose home `fresh` (an `async fn() -> impl BufferHome`) makes.
#[macro_export]
macro_rules! turn_buffer_contract {
    ($name:ident, $fresh:path) => {
        mod $name {
            #[allow(unused_imports, reason = "where the home is made depends on the caller")]
            use super::*;
            $crate::contract_tests!($fresh, buffer:
                turns_leave_in_the_order_they_came,
                a_turn_that_was_put_before_is_not_put_again,
                a_claim_takes_the_oldest_that_nobody_holds,
                claims_at_the_same_time_never_share_a_turn,
                what_another_process_holds_is_not_ours,
                what_was_held_before_a_restart_is_held_after_it,
                settled_turns_leave_for_good,
                a_turn_that_is_edited_leaves_with_its_new_words,
                forgetting_takes_held_and_waiting_turns_alike,
                each_kind_of_wish_takes_what_it_names_and_nothing_else,
                a_forgotten_turn_does_not_come_back,
                texts_of_any_kind_come_back_as_they_were,
                nothing_asked_for_is_nothing_done,
                many_turns_fit,
                communities_never_get_each_others_turns,
            );
        }
    };
}

/// Makes a module of tests of that name, for the store whose home `fresh` (an `async fn() -> impl GemHome`) makes.
#[macro_export]
macro_rules! gem_store_contract {
    ($name:ident, $fresh:path) => {
        mod $name {
            #[allow(unused_imports, reason = "where the home is made depends on the caller")]
            use super::*;
            $crate::contract_tests!($fresh, keeping:
                what_is_put_is_given_back_as_it_was,
                records_are_given_in_the_order_asked_for,
                a_record_of_the_same_id_is_replaced_whole,
                putting_twice_stores_once,
                texts_of_any_kind_are_kept_and_found,
                gems_are_known_by_the_turns_they_came_from,
                the_history_of_a_session_is_the_newest_that_fits,
                the_last_number_is_that_of_the_session,
                what_is_held_is_counted,
                each_community_is_counted_apart,
                many_records_at_once_are_all_there,
                a_restart_changes_nothing,
            );
            $crate::contract_tests!($fresh, listing:
                pages_hold_everything_once_newest_first,
                pages_stay_whole_while_records_come,
                a_listing_follows_its_filters,
                standing_and_pinned_gems_can_be_listed_alone,
                a_place_that_is_none_is_refused,
            );
            $crate::contract_tests!($fresh, searching:
                words_find_the_record_that_has_them,
                a_meaning_finds_the_record_that_has_it,
                what_does_not_hold_any_more_is_left_out_unless_asked_for,
                a_search_about_a_person_finds_only_theirs,
                turns_in_view_are_left_out_with_gems_of_nothing_else,
                kinds_and_limits_are_kept,
                nothing_to_look_for_finds_nothing,
                a_changed_record_is_found_by_its_new_words_only,
            );
            $crate::contract_tests!($fresh, scope:
                every_view_finds_all_it_may_see_and_nothing_else,
                a_search_by_meaning_leaks_nothing_either,
                a_search_about_a_person_leaks_nothing_either,
            );
            $crate::contract_tests!($fresh, embedding:
                the_embedder_is_known_once_there_are_vectors,
                another_embedder_is_refused_by_name,
                a_vector_of_another_length_is_refused_and_nothing_stored,
                a_record_without_a_vector_waits_for_one,
                a_new_embedder_starts_anew_and_words_still_find,
                a_new_embedder_is_in_use_at_once,
            );
            $crate::contract_tests!($fresh, forgetting:
                a_forgotten_gem_goes_with_the_turns_it_came_from,
                a_forgotten_turn_goes_with_gems_of_nothing_else,
                a_forgotten_person_goes_wherever_they_were,
                a_person_may_be_forgotten_in_one_community_alone,
                a_forgotten_session_goes_whole,
                a_forgotten_room_goes_whole,
                a_forgotten_community_goes_whole_and_no_other,
                forgetting_what_is_not_there_removes_nothing,
                what_was_forgotten_may_be_said_again,
            );
        }
    };
}

/// One test per name, each with a home of its own.
#[macro_export]
#[doc(hidden)]
macro_rules! contract_tests {
    ($fresh:path, $area:ident: $($test:ident),+ $(,)?) => {$(
        #[tokio::test]
        async fn $test() {
            $crate::contract::$area::$test($fresh().await).await;
        }
    )+};
}
