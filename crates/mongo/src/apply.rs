//! Bringing a cluster to a layout.

use mongodb::IndexModel;
use mongodb::bson::doc;
use mongodb::options::IndexOptions;
use mworld_placement::{Layout, Placement};

use crate::client::{Address, Cluster};
use crate::collection::{Shape, sharded};
use crate::indexes::{pattern, wanted};
use crate::open_error::OpenError;

/// Brings an empty database to the layout; checks that one which is not empty has been.
pub(crate) async fn ensure(
    cluster: &Cluster,
    address: &Address,
    layout: &Layout,
    placement: &Placement,
) -> Result<(), OpenError> {
    let failed = |error: mongodb::error::Error| OpenError::Failed {
        address: address.shown(),
        problem: error.to_string(),
    };
    let shape = Shape::of(placement);
    for (collection, key) in sharded(placement) {
        let namespace = format!("{}.{collection}", cluster.database.name());
        let key = pattern(&shape.physical_key(collection, &key));
        let command = doc! { "shardCollection": namespace, "key": key };
        cluster.client.database("admin").run_command(command).await.map_err(failed)?;
    }
    for index in wanted(layout, placement) {
        let mut options = IndexOptions::default();
        options.unique = index.unique.then_some(true);
        options.partial_filter_expression = index.partial;
        options.expire_after = index.expires.then_some(std::time::Duration::ZERO);
        let model = IndexModel::builder().keys(index.keys).options(options).build();
        let collection = cluster.database.collection::<mongodb::bson::Document>(index.collection.name());
        collection.create_index(model).await.map_err(failed)?;
    }
    Ok(())
}
