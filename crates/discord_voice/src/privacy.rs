//! End-to-end encryption (DAVE): the call is a group with keys of its own, which change whenever somebody comes or goes.
//! davey has the group; here stands when it is told what, and what follows. The group is never kept beyond its session.

use std::collections::BTreeMap;
use std::num::NonZeroU16;
use std::panic::{AssertUnwindSafe, catch_unwind};

use davey::errors::{DecryptError, DecryptorDecryptError};
use davey::{DAVE_PROTOCOL_VERSION, DaveSession, MediaType, ProposalsOperationType};
use vocabulary::{Moment, Span};

use crate::speech::SILENCE;

/// The newest that this client speaks.
pub(crate) const NEWEST: u16 = DAVE_PROTOCOL_VERSION;
/// So many frames in a row that nobody can read mean that our group is not the others'.
const FAILURES_MAX: u32 = 36;
/// How often we ask to be taken into the group anew for that.
const RECOVERY_SPACING: Span = Span::seconds(10);
/// How long frames in the open are still taken after the group has got keys.
const GRACE_SECONDS: u32 = 10;
/// Frames that were sealed before a change still come after it.
const SETTLING: Span = Span::seconds(1);
const TRANSITIONS_MAX: usize = 64;

/// What is to be told to the voice server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum GroupStep {
    KeyPackage(Vec<u8>),
    CommitWelcome(Vec<u8>),
    Ready(u16),
    Invalid(u16),
}

