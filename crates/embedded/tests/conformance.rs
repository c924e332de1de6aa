//! The conformance suite on real stores: checkout as one transaction and as a saga, in layouts that place
//! products, carts and orders differently.

use std::panic::resume_unwind;
use std::sync::Arc;

use async_trait::async_trait;
use mworld_embedded::{Engine, Options};
use mworld_placement::layout::load_shipped;
use mworld_shop::conformance::{BoxFuture, Harness, Parts};
use mworld_shop::{ManualClock, Settings};

/// How a cart becomes an order.
#[derive(Clone, Copy)]
enum CheckoutBy {
    Transaction,
    Saga,
}

/// Opens each store in a directory of its own, which goes away with it.
struct Embedded {
    layout: &'static str,
    shards: u32,
    checkout: CheckoutBy,
}

#[async_trait]
impl Harness for Embedded {
    async fn fresh(&self, settings: Settings, clock: ManualClock) -> Parts {
        let dir = tempfile::tempdir().expect("a directory for the store");
        let layout = load_shipped(self.layout).expect("a shipped layout is sound").layout;
        let options = Options {
            dir: dir.path().to_owned(),
            layout,
            shards: self.shards,
            settings: Arc::new(settings),
            clock: Arc::new(clock),
            observer: None,
        };
        let engine = Engine::open(options).expect("a new store opens");
        let parts = match self.checkout {
            CheckoutBy::Transaction => engine.parts(),
            CheckoutBy::Saga => engine.parts_with_saga().0,
        };
        Parts { keep: Some(Box::new(dir)), ..parts.into() }
    }

    fn spawn(&self, task: BoxFuture<'static, ()>) -> BoxFuture<'static, ()> {
        let running = tokio::spawn(task);
        Box::pin(async move {
            if let Err(error) = running.await {
                resume_unwind(error.into_panic());
            }
        })
    }
}

/// All cases in one layout; checkout also as a saga.
macro_rules! layout {
    ($module:ident: $layout:literal, $shards:literal shards) => {
        mod $module {
            use super::*;

            const fn by(checkout: CheckoutBy) -> Embedded {
                Embedded { layout: $layout, shards: $shards, checkout }
            }

            mworld_shop::conformance_tests!(by(CheckoutBy::Transaction));

            mod by_saga {
                use super::*;

                mworld_shop::conformance_tests!(by(CheckoutBy::Saga); checkout);
            }
        }
    };
}

layout!(category_spread: "category-spread", 4 shards);
layout!(category_spread_on_one: "category-spread", 1 shards);
layout!(stock_apart: "category-spread+stock-apart", 4 shards);
layout!(category: "category", 4 shards);
layout!(category_range: "category-range", 4 shards);
layout!(geo_zoned: "geo-zoned", 4 shards);
layout!(price_bands: "price-bands", 4 shards);
layout!(by_geo_zone: "price-bands+by-geo-zone", 3 shards);
layout!(orders_by_zone: "geo-zoned+orders-by-zone", 5 shards);
