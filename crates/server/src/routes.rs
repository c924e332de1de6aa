//! Every path: a folder for each resource, a file for each verb or small group of them.

mod accounts;
mod admin;
mod beside;
mod cart;
mod names;
mod ops;
mod orders;
mod products;
mod sessions;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::Shared;

pub(crate) use self::beside::{empty, home, metrics_page};

/// Every path that the description lists.
pub(crate) fn described() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(sessions::open::open_session))
        .routes(routes!(sessions::current::show_session, sessions::current::close_session))
        .routes(routes!(sessions::login::log_in))
        .routes(routes!(sessions::current::log_out))
        .routes(routes!(accounts::create_account))
        .routes(routes!(names::list_categories))
        .routes(routes!(names::list_zones))
        .routes(routes!(products::search::search_products))
        .routes(routes!(products::show::show_product))
        .routes(routes!(products::stock::show_stock))
        .routes(routes!(cart::show_cart))
        .routes(routes!(cart::put_item, cart::remove_item))
        .routes(routes!(orders::place::place_order, orders::list::list_own_orders))
        .routes(routes!(orders::show::show_own_order))
        .routes(routes!(orders::steps::pay_own_order))
        .routes(routes!(orders::steps::cancel_own_order))
        .routes(routes!(admin::products::put_product, admin::products::withdraw_product))
        .routes(routes!(admin::products::adjust_stock))
        .routes(routes!(admin::orders::list_orders))
        .routes(routes!(admin::orders::show_order))
        .routes(routes!(admin::orders::set_order_status))
        .routes(routes!(admin::orders::record_payment))
        .routes(routes!(admin::events::list_events))
        .routes(routes!(ops::list_shards))
        .routes(routes!(ops::show_layout))
        .routes(routes!(beside::show_health))
        .routes(routes!(beside::show_readiness))
}
