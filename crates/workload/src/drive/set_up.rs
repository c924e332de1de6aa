//! Before the clock starts: the products, accounts and sessions of the run, made through the API like anybody's.
//!
//! Nothing of an earlier run is used or touched, so a store may be new or old and be driven as often as one likes.

mod catalogue;
mod people;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mworld_shop::{ProductId, UserId};
use serde::Deserialize;
use uuid::Uuid;

use super::api::Words;
use super::error::Error;
use super::http::{Answer, Pool, Request};
use super::live::{Live, Phase};
use super::persist::{complaint, persist};
use super::site::Made;
use super::store::Store;
use crate::scenario::Cast;
use crate::stage::{Stage, StagedProduct, StagedUser, ZoneNo};

/// How long set-up asks for one and the same thing.
const PATIENCE: Duration = Duration::from_secs(60);

/// Makes everything that the plan plays with. `wanted` says of each user whether the plan names it: a password's hash
/// is dear, and most plans are short.
pub(super) async fn set_up(store: &Store, cast: Cast, wanted: &[bool], live: &Live) -> Result<Made, Error> {
    let epoch = Instant::now();
    let users = wanted.iter().filter(|wanted| **wanted).count();
    live.enter(Phase::SettingUp { done: 0, total: (cast.products.len() + users) as u64 });
    let pool = Pool::new(find(store).await?, store.timeout);
    let work = Work { pool, store, cast, run: name(), password: Uuid::new_v4().to_string() };
    work.check_names().await?;
    let currency = work.currency().await?;
    let stage = work.stage(currency);
    let (products, sessions) = tokio::join!(
        catalogue::make_products(&work, &stage, live),
        people::make_users(&work, &stage, wanted, live),
    );
    let made = stage.products.into_iter().zip(products?);
    let products = made.map(|(product, id)| StagedProduct { id, ..product }).collect();
    let (ids, sessions): (Vec<_>, Vec<_>) = sessions?.into_iter().map(split).unzip();
    let users = stage.users.into_iter().zip(ids).map(|(user, id)| StagedUser { id, ..user }).collect();
    let stage = Stage { products, users, ..stage };
    let Work { pool, cast, run, password, .. } = work;
    let (host, operator) = (store.host.clone(), store.operator.clone());
    Ok(Made { pool, host, epoch, stage, cast, run, password, operator, sessions })
}

/// A user that was not made has neither session nor id.
fn split(user: Option<people::LoggedIn>) -> (UserId, Option<Arc<str>>) {
    match user {
        Some(user) => (user.id, Some(user.token)),
        None => (UserId::from_uuid(Uuid::nil()), None),
    }
}

/// A name for the run that no other has.
fn name() -> String {
    let random = Uuid::new_v4().simple().to_string();
    random[..12].to_owned()
}

async fn find(store: &Store) -> Result<Vec<SocketAddr>, Error> {
    let unreachable = |cause: String| Error::Unreachable { url: store.url(), cause };
    // An address without a port means that of the web.
    let with_port = if store.host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok()) {
        store.host.clone()
    } else {
        format!("{}:80", store.host)
    };
    let found = tokio::net::lookup_host(with_port).await.map_err(|error| unreachable(error.to_string()))?;
    let found: Vec<SocketAddr> = found.collect();
    // One connection ahead of all else: it says in the system's words what is wrong.
    tokio::net::TcpStream::connect(&found[..]).await.map_err(|error| unreachable(error.to_string()))?;
    Ok(found)
}

/// Set-up under way.
struct Work<'a> {
    pool: Pool,
    store: &'a Store,
    cast: Cast,
    run: String,
    password: String,
}

#[derive(Deserialize)]
struct NamesJson {
    items: Vec<NameJson>,
}

#[derive(Deserialize)]
struct NameJson {
    id: String,
}

#[derive(Deserialize)]
struct TokenJson {
    token: String,
}

#[derive(Deserialize)]
struct CartJson {
    total: MoneyJson,
}

#[derive(Deserialize)]
struct MoneyJson {
    currency: String,
}

impl Work<'_> {
    /// Whether the store has the zones and categories of the scenario.
    async fn check_names(&self) -> Result<(), Error> {
        let categories = self.cast.products.iter().map(|product| &product.category);
        for (path, kind, wanted) in [
            ("/zones", "zone", self.cast.zones.iter().collect::<Vec<_>>()),
            ("/categories", "category", categories.collect()),
        ] {
            let names: NamesJson = self.read(self.nobody().get(path), path).await?;
            if let Some(missing) =
                wanted.iter().find(|name| !names.items.iter().any(|known| known.id == ***name))
            {
                let known: Vec<_> = names.items.iter().map(|name| name.id.as_str()).collect();
                let what = format!("{kind} {missing:?}");
                return Err(Error::Missing { url: self.store.url(), what, known: known.join(", ") });
            }
        }
        Ok(())
    }

    /// The store's currency: that of the total of an empty cart.
    async fn currency(&self) -> Result<String, Error> {
        let open = self.nobody().send("POST", "/sessions", None, Some(serde_json::json!({})));
        let session: TokenJson = self.read(open, "open a session").await?;
        let words = Words { token: Some(&session.token), ..self.nobody() };
        let cart: CartJson = self.read(words.get("/cart"), "show a cart").await?;
        Ok(cart.total.currency)
    }

    /// What there will be; the ids are those of the answers.
    fn stage(&self, currency: String) -> Stage {
        let product = |product: &crate::scenario::CastProduct| StagedProduct {
            id: ProductId::from_uuid(Uuid::nil()),
            name: format!("{} {}", product.name, self.run),
            category: product.category.clone(),
            price: product.price,
            stock: product.stock.clone(),
        };
        let user = |number: u32| StagedUser {
            id: UserId::from_uuid(Uuid::nil()),
            email: format!("buyer{number}.{}@load.example", self.run),
        };
        Stage {
            products: self.cast.products.iter().map(product).collect(),
            users: (0..self.cast.users).map(user).collect(),
            zones: self.cast.zones.clone(),
            currency,
        }
    }

    /// Requests in nobody's name. They need no stage, so they may be made before there is one.
    fn nobody(&self) -> Words<'_> {
        const NOTHING: &Stage =
            &Stage { products: Vec::new(), users: Vec::new(), zones: Vec::new(), currency: String::new() };
        Words {
            host: &self.store.host,
            stage: NOTHING,
            cast: &self.cast,
            password: &self.password,
            token: None,
            zone: ZoneNo(0),
            search: None,
        }
    }

    /// A JSON answer to a request that may be sent twice.
    async fn read<T: for<'de> Deserialize<'de>>(&self, request: Request, what: &str) -> Result<T, Error> {
        let answer = self.ask(&request, what).await?;
        if !(200..300).contains(&answer.status) {
            return Err(self.failed(what, complaint(&answer)));
        }
        serde_json::from_slice(&answer.body).map_err(|error| {
            self.failed(what, format!("{error} in its answer; is this a Mobile World store?"))
        })
    }

    /// An answer, whatever it says, to a request that may be sent twice.
    async fn ask(&self, request: &Request, what: &str) -> Result<Answer, Error> {
        let (answer, _) =
            persist(&self.pool, request, PATIENCE).await.map_err(|last| self.failed(what, last))?;
        Ok(answer)
    }

    fn failed(&self, what: &str, complaint: String) -> Error {
        Error::SetUp { url: self.store.url(), what: what.to_owned(), complaint }
    }
}
