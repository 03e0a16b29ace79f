//! A catalogue that is older than it should be: prices and ends of models change, and an operator's file counts for ever.

use jiff::civil::Date;

use super::Catalogue;

/// After so many days somebody should look whether what is known of models is still so.
const OLD_DAYS: i32 = 90;

impl Catalogue {
    /// What an operator should know of its age, and what to do.
    pub(crate) fn told_of_age(&self, today: Date) -> Option<String> {
        let own = self.own.as_ref().and_then(|own| Some((own, own.date?)));
        if let Some((own, date)) = own.filter(|(_, date)| *date < self.date) {
            return Some(format!(
                "{} is of {date} and counts wherever it says something, although this Denizen brings what was known on {}. Take out of it what you did not write yourself, or give it a later date if all of it is meant",
                own.path.display(),
                self.date
            ));
        }
        let newest = own.map_or(self.date, |(_, date)| date.max(self.date));
        let is_old = (today - newest).get_days() > OLD_DAYS;
        is_old.then(|| {
            format!(
                "what is known of prices, abilities and ends of models is of {newest}, which is more than {OLD_DAYS} days ago. A newer Denizen brings a newer catalogue; or correct what has changed in catalogue.toml, and give it today's date"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::catalogue::OwnCatalogue;

    fn told(built_in: &str, own: Option<&str>, today: &str) -> Option<String> {
        let date = |text: &str| text.parse::<Date>().expect("a date");
        let catalogue = Catalogue {
            date: date(built_in),
            own: own.map(|own| OwnCatalogue {
                path: PathBuf::from("catalogue.toml"),
                date: Some(date(own)),
                remarks: Vec::new(),
            }),
            ..Catalogue::built_in()
        };
        catalogue.told_of_age(date(today))
    }

    #[test]
    fn a_file_that_is_older_than_what_denizen_brings_is_told() {
        let told_older = told("2026-11-16", Some("2026-10-01"), "2026-11-17").expect("told");
        assert!(
            told_older.contains("2026-10-01") && told_older.contains("2026-11-16"),
            "{told_older}"
        );
        assert_eq!(told("2026-11-16", Some("2026-11-16"), "2026-11-17"), None);
        assert_eq!(told("2026-11-16", None, "2026-11-17"), None);
    }

    #[test]
    fn what_is_more_than_three_months_old_is_told() {
        assert_eq!(told("2026-11-16", None, "2027-02-14"), None);
        assert!(told("2026-11-16", None, "2027-02-15").is_some_and(|told| told.contains("2026-11-16")));
        // The newer of the two counts.
        assert_eq!(told("2026-11-16", Some("2027-02-01"), "2027-02-15"), None);
    }
}
