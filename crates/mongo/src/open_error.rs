//! Why a store on a cluster could not be opened, in words for people. Nothing was changed.

/// Why a store could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The address cannot be read.
    #[error("{address} is no address of a MongoDB cluster: {problem}; write mongodb://HOST:PORT/DATABASE")]
    BadAddress {
        /// The address.
        address: String,
        /// Why.
        problem: String,
    },
    /// Nobody answers.
    #[error(
        "no MongoDB router answers at {address}: {problem}; check the address and that mongos runs there, or start one with `mworld playground up --mongodb 2x1`"
    )]
    Silent {
        /// The address.
        address: String,
        /// Why.
        problem: String,
    },
    /// Something else answers.
    #[error(
        "{address} is {what}, not the router of a sharded cluster; give the address of a mongos, or start a cluster with `mworld playground up --mongodb 2x1`"
    )]
    NotARouter {
        /// The address.
        address: String,
        /// What it is.
        what: String,
    },
    /// An old server.
    #[error("{address} runs MongoDB {version}, and this mworld needs 7.0 or newer; upgrade the cluster")]
    TooOld {
        /// The address.
        address: String,
        /// Its version.
        version: String,
    },
    /// Not let in.
    #[error(
        "{address} does not accept the user and password; check them, and give the password in the address or in MWORLD_MONGODB_PASSWORD"
    )]
    WrongPassword {
        /// The address.
        address: String,
    },
    /// Let in, but not allowed to.
    #[error(
        "the user at {address} lacks rights: {problem}; grant it readWrite on the database and clusterManager on admin (`layout apply` needs the latter, a store that only sells clusterMonitor)"
    )]
    NoRights {
        /// The address.
        address: String,
        /// What was refused.
        problem: String,
    },
    /// Placed by another layout.
    #[error(
        "the database {database} at {address} was laid out by {stored}, not by {given} as it is now; start with `--layout {stored}`, or bring the cluster to the other with `mworld layout apply {given} --mongodb {address}`"
    )]
    OtherLayout {
        /// The address.
        address: String,
        /// The database.
        database: String,
        /// The layout in force there.
        stored: String,
        /// The layout asked for.
        given: String,
    },
    /// The layout has no place for something on this engine.
    #[error(
        "layout {layout} does not say how {entity} lies on MongoDB; add a table [{entity}.mongodb] with a shard_key"
    )]
    NoPlace {
        /// The layout.
        layout: String,
        /// The entity.
        entity: String,
    },
    /// Written by a newer version.
    #[error(
        "the database {database} has schema version {found}, this mworld knows up to {known}; use the newer mworld that wrote it"
    )]
    NewerSchema {
        /// The database.
        database: String,
        /// Its version.
        found: i64,
        /// Ours.
        known: i64,
    },
    /// Sells in another currency.
    #[error(
        "the database {database} sells in {stored}, not {given}; set `[shop] currency = \"{stored}\"`, or choose another database"
    )]
    OtherCurrency {
        /// The database.
        database: String,
        /// The currency in it.
        stored: String,
        /// The currency asked for.
        given: String,
    },
    /// A collection is not as the layout wants it.
    #[error(
        "{what}; look at the plan of `mworld layout apply {layout} --mongodb {address}` and let it be done with --yes"
    )]
    NotApplied {
        /// What is wrong.
        what: String,
        /// The layout.
        layout: String,
        /// The address.
        address: String,
    },
    /// Records are written down in another way than the layout wants.
    #[error(
        "the database {database} was laid out by {stored}, and with {given} {what}; that cannot be changed in place: give {given} a database of its own, and take the catalogue along with `mworld export` and `mworld import`"
    )]
    OtherShape {
        /// The database.
        database: String,
        /// The layout in force there.
        stored: String,
        /// The layout asked for.
        given: String,
        /// What would be another.
        what: String,
    },
    /// Somebody else's records are where ours would go.
    #[error(
        "the database {database} at {address} has a collection {collection} with {documents} documents that no mworld wrote; name another database in the address, mongodb://HOST:PORT/DATABASE"
    )]
    ForeignData {
        /// The address.
        address: String,
        /// The database.
        database: String,
        /// The collection.
        collection: String,
        /// About how many documents it has.
        documents: u64,
    },
    /// Somebody else is at it.
    #[error(
        "somebody else is bringing the database {database} to a layout at this moment; wait for it to end, then try again"
    )]
    Busy {
        /// The database.
        database: String,
    },
    /// The cluster failed while it was looked at.
    #[error(
        "the cluster at {address} failed while it was being opened: {problem}; try again, and look into its log if it goes on"
    )]
    Failed {
        /// The address.
        address: String,
        /// How.
        problem: String,
    },
}
