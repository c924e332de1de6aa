use super::*;
use crate::entity::Entity;
use crate::layout::model::Form;
use crate::placing::OwnerToCart;

fn every_table() -> impl Iterator<Item = Vec<Call>> {
    let forms = [Form::Whole, Form::PerZone, Form::Apart];
    let ways = [OwnerToCart::Computed, OwnerToCart::LookedUp];
    forms.into_iter().flat_map(move |form| ways.map(|found| table(form, found)))
}

fn table(form: Form, found: OwnerToCart) -> Vec<Call> {
    let mut table = catalog::calls(form);
    table.extend(carts::calls(found));
    table.extend(orders::calls(form, found));
    table.extend(sessions::calls(found));
    table
}

#[test]
fn every_operation_is_there_in_order() {
    for table in every_table() {
        let mut operations: Vec<Operation> = table.iter().map(|call| call.operation).collect();
        assert!(operations.is_sorted());
        operations.dedup();
        assert_eq!(operations, Operation::ALL);
    }
}

#[test]
fn calls_know_only_fields_that_their_area_has() {
    for touch in every_table().flatten().flat_map(|call| call.touches) {
        let fields = match touch.area {
            // The subcategory and price of a product are known to its stock as long as that lies inside it.
            Area::Entity(Entity::Stock) => Entity::Products.fields(),
            Area::Entity(entity) => entity.fields(),
            Area::CartOwners => &["owner_key"],
            Area::OrderKeys => &["user_id"],
        };
        for (field, _) in &touch.knows {
            assert!(fields.contains(field), "{} has no {field}", touch.area);
        }
    }
}

#[test]
fn an_owner_is_looked_up_only_where_the_key_does_not_follow() {
    let look_ups = |found| {
        let touches = table(Form::Whole, found).into_iter().flat_map(|call| call.touches);
        touches.filter(|touch| touch.area == Area::CartOwners).count()
    };
    assert_eq!(look_ups(OwnerToCart::Computed), 0);
    assert!(look_ups(OwnerToCart::LookedUp) > 0);
}
