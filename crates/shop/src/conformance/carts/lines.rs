//! Putting and removing.

use std::collections::BTreeSet;

use crate::cart::{CartStatus, Owner, PutLine};
use crate::conformance::World;
use crate::conformance::fixture::goods::quantity_in;
use crate::conformance::fixture::refused;
use crate::error::Refusal;
use crate::ids::{ProductId, SessionId, UserId};

chapter! { $ conformance_carts_lines in carts::lines:
    the_first_put_makes_the_cart,
    a_put_sets_the_quantity_and_the_price_of_the_moment,
    lines_come_newest_added_first,
    removing_takes_a_line_out,
    limits_are_kept_and_named,
    puts_at_once_lose_nothing,
    first_puts_at_once_make_one_cart,
    puts_and_removes_at_once_do_not_disturb_each_other,
    carts_of_different_owners_are_apart,
}

async fn the_first_put_makes_the_cart(world: &World) {
    let shop = world.shop().await;
    let (session, user) = (SessionId::generate(), UserId::generate());
    for buyer in [shop.guest_buyer(session), shop.user_buyer(user)] {
        assert_eq!(shop.carts().active(buyer.owner).await.expect("carts are readable"), None, "no cart yet");
        let product = ProductId::generate();
        let cart = shop.carts().put(&buyer, shop.any_line(product, 2)).await.expect("the first put");
        assert_eq!((cart.owner, cart.status, &cart.zone), (buyer.owner, CartStatus::Active, &buyer.zone));
        assert_eq!(cart.id, buyer.owner.cart_id(cart.generation), "its id follows from owner and generation");
        assert_eq!((cart.lines.len(), cart.lines[0].quantity, cart.lines[0].product_id), (1, 2, product));
        let found = shop.carts().active(buyer.owner).await.expect("carts are readable");
        assert_eq!(found, Some(cart), "what put answers is what is stored");
    }
}

async fn a_put_sets_the_quantity_and_the_price_of_the_moment(world: &World) {
    let shop = world.shop().await;
    let buyer = shop.user_buyer(UserId::generate());
    let line = shop.any_line(ProductId::generate(), 2);
    let first = shop.carts().put(&buyer, line.clone()).await.expect("the first put");
    let dearer = PutLine { quantity: 7, price: shop.money(1_500), name: "renamed".to_owned(), ..line };
    let second = shop.carts().put(&buyer, dearer).await.expect("the second put");
    assert_eq!(second.lines.len(), 1, "one line for one product");
    assert_eq!(second.lines[0].quantity, 7, "set, not added");
    assert_eq!((second.lines[0].price, second.lines[0].name.as_str()), (shop.money(1_500), "renamed"));
    assert_eq!(second.total(shop.settings.currency).expect("a legal total"), shop.money(7 * 1_500));
    assert!(second.updated_at > first.updated_at, "the write time grows although the clock stands");
    assert_eq!((second.id, second.created_at), (first.id, first.created_at), "it is the same cart");
}

async fn lines_come_newest_added_first(world: &World) {
    let shop = world.shop().await;
    let buyer = shop.user_buyer(UserId::generate());
    let products: Vec<ProductId> = (0..4).map(|_| ProductId::generate()).collect();
    for product in &products {
        shop.tick();
        shop.carts().put(&buyer, shop.any_line(*product, 1)).await.expect("a put");
    }
    shop.tick();
    let cart = shop.carts().put(&buyer, shop.any_line(products[0], 9)).await.expect("a put of the oldest");
    let order: Vec<ProductId> = cart.lines.iter().map(|line| line.product_id).collect();
    assert_eq!(
        order,
        products.iter().rev().copied().collect::<Vec<_>>(),
        "another quantity does not move a line"
    );
}

async fn removing_takes_a_line_out(world: &World) {
    let shop = world.shop().await;
    let buyer = shop.guest_buyer(SessionId::generate());
    let (a, b) = (ProductId::generate(), ProductId::generate());
    let nothing = shop.carts().remove(buyer.owner, a).await.expect("removing from no cart is no failure");
    assert_eq!(nothing, None, "and makes none");
    shop.carts().put(&buyer, shop.any_line(a, 1)).await.expect("a put");
    shop.carts().put(&buyer, shop.any_line(b, 1)).await.expect("a put");
    for _ in 0..2 {
        let cart = shop.carts().remove(buyer.owner, a).await.expect("a remove, and a repeat of it");
        let cart = cart.expect("the cart is there");
        assert_eq!(cart.lines.iter().map(|line| line.product_id).collect::<Vec<_>>(), [b]);
    }
    shop.carts().remove(buyer.owner, b).await.expect("a remove of the last line");
    let left = shop.carts().active(buyer.owner).await.expect("carts are readable");
    assert!(left.is_none_or(|cart| cart.lines.is_empty()), "nothing is left in it");
    let cart = shop.carts().put(&buyer, shop.any_line(a, 3)).await.expect("it may be filled again");
    assert_eq!((cart.lines.len(), quantity_in(Some(&cart), a)), (1, 3));
}

