//! Opening a store on a cluster: the cluster is looked at, brought to the layout if it is empty, and its ranges are read.

use std::sync::Arc;

use mongodb::bson::{Document, doc};
use mworld_placement::layout::model::Engine as Place;
use mworld_placement::touched::Counters;
use mworld_placement::{Domain, Entity, Layout, Placement};
use mworld_shop::{Settings, Zone};

use crate::ages::Ages;
use crate::apply;
use crate::carts::Kept;
use crate::client::Cluster;
use crate::cluster_time::ClusterClock;
use crate::collection::{Collection, Shape, sharded};
use crate::core::Core;
use crate::engine::Options;
use crate::fault::{Answer, Fault};
use crate::hot::Hot;
use crate::lifetimes::Lifetimes;
use crate::maps::{self, Maps};
use crate::open_error::OpenError;
use crate::policy::Policies;
use crate::watch::Seen;

/// What the layout must say of MongoDB for a store to live there altogether.
const NEEDED: [Entity; 3] = [Entity::Products, Entity::Orders, Entity::Carts];

pub(crate) async fn open(options: Options) -> Result<Core, OpenError> {
    let layout = options.layout.in_force_on(Place::MongoDb);
    every_entity_has_a_place(&layout)?;
    let cluster = Cluster::connect(&options.address).await?;
    let failed = |fault: Fault| OpenError::Failed {
        address: options.address.shown(),
        problem: fault.into_shop().to_string(),
    };
    let shards = maps::shards(&cluster.client).await.map_err(failed)?;
    let count = u32::try_from(shards.len()).unwrap_or(u32::MAX);
    let domain = domain(&options.settings);
    let (placement, _) = Placement::new(&layout, count, &domain);
    apply::ensure(&cluster, &options.address, &layout, &placement, &domain).await?;
    agree_on_currency(&cluster, &options.settings).await?;
    let zones = zones(&cluster, &options.settings).await.map_err(failed)?;
    let shape = Shape::of(&placement);
    let collections = sharded(&placement);
    let ranges = maps::read(&cluster.client, cluster.database.name(), shape, &collections);
    let ranges = ranges.await.map_err(failed)?;
    Ok(Core {
        client: cluster.client,
        database: cluster.database,
        shape,
        maps: Maps::new(ranges),
        policies: Policies::of(&layout),
        lifetimes: Lifetimes::of(&layout),
        kept: Kept::of(&layout),
        layout,
        zones,
        settings: options.settings,
        clock: options.clock,
        counters: Counters::new(count.max(1), options.observer),
        seen: Seen::default(),
        hot: Hot::default(),
        cluster_clock: ClusterClock::default(),
        ages: Ages(options.ages),
    })
}

/// Refuses a layout, with MongoDB in force where it can be, by which a store cannot live there altogether.
pub(crate) fn every_entity_has_a_place(layout: &Layout) -> Result<(), OpenError> {
    let homeless =
        |entity: &Entity| layout.entities.get(entity).is_none_or(|placed| placed.engine != Place::MongoDb);
    NEEDED.into_iter().find(homeless).map_or(Ok(()), |entity| {
        Err(OpenError::NoPlace { layout: layout.name.clone(), entity: entity.to_string() })
    })
}

/// The store's zones and categories, as placement wants them.
pub(crate) fn domain(settings: &Settings) -> Domain {
    Domain {
        zones: settings.zones.iter().map(|zone| zone.id.to_string()).collect(),
        categories: settings.categories.iter().map(|category| category.id.to_string()).collect(),
    }
}

fn meta(cluster: &Cluster) -> mongodb::Collection<Document> {
    cluster.database.collection(Collection::Meta.name())
}

/// A store sells in one currency for ever: the first one that opens says which.
async fn agree_on_currency(cluster: &Cluster, settings: &Settings) -> Result<(), OpenError> {
    let given = settings.currency.to_string();
    let found = meta(cluster)
        .find_one_and_update(doc! { "_id": "currency" }, doc! { "$setOnInsert": { "code": &given } })
        .upsert(true)
        .return_document(mongodb::options::ReturnDocument::After)
        .await;
    let problem =
        |problem: String| OpenError::Failed { address: cluster.database.name().to_owned(), problem };
    let found = found.map_err(|error| problem(error.to_string()))?;
    let stored = found.and_then(|found| found.get_str("code").ok().map(str::to_owned)).unwrap_or_default();
    if stored == given {
        return Ok(());
    }
    Err(OpenError::OtherCurrency { database: cluster.database.name().to_owned(), stored, given })
}

/// Every zone that the store has ever had, today's among them.
async fn zones(cluster: &Cluster, settings: &Settings) -> Answer<Vec<Zone>> {
    let names: Vec<&str> = settings.zones.iter().map(|zone| zone.id.as_str()).collect();
    let found = meta(cluster)
        .find_one_and_update(doc! { "_id": "zones" }, doc! { "$addToSet": { "names": { "$each": names } } })
        .upsert(true)
        .return_document(mongodb::options::ReturnDocument::After)
        .await?;
    let names = found.and_then(|found| found.get_array("names").ok().cloned()).unwrap_or_default();
    Ok(names.iter().filter_map(|name| Zone::new(name.as_str()?).ok()).collect())
}

/// The ranges anew, for those who watch them.
pub(crate) async fn refresh(core: &Arc<Core>) -> Answer<()> {
    let count = u32::try_from(core.maps.now().shards.len()).unwrap_or(u32::MAX);
    let (placement, _) = Placement::new(&core.layout, count, &domain(&core.settings));
    let ranges = maps::read(&core.client, core.database.name(), core.shape, &sharded(&placement)).await?;
    core.maps.replace(ranges);
    Ok(())
}
