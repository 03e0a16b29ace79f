//! What a service was asked to say on a connection and has not finished: nothing of one is taken for another.

use std::collections::VecDeque;

use vocabulary::Moment;

use crate::command::Command;

/// Something that it was asked to say.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) number: u64,
    pub(crate) response: Option<String>,
    pub(crate) is_unwanted: bool,
    pub(crate) since: Moment,
}

/// All of it, in the order in which it was asked for.
#[derive(Debug, Default)]
pub(crate) struct AskedLane {
    asked: VecDeque<Asked>,
}

impl AskedLane {
    /// `response`: what it will be called, where that is known before it begins.
    pub(crate) fn ask(&mut self, number: u64, response: Option<String>, now: Moment) {
        self.asked.push_back(Asked {
            number,
            response,
            is_unwanted: false,
            since: now,
        });
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.asked.is_empty()
    }

    pub(crate) fn is_wanted(&self) -> bool {
        self.asked.iter().any(|asked| !asked.is_unwanted)
    }

    pub(crate) fn clear(&mut self) {
        self.asked.clear();
    }

    /// No more of it is wanted; what the service is told.
    pub(crate) fn unwant(&mut self, number: u64) -> Vec<Command> {
        let asked = self.asked.iter_mut().find(|asked| asked.number == number);
        match asked {
            Some(asked) if !asked.is_unwanted => {
                asked.is_unwanted = true;
                vec![Command::Cancel {
                    number,
                    response: asked.response.clone(),
                }]
            }
            _ => Vec::new(),
        }
    }

    /// The service begins to say something. What nobody asked for, or wants any more, it is told to stop.
    pub(crate) fn began(&mut self, response: String, number: Option<u64>) -> Vec<Command> {
        let is_it = |asked: &&mut Asked| match number {
            Some(number) => asked.number == number && asked.response.is_none(),
            None => asked.response.is_none(),
        };
        let cancel = |number| Command::Cancel {
            number,
            response: Some(response.clone()),
        };
        let is_told = self
            .asked
            .iter()
            .any(|asked| asked.response.as_ref() == Some(&response));
        match self.asked.iter_mut().find(is_it) {
            // It was told twice.
            _ if is_told => Vec::new(),
            Some(asked) => {
                asked.response = Some(response.clone());
                match asked.is_unwanted {
                    true => vec![cancel(asked.number)],
                    false => Vec::new(),
                }
            }
            None => vec![cancel(number.unwrap_or_default())],
        }
    }

    fn place(&self, response: Option<&str>) -> Option<usize> {
        match response {
            Some(response) => self
                .asked
                .iter()
                .position(|asked| asked.response.as_deref() == Some(response)),
            None => (!self.asked.is_empty()).then_some(0),
        }
    }

    /// What something is of, where that is wanted.
    pub(crate) fn wanted(&self, response: Option<&str>) -> Option<u64> {
        let asked = &self.asked[self.place(response)?];
        (!asked.is_unwanted).then_some(asked.number)
    }

    /// It is over.
    pub(crate) fn end(&mut self, response: Option<&str>) -> Option<Asked> {
        self.asked.remove(self.place(response)?)
    }

    /// A fault that names nothing can only be about what has not begun.
    pub(crate) fn blamed(&mut self) -> Option<u64> {
        let wanted = |asked: &Asked| !asked.is_unwanted && asked.response.is_none();
        let place = self.asked.iter().position(wanted)?;
        self.asked.remove(place).map(|asked| asked.number)
    }

    /// The oldest, where nobody wants it and something that is wanted was asked for after it.
    pub(crate) fn outrun(&mut self) -> Option<u64> {
        let is_outrun = self.is_wanted() && self.asked.front().is_some_and(|asked| asked.is_unwanted);
        is_outrun
            .then(|| self.asked.pop_front())?
            .map(|asked| asked.number)
    }

    /// It never began.
    pub(crate) fn remove(&mut self, number: u64) {
        self.asked.retain(|asked| asked.number != number);
    }

    /// Since when it goes on with something that nobody wants.
    pub(crate) fn unwanted_since(&self) -> Option<Moment> {
        let unwanted = self.asked.iter().filter(|asked| asked.is_unwanted);
        unwanted.map(|asked| asked.since).min()
    }
}