/// Messages about the group that come as bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GroupMessage<'a> {
    ExternalSender(&'a [u8]),
    Proposals { is_revoked: bool, proposals: &'a [u8] },
    Commit { transition: u16, commit: &'a [u8] },
    Welcome { transition: u16, welcome: &'a [u8] },
}

/// Why a frame cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    /// Their keys, or ours, are on their way.
    BeforeKeys,
    /// It was read already.
    Repeated,
    /// It should be readable, and is not.
    Undecryptable,
}

#[derive(Debug)]
pub(crate) struct PrivateGroup {
    user: u64,
    channel: u64,
    /// Zero: the call is not encrypted from end to end.
    version: u16,
    session: Option<DaveSession>,
    /// Who proposes changes in this session of the server, as it said; a group that is begun anew needs it again.
    sender: Option<Vec<u8>>,
    /// Prepared and not executed yet: to which version.
    pending: BTreeMap<u16, u16>,
    last_transition: u16,
    failures: u32,
    recovered: Option<Moment>,
    /// When the keys changed last.
    changed: Option<Moment>,
    /// Messages of the group that could not be taken.
    pub faults: u64,
    pub recoveries: u64,
    /// How often there were new keys.
    pub rekeys: u64,
}

impl PrivateGroup {
    pub fn new(user: u64, channel: u64) -> Self {
        Self {
            user,
            channel,
            version: 0,
            session: None,
            sender: None,
            pending: BTreeMap::new(),
            last_transition: 0,
            failures: 0,
            recovered: None,
            changed: None,
            faults: 0,
            recoveries: 0,
            rekeys: 0,
        }
    }

    /// A new session of the voice server: whatever group there was is forgotten.
    pub fn begin(&mut self, version: u16) -> Vec<GroupStep> {
        self.session = None;
        self.pending.clear();
        self.failures = 0;
        self.last_transition = 0;
        self.changed = None;
        self.version = version.min(NEWEST);
        if version == 0 {
            self.sender = None;
        }
        self.enter()
    }

    /// A group of our own until we are taken into the others', and what they need for that.
    fn enter(&mut self) -> Vec<GroupStep> {
        let Some(version) = NonZeroU16::new(self.version) else {
            return Vec::new();
        };
        self.pending.clear();
        let made = match &mut self.session {
            Some(session) => session
                .reinit(version, self.user, self.channel, None)
                .map_err(drop),
            none => match DaveSession::new(version, self.user, self.channel, None) {
                Ok(mut session) => {
                    let sender = self.sender.as_deref();
                    // One that came before there was a group was looked at by nobody yet.
                    let set = AssertUnwindSafe(|| {
                        sender.is_none_or(|sender| session.set_external_sender(sender).is_ok())
                    });
                    if !catch_unwind(set).unwrap_or(false) {
                        self.faults += 1;
                        self.sender = None;
                    }
                    *none = Some(session);
                    Ok(())
                }
                Err(_) => Err(()),
            },
        };
        let session = self.session.as_mut().filter(|_| made.is_ok());
        match session.map(DaveSession::create_key_package) {
            Some(Ok(package)) => vec![GroupStep::KeyPackage(package)],
            _ => {
                self.faults += 1;
                Vec::new()
            }
        }
    }

    pub fn is_private(&self) -> bool {
        self.version > 0
    }

    /// What people can compare, to know that nobody listens between them.
    pub fn code(&self) -> Option<&str> {
        self.session
            .as_ref()
            .filter(|_| self.is_private())?
            .voice_privacy_code()
    }

    /// `here`: who is in the call, as the server told it; nobody else is taken into the group.
    pub fn hear(&mut self, now: Moment, message: GroupMessage<'_>, here: &[u64]) -> Vec<GroupStep> {
        // The libraries below assert things about messages that strangers make.
        let heard = catch_unwind(AssertUnwindSafe(|| self.take(now, message, here)));
        heard.unwrap_or_else(|_| {
            self.session = None;
            self.invalid(self.last_transition)
        })
    }

    fn take(&mut self, now: Moment, message: GroupMessage<'_>, here: &[u64]) -> Vec<GroupStep> {
        let Some(session) = &mut self.session else {
            match message {
                GroupMessage::ExternalSender(sender) => self.sender = Some(sender.to_vec()),
                _ => self.faults += 1,
            }
            return Vec::new();
        };
        match message {
            GroupMessage::ExternalSender(sender) => {
                match session.set_external_sender(sender) {
                    Ok(()) => self.sender = Some(sender.to_vec()),
                    Err(_) => self.faults += 1,
                }
                Vec::new()
            }
            GroupMessage::Proposals {
                is_revoked,
                proposals,
            } => {
                let kind = match is_revoked {
                    true => ProposalsOperationType::REVOKE,
                    false => ProposalsOperationType::APPEND,
                };
                match session.process_proposals(kind, proposals, Some(here)) {
                    Ok(Some(made)) => {
                        let welcome = made.welcome.unwrap_or_default();
                        vec![GroupStep::CommitWelcome([made.commit, welcome].concat())]
                    }
                    Ok(None) => Vec::new(),
                    Err(_) => {
                        self.faults += 1;
                        Vec::new()
                    }
                }
            }
            GroupMessage::Commit { transition, commit } => match session.process_commit(commit) {
                Ok(true) => self.prepare(now, transition, self.version),
                // It was for a group that we are not in.
                Ok(false) => Vec::new(),
                Err(_) => self.invalid(transition),
            },
            GroupMessage::Welcome { transition, welcome } => {
                match session.process_welcome(welcome, Some(here)) {
                    Ok(()) => self.prepare(now, transition, self.version),
                    Err(_) => self.invalid(transition),
                }
            }
        }
    }

    /// The others' group and ours are not the same: ask to be taken in anew.
    fn invalid(&mut self, transition: u16) -> Vec<GroupStep> {
        self.faults += 1;
        self.failures = 0;
        let mut steps = vec![GroupStep::Invalid(transition)];
        steps.extend(self.enter());
        steps
    }

    /// A change of keys, or of the protocol, is announced. Number 0 is meant at once.
    pub fn prepare(&mut self, now: Moment, transition: u16, version: u16) -> Vec<GroupStep> {
        let version = version.min(NEWEST);
        let Some(session) = &mut self.session else {
            // It was never private, or it is to be: then a new epoch is announced as well.
            return (transition != 0)
                .then_some(GroupStep::Ready(transition))
                .into_iter()
                .collect();
        };
        let before = session.voice_privacy_code().map(str::to_owned);
        if session.prepare_transition(transition, version).is_err() {
            self.faults += 1;
            return Vec::new();
        }
        if session.voice_privacy_code() != before.as_deref() && version > 0 {
            self.rekeys += 1;
        }
        if version == 0 {
            // Whoever is quicker than we are speaks in the open already.
            session.set_passthrough_mode(true, None);
        }
        if transition == 0 {
            self.executed(now, 0, version);
            return Vec::new();
        }
        if self.pending.len() < TRANSITIONS_MAX {
            self.pending.insert(transition, version);
        }
        vec![GroupStep::Ready(transition)]
    }

    /// An announced change is to be made.
    pub fn execute(&mut self, now: Moment, transition: u16) {
        let Some(version) = self.pending.remove(&transition) else {
            return;
        };
        if let Some(session) = &mut self.session
            && session.execute_transition(transition).is_err()
        {
            self.faults += 1;
        }
        self.executed(now, transition, version);
    }

    fn executed(&mut self, now: Moment, transition: u16, version: u16) {
        if let Some(session) = self.session.as_mut().filter(|_| self.version == 0 && version > 0) {
            // Others may still speak in the open for a moment.
            session.set_passthrough_mode(false, Some(GRACE_SECONDS));
        }
        self.version = version;
        self.last_transition = transition;
        self.failures = 0;
        self.changed = Some(now);
    }

    /// Epoch 1 is a new group: everybody begins anew, and what keys there are stay good until it has its own.
    pub fn epoch(&mut self, epoch: u64, version: u16) -> Vec<GroupStep> {
        if epoch != 1 {
            return Vec::new();
        }
        let was = self.version;
        self.version = version.min(NEWEST);
        if was == 0
            && let Some(session) = &mut self.session
        {
            session.set_passthrough_mode(false, Some(GRACE_SECONDS));
        }
        self.enter()
    }

    /// A frame for the others. None: there is no key yet, and in the open it does not go.
    pub fn seal(&mut self, opus: &[u8]) -> Option<Vec<u8>> {
        match &mut self.session {
            Some(session) if self.version > 0 => {
                if opus == SILENCE {
                    return Some(opus.to_vec());
                }
                session.encrypt_opus(opus).ok().map(Into::into)
            }
            _ if self.version > 0 => None,
            _ => Some(opus.to_vec()),
        }
    }

    pub fn open(&mut self, now: Moment, user: u64, frame: &[u8]) -> Result<Vec<u8>, Unread> {
        // Silence stays in the open, whatever is agreed.
        if self.version == 0 || frame == SILENCE {
            return Ok(frame.to_vec());
        }
        let Some(session) = &mut self.session else {
            return Err(Unread::BeforeKeys);
        };
        let opened = catch_unwind(AssertUnwindSafe(|| {
            session.decrypt(user, MediaType::AUDIO, frame)
        }));
        match opened {
            Ok(Ok(opened)) => {
                self.failures = 0;
                Ok(opened)
            }
            Ok(Err(fault)) => Err(self.unread(now, &fault)),
            Err(_) => Err(Unread::Undecryptable),
        }
    }

    fn unread(&mut self, now: Moment, fault: &DecryptError) -> Unread {
        match fault {
            DecryptError::DecryptionFailed(DecryptorDecryptError::InvalidNonce) => Unread::Repeated,
            DecryptError::NoDecryptorForUser
            | DecryptError::DecryptionFailed(DecryptorDecryptError::MissingKeyRatchet) => Unread::BeforeKeys,
            // While the keys change, others may still use those from before we came.
            _ if !self.pending.is_empty() || self.changed.is_some_and(|at| now.since(at) < SETTLING) => {
                Unread::BeforeKeys
            }
            _ => {
                self.failures = self.failures.saturating_add(1);
                Unread::Undecryptable
            }
        }
    }

    /// Where nothing can be read for long, our group is not the others': asks to be taken in anew, now and then.
    pub fn recover(&mut self, now: Moment) -> Vec<GroupStep> {
        let waited = self.recovered.is_none_or(|at| now.since(at) >= RECOVERY_SPACING);
        if self.failures < FAILURES_MAX || !waited || self.version == 0 || !self.pending.is_empty() {
            return Vec::new();
        }
        self.recovered = Some(now);
        self.recoveries += 1;
        self.invalid(self.last_transition)
    }
}

#[cfg(test)]
#[path = "privacy_tests.rs"]
mod tests;
