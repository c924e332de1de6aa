//! Which orders somebody wants to see.

use mworld_shop::order::{OrderQuery, OrderStatus};
use mworld_shop::{Timestamp, UserId};

use crate::app::Shared;
use crate::input::{Parameters, ReadQuery, invalid};
use crate::problem::Problem;

/// What a buyer may ask of their own orders. The cursor is bound to the buyer, so it is read when the buyer is
/// known.
pub(in crate::routes) struct OwnOrders {
    query: OrderQuery,
    cursor: Option<String>,
}

impl ReadQuery for OwnOrders {
    const KNOWN: &'static [&'static str] = &["status", "from", "to", "limit", "cursor"];

    fn read(parameters: &Parameters<'_>, _: &Shared) -> Result<OwnOrders, Problem> {
        Ok(OwnOrders {
            query: read_period_and_status(parameters)?,
            cursor: parameters.words("cursor")?.map(str::to_owned),
        })
    }
}

impl OwnOrders {
    pub(super) fn of(self, user: UserId) -> Result<OrderQuery, Problem> {
        let mut query = self.query;
        let list = query.list_id(Some(user));
        let after = self.cursor.map(|text| mworld_shop::Position::decode(&text, list)).transpose()?;
        query.after = after;
        Ok(query)
    }
}

/// What an operator may ask of all orders.
pub(in crate::routes) struct AllOrders(pub(in crate::routes) OrderQuery);

impl ReadQuery for AllOrders {
    const KNOWN: &'static [&'static str] = &["zone", "status", "from", "to", "limit", "cursor"];

    fn read(parameters: &Parameters<'_>, app: &Shared) -> Result<AllOrders, Problem> {
        let mut query = read_period_and_status(parameters)?;
        let settings = app.store.settings();
        query.zone = parameters.one("zone")?.map(|name| settings.zone(name)).transpose()?;
        query.after = parameters.cursor(query.list_id(None))?;
        Ok(AllOrders(query))
    }
}

fn read_period_and_status(parameters: &Parameters<'_>) -> Result<OrderQuery, Problem> {
    let from: Option<Timestamp> = parameters.one_as("from", str::parse)?;
    let to: Option<Timestamp> = parameters.one_as("to", str::parse)?;
    if let (Some(from), Some(to)) = (from, to)
        && from >= to
    {
        return Err(invalid("from", format!("{from} is not before to {to}; swap them or leave one out")));
    }
    let status: Option<OrderStatus> = parameters.one_as("status", str::parse)?;
    Ok(OrderQuery { status, from, to, limit: parameters.limit()?, ..OrderQuery::default() })
}
