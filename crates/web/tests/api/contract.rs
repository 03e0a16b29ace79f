//! The pages' types are written from the description, and are current.

use expect_test::expect_file;

/// `make docs` writes the file anew; so does `UPDATE_EXPECT=1` before this test.
#[test]
fn the_types_of_the_pages_are_those_of_the_api() {
    let description = web::description("0.0.0");
    let written = web::typescript(&description);
    expect_file!["../../../../ui/src/api/contract.ts"].assert_eq(&written);
}
