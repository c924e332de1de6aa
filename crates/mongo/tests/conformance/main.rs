//! The conformance suite on a real cluster of two shards: every port, in layouts that place products, carts and orders
//! differently, with checkout as one transaction and as a saga.

mod shelf;

use std::panic::resume_unwind;
use std::sync::{Arc, LazyLock};

use async_trait::async_trait;
use mworld_mongo::{Engine, Options};
use mworld_placement::layout::load_shipped;
use mworld_shop::conformance::{BoxFuture, Harness, Parts};
use mworld_shop::{ManualClock, Settings};
use tokio::runtime::Runtime;

/// Where stores do what they do by themselves. The runtime of a case ends with the case, in the middle of a transaction
/// perhaps, whose records the cluster would then hold for a minute against the next one in that database.
static BY_THEMSELVES: LazyLock<Runtime> =
    LazyLock::new(|| Runtime::new().expect("a runtime can be had on this machine"));

/// How a cart becomes an order.
#[derive(Clone, Copy)]
enum CheckoutBy {
    Transaction,
    Saga,
}

/// Opens each store in a database that no other case is using.
struct Mongo {
    layout: &'static str,
    checkout: CheckoutBy,
}

#[async_trait]
impl Harness for Mongo {
    async fn fresh(&self, settings: Settings, clock: ManualClock) -> Parts {
        let database = shelf::take(self.layout).await;
        let layout = load_shipped(self.layout).expect("a shipped layout is sound").layout;
        let options = Options {
            address: database.address(),
            layout,
            settings: Arc::new(settings),
            clock: Arc::new(clock),
            observer: None,
            ages: None,
        };
        let engine = BY_THEMSELVES.spawn(Engine::open(options)).await.expect("opening does not fall over");
        let engine = engine.expect("a store opens on the cluster");
        let parts = match self.checkout {
            CheckoutBy::Transaction => engine.parts(),
            CheckoutBy::Saga => engine.parts_with_saga().0,
        };
        Parts { keep: Some(Box::new(database)), ..parts.into() }
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
    ($module:ident: $layout:literal) => {
        mod $module {
            use super::*;

            const fn by(checkout: CheckoutBy) -> Mongo {
                Mongo { layout: $layout, checkout }
            }

            mworld_shop::conformance_tests!(by(CheckoutBy::Transaction));

            mod by_saga {
                use super::*;

                mworld_shop::conformance_tests!(by(CheckoutBy::Saga); checkout);
            }
        }
    };
}

layout!(category_spread: "category-spread");
layout!(category: "category");
layout!(category_range: "category-range");
layout!(geo_zoned: "geo-zoned");
layout!(price_bands: "price-bands");

/// Variants, where their routes differ from those of the layout they vary: in the chapters of what they place otherwise.
mod variants {
    use super::*;

    const fn on(layout: &'static str) -> Mongo {
        Mongo { layout, checkout: CheckoutBy::Transaction }
    }

    macro_rules! variant {
        ($module:ident: $layout:literal; $($port:ident),+) => {
            mod $module {
                use super::*;

                mworld_shop::conformance_tests!(on($layout); $($port),+);
            }
        };
    }

    variant!(stock_apart: "category-spread+stock-apart"; catalog, ledger, checkout, feed);
    variant!(carts_by_user: "category-range+carts-by-user"; carts, checkout);
    variant!(orders_by_zone: "geo-zoned+orders-by-zone"; ledger, history, checkout);
    variant!(by_geo_zone: "price-bands+by-geo-zone"; carts, history, checkout);
}
