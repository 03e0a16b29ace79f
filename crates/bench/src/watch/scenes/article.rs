//! Somebody reads long pages: text stands still, then moves; beside it an advertisement never rests.

use simulator::Chance;
use vocabulary::{Moment, Span};

use super::parts::{current, progress, span};
use super::{Event, Made, Scene};
use crate::watch::canvas::{Area, Canvas, HEIGHT, LINE_HEIGHT, Text, mixed};

struct Article {
    /// Which page is open from when on.
    pages: Vec<(Moment, u64)>,
    scrolls: Vec<Scroll>,
}

struct Scroll {
    from: Moment,
    length: Span,
    start: i32,
    end: i32,
}

/// A part of a page, and how high it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Block {
    Heading,
    Paragraph(i32),
    Photograph(i32),
}

const COLUMN_LEFT: i32 = 90;
const COLUMN_LETTERS: i32 = 105;
const ADVERTISEMENT: Area = Area {
    x: 480,
    y: 60,
    width: 130,
    height: 110,
};
/// How long the advertisement shows one picture.
const ADVERTISEMENT_SHOWN: u64 = 3_000;
const PAGE_BLOCKS: u64 = 40;
/// Bar with tabs and address.
const BAR: i32 = 22;

pub fn make(chance: &mut Chance, length: Span) -> Made {
    let end = Moment(length.0);
    let mut article = Article {
        pages: Vec::new(),
        scrolls: Vec::new(),
    };
    let mut events = Vec::new();
    let mut at = Moment(0);
    while at < end {
        let page = chance.below(1 << 40);
        article.pages.push((at, page));
        let opened = at;
        let mut place = 0;
        for _ in 0..4 + chance.below(8) {
            at = at + span(chance, 6_000, 20_000);
            // Mostly a flick of the wheel; sometimes a slow pull.
            let (far, takes) = if chance.percent(80) {
                (chance.between(90, 290), span(chance, 250, 600))
            } else {
                (chance.between(150, 300), span(chance, 5_000, 11_000))
            };
            let scroll = Scroll {
                from: at,
                length: takes,
                start: place,
                end: place + far as i32,
            };
            place = scroll.end;
            at = at + takes;
            article.scrolls.push(scroll);
        }
        at = at + span(chance, 6_000, 20_000);
        if opened.0 > 0 {
            events.push(Event {
                at: opened,
                until: at.min(opened + Span::minutes(1)),
                what: "another page",
            });
        }
        events.extend(article.sights(page, opened, at));
    }
    (Box::new(article), events)
}

impl Article {
    /// Headings and photographs that come into view while a page is open.
    fn sights(&self, page: u64, opened: Moment, closed: Moment) -> Vec<Event> {
        let mut sights = Vec::new();
        for (top, height, block) in blocks(page) {
            let what = match block {
                Block::Heading => "a new section",
                Block::Photograph(_) => "a picture comes into view",
                Block::Paragraph(_) => continue,
            };
            let in_view = |place: i32| top - place >= 0 && top + height - place <= HEIGHT - BAR;
            if in_view(0) {
                continue;
            }
            let mut mine = self
                .scrolls
                .iter()
                .filter(|scroll| (opened..closed).contains(&scroll.from));
            let Some(came) = mine.find(|scroll| in_view(scroll.end)) else {
                continue;
            };
            let until = mine
                .find(|scroll| !in_view(scroll.end))
                .map_or(closed, |scroll| scroll.from);
            sights.push(Event {
                at: came.from + came.length,
                until,
                what,
            });
        }
        sights
    }

    fn place(&self, page_opened: Moment, at: Moment) -> i32 {
        let begun = self.scrolls.partition_point(|scroll| scroll.from <= at);
        let Some(scroll) = self.scrolls[..begun]
            .last()
            .filter(|scroll| scroll.from >= page_opened)
        else {
            return 0;
        };
        let share = progress(at, scroll.from, scroll.length);
        scroll.start + (f64::from(scroll.end - scroll.start) * share) as i32
    }
}

impl Scene for Article {
    fn paint(&self, at: Moment, canvas: &mut Canvas) {
        canvas.fill(248);
        let (opened, page) = *current(&self.pages, at).expect("a page is open from the start");
        let place = self.place(opened, at);
        for (number, (top, height, block)) in blocks(page).enumerate() {
            let y = BAR + top - place;
            if y > HEIGHT || y + height < 0 {
                continue;
            }
            let text = Text {
                seed: mixed(page, number as u64),
                ink: 70,
            };
            match block {
                Block::Heading => canvas.paragraph(COLUMN_LEFT, y + 4, 50, 2, Text { ink: 10, ..text }),
                Block::Paragraph(lines) => canvas.paragraph(COLUMN_LEFT, y, COLUMN_LETTERS, lines, text),
                Block::Photograph(high) => {
                    canvas.photograph(
                        Area {
                            x: COLUMN_LEFT,
                            y,
                            width: 310,
                            height: high,
                        },
                        text.seed,
                        120,
                    );
                }
            }
        }
        canvas.photograph(ADVERTISEMENT, at.0 / ADVERTISEMENT_SHOWN % 4, 150);
        canvas.area(
            Area {
                x: 0,
                y: 0,
                width: 640,
                height: BAR,
            },
            205,
        );
        canvas.text(60, 9, 60, Text { seed: page, ink: 40 });
    }
}

/// The parts of a page: where each begins and how high it is.
fn blocks(page: u64) -> impl Iterator<Item = (i32, i32, Block)> {
    let mut top = 8;
    (0..PAGE_BLOCKS).map(move |number| {
        let roll = mixed(page ^ 21, number);
        let block = match roll % 10 {
            0 | 1 => Block::Heading,
            2 => Block::Photograph(100 + (roll >> 8) as i32 % 60),
            _ => Block::Paragraph(3 + (roll >> 8) as i32 % 6),
        };
        let height = match block {
            Block::Heading => 26,
            Block::Paragraph(lines) => (lines + 1) * LINE_HEIGHT,
            Block::Photograph(high) => high + 10,
        };
        let from = top;
        top += height;
        (from, height, block)
    })
}
