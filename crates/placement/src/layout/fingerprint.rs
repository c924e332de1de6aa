//! The mark that a layout leaves on a cluster.

use md5::{Digest, Md5};

use super::model::Layout;

impl Layout {
    /// A short text that is equal for two layouts exactly if a cluster built by one is one built by the other.
    ///
    /// Name, description, comments and the policy of operations do not count: they can change without
    /// anything moving. Sixteen hexadecimal digits are plenty to tell a handful of layouts apart; nobody
    /// gains anything by forging one.
    pub fn fingerprint(&self) -> String {
        let digest = Md5::digest(self.placement_to_toml().as_bytes());
        digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }
}