async fn limits_are_kept_and_named(world: &World) {
    let shop = world
        .shop_with(|settings| {
            settings.cart.max_lines = 3;
            settings.cart.max_quantity = 10;
        })
        .await;
    let buyer = shop.user_buyer(UserId::generate());
    let products: Vec<ProductId> = (0..4).map(|_| ProductId::generate()).collect();
    for quantity in [0, 11, u32::MAX] {
        let answer = shop.carts().put(&buyer, shop.any_line(products[0], quantity)).await;
        let wanted = Refusal::InvalidQuantity { given: quantity.into(), max: 10 };
        assert_eq!(refused(answer, "a quantity out of range"), wanted);
    }
    for product in &products[..3] {
        shop.carts().put(&buyer, shop.any_line(*product, 10)).await.expect("up to the limits");
    }
    let answer = shop.carts().put(&buyer, shop.any_line(products[3], 1)).await;
    assert_eq!(refused(answer, "a fourth line of three"), Refusal::CartFull { limit: 3 });
    let cart =
        shop.carts().put(&buyer, shop.any_line(products[0], 1)).await.expect("a known line may change");
    assert_eq!((cart.lines.len(), quantity_in(Some(&cart), products[0])), (3, 1));
    shop.carts().remove(buyer.owner, products[0]).await.expect("a remove makes room");
    shop.carts().put(&buyer, shop.any_line(products[3], 1)).await.expect("for another line");
}

async fn puts_at_once_lose_nothing(world: &World) {
    let shop = world.shop().await;
    let buyer = shop.user_buyer(UserId::generate());
    shop.carts().put(&buyer, shop.any_line(ProductId::generate(), 1)).await.expect("the first put");
    let products: Vec<ProductId> = (0..20).map(|_| ProductId::generate()).collect();
    shop.at_once(20, |i, shop| {
        let (buyer, line) = (buyer.clone(), shop.any_line(products[i], 1 + i as u32));
        async move { shop.carts().put(&buyer, line).await.expect("a put into a free cart is done") }
    })
    .await;
    let cart = shop.carts().active(buyer.owner).await.expect("carts are readable");
    for (i, product) in products.iter().enumerate() {
        assert_eq!(quantity_in(cart.as_ref(), *product), 1 + i as u32, "line {i} of twenty puts at once");
    }
    assert_eq!(cart.map(|cart| cart.lines.len()), Some(21));
}

async fn first_puts_at_once_make_one_cart(world: &World) {
    let shop = world.shop().await;
    for _ in 0..4 {
        let owner = Owner::User(UserId::generate());
        let carts = shop
            .at_once(8, |_, shop| async move {
                // Each device has a session of its own.
                let session = SessionId::generate();
                let buyer = crate::cart::Buyer { owner, session, zone: shop.zone(0) };
                shop.carts().put(&buyer, shop.any_line(ProductId::generate(), 1)).await.expect("a first put")
            })
            .await;
        let ids: BTreeSet<_> = carts.iter().map(|cart| cart.id).collect();
        assert_eq!(ids.len(), 1, "one active cart per owner");
        let cart = shop.carts().active(owner).await.expect("carts are readable").expect("there is one");
        assert_eq!((cart.lines.len(), ids.contains(&cart.id)), (8, true), "with every line");
    }
}

async fn puts_and_removes_at_once_do_not_disturb_each_other(world: &World) {
    let shop = world.shop().await;
    let buyer = shop.user_buyer(UserId::generate());
    let products: Vec<ProductId> = (0..16).map(|_| ProductId::generate()).collect();
    for product in &products[..8] {
        shop.carts().put(&buyer, shop.any_line(*product, 1)).await.expect("a put");
    }
    shop.at_once(16, |i, shop| {
        let (buyer, product) = (buyer.clone(), products[i]);
        async move {
            if i < 8 {
                shop.carts().remove(buyer.owner, product).await.expect("a remove");
            } else {
                shop.carts().put(&buyer, shop.any_line(product, 2)).await.expect("a put");
            }
        }
    })
    .await;
    let cart = shop.carts().active(buyer.owner).await.expect("carts are readable").expect("it is there");
    let left: BTreeSet<ProductId> = cart.lines.iter().map(|line| line.product_id).collect();
    assert_eq!(
        left,
        products[8..].iter().copied().collect(),
        "what was removed is gone, what was put is there"
    );
}

async fn carts_of_different_owners_are_apart(world: &World) {
    let shop = world.shop().await;
    // A session and a user with the same number are two owners.
    let session = SessionId::generate();
    let user = UserId::from_uuid(session.uuid());
    let product = ProductId::generate();
    shop.carts().put(&shop.guest_buyer(session), shop.any_line(product, 1)).await.expect("a guest's put");
    shop.carts().put(&shop.user_buyer(user), shop.any_line(product, 2)).await.expect("a user's put");
    let guest = shop.carts().active(Owner::Guest(session)).await.expect("carts are readable");
    let own = shop.carts().active(Owner::User(user)).await.expect("carts are readable");
    assert_eq!((quantity_in(guest.as_ref(), product), quantity_in(own.as_ref(), product)), (1, 2));
}
