//! The server's part in a call's MLS group: it proposes who comes and goes, signs that, and never has a key itself.

use openmls::prelude::tls_codec::{Deserialize as _, DeserializeBytes as _, Serialize as _, VLBytes};
use openmls::prelude::{
    BasicCredential, Ciphersuite, ExternalProposal, ExternalSender, GroupEpoch, GroupId, KeyPackage,
    KeyPackageIn, LeafNodeIndex, MlsMessageIn, MlsMessageOut, OpenMlsProvider, ProtocolMessage,
    ProtocolVersion, SenderExtensionIndex,
};
use openmls_basic_credential::SignatureKeyPair;
use openmls_rust_crypto::OpenMlsRustCrypto;

use crate::ids::Id;

const SUITE: Ciphersuite = Ciphersuite::MLS_128_DHKEMP256_AES128GCM_SHA256_P256;

pub struct Notary {
    provider: OpenMlsRustCrypto,
    signer: SignatureKeyPair,
}

impl std::fmt::Debug for Notary {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Notary")
    }
}

impl Default for Notary {
    fn default() -> Self {
        let signer = SignatureKeyPair::new(SUITE.signature_algorithm());
        Self {
            provider: OpenMlsRustCrypto::default(),
            signer: signer.expect("a key pair can be made"),
        }
    }
}

fn group_id(channel: Id) -> GroupId {
    GroupId::from_slice(&channel.to_be_bytes())
}

/// The list of proposals as clients take it.
fn packed(message: &MlsMessageOut) -> Option<Vec<u8>> {
    let bytes = message.tls_serialize_detached().ok()?;
    VLBytes::new(bytes).tls_serialize_detached().ok()
}

impl Notary {
    /// Who signs the proposals, for clients to put into their group.
    pub fn sender(&self) -> Vec<u8> {
        let credential = BasicCredential::new(b"double".to_vec());
        let sender = ExternalSender::new(self.signer.public().into(), credential.into());
        sender.tls_serialize_detached().unwrap_or_default()
    }

    /// A client's key package, where it is good and its own.
    pub fn package(&self, user: Id, bytes: &[u8]) -> Option<KeyPackage> {
        let package = KeyPackageIn::tls_deserialize(&mut &*bytes).ok()?;
        let package = package
            .validate(self.provider.crypto(), ProtocolVersion::Mls10)
            .ok()?;
        let claimed = package.leaf_node().credential().serialized_content();
        (claimed == user.to_be_bytes()).then_some(package)
    }

    pub fn add(&self, channel: Id, epoch: u64, package: KeyPackage) -> Option<Vec<u8>> {
        let message = ExternalProposal::new_add::<OpenMlsRustCrypto>(
            package,
            group_id(channel),
            GroupEpoch::from(epoch),
            &self.signer,
            SenderExtensionIndex::new(0),
        );
        packed(&message.ok()?)
    }

    pub fn remove(&self, channel: Id, epoch: u64, leaf: usize) -> Option<Vec<u8>> {
        let message = ExternalProposal::new_remove::<OpenMlsRustCrypto>(
            LeafNodeIndex::new(u32::try_from(leaf).ok()?),
            group_id(channel),
            GroupEpoch::from(epoch),
            &self.signer,
            SenderExtensionIndex::new(0),
        );
        packed(&message.ok()?)
    }

    /// A client's commit for this epoch, and the welcome that came with it.
    pub fn commit(channel: Id, epoch: u64, bytes: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
        let (message, welcome) = MlsMessageIn::tls_deserialize_bytes(bytes).ok()?;
        let commit = bytes[..bytes.len() - welcome.len()].to_vec();
        let ProtocolMessage::PublicMessage(message) = message.try_into_protocol_message().ok()? else {
            return None;
        };
        let fits = message.epoch() == GroupEpoch::from(epoch) && *message.group_id() == group_id(channel);
        fits.then(|| (commit, welcome.to_vec()))
    }
}
