//! What the engines would refuse, what would silently go wrong, and what works badly.

mod cassandra_key;
mod engines;
mod indexes;
mod key_faults;
mod key_weaknesses;
mod lifetime;
mod policy;
mod repair;
mod ring;
mod zones;

use crate::domain::Domain;
use crate::layout::draft::Draft;
use crate::layout::findings::Findings;
use crate::layout::model::Form;
use crate::layout::source::Part;

/// Judges a draft. A draft without an error makes a sound layout.
pub(crate) fn check(draft: &Draft, domain: &Domain, findings: &mut Findings) {
    let form = match &draft.form {
        Part::Said(form) => form.value,
        Part::Absent => Form::Whole,
        // The form in which every field is allowed: the form itself is the fault.
        Part::Unreadable => Form::PerZone,
    };
    engines::check(draft, form, findings);
    for (entity, placed) in &draft.entities {
        if let Some(on) = &placed.mongodb {
            if let Some(key) = &on.shard_key
                && key_faults::check(*entity, key, form, findings)
            {
                key_weaknesses::check(*entity, key, on, findings);
                zones::check(&key.value, on, domain, findings);
                indexes::check_unique(key, on, findings);
            }
            indexes::check(*entity, on, form, findings);
        }
        if let Some(on) = &placed.cassandra {
            cassandra_key::check(*entity, on, form, findings);
            repair::check(*entity, on, draft, findings);
        }
    }
    lifetime::check(draft, findings);
    policy::check(draft, findings);
    ring::check(draft, findings);
}
