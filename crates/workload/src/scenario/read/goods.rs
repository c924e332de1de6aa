//! `[categories]` and `[products]`: what is sold.

use std::ops::Range;

use mworld_shop::Category;

use super::super::faults::{Faults, offer};
use super::super::item::Item;
use super::super::section::Section;
use super::super::{CategoryPart, Filters, Hot, Products};
use super::parts::{legal_name, whole};

/// Set-up makes them one by one, in seconds.
const MOST_PRODUCTS: u32 = 300;

/// A hundred million roubles: whole carts of it stay far from overflow.
const HIGHEST_PRICE: i64 = 10_000_000_000;

/// Units of one product.
const MOST_UNITS: u32 = 100_000_000;

/// The categories' names, and the categories if nothing is wrong with them.
pub(super) struct Categories {
    names: Vec<String>,
    pub(super) parts: Option<Vec<CategoryPart>>,
}

pub(super) fn categories(mut section: Section<'_>, faults: &mut Faults) -> Categories {
    let items = section.take_all();
    let names: Vec<String> = items.iter().map(|item| item.key.clone()).collect();
    let parts: Vec<CategoryPart> = items.into_iter().filter_map(|item| category(item, faults)).collect();
    let sound = parts.len() == names.len() && fit(&parts, section.at(), faults);
    Categories { names, parts: sound.then_some(parts) }
}

/// Whether categories that are sound each fit together.
fn fit(categories: &[CategoryPart], at: &Range<usize>, faults: &mut Faults) -> bool {
    let all: u64 = categories.iter().map(|category| u64::from(category.products)).sum();
    if all > u64::from(MOST_PRODUCTS) {
        faults.add(
            "too-many-products",
            at,
            format!("{all} products in all"),
            format!("set-up makes at most {MOST_PRODUCTS}"),
            "a small catalogue is asked more often; lower `products` somewhere",
        );
    }
    let shares = categories.iter().map(|category| category.share);
    whole(shares, "[categories]", at, faults) && all <= u64::from(MOST_PRODUCTS)
}

fn category(item: Item<'_>, faults: &mut Faults) -> Option<CategoryPart> {
    let name = item.key.clone();
    let named = legal_name(&item, Category::new(&name).err(), faults);
    let mut section = item.section(faults)?;
    let share = section.need("share", "`share = 25`", faults).and_then(|item| item.share(faults));
    let products = section
        .need("products", "`products = 40`", faults)
        .and_then(|item| item.count(1..=MOST_PRODUCTS, faults));
    let price = section
        .need("price", "`price = [100_000, 9_000_000]`", faults)
        .and_then(|item| item.span(1..=HIGHEST_PRICE, faults));
    section.finish(faults);
    let part = CategoryPart { name, share: share?, products: products?, price: price? };
    named.then_some(part)
}

/// `categories` are what is known of them, to find the hot product's.
pub(super) fn products(
    mut section: Section<'_>,
    categories: Option<&Categories>,
    faults: &mut Faults,
) -> Option<Products> {
    let skew = section.need("skew", "`skew = 0.5`", faults).and_then(|item| item.number(0.0..=3.0, faults));
    let stock =
        section.need("stock", "`stock = 2_000`", faults).and_then(|item| item.count(0..=MOST_UNITS, faults));
    let choices = [("bands", Filters::Bands), ("ranges", Filters::Ranges)];
    let filters = section
        .need("filters", "`filters = \"bands\"`", faults)
        .and_then(|item| item.choice(&choices, faults));
    let hot = section
        .take("hot")
        .map(|item| item.section(faults).and_then(|section| hot(section, categories, faults)));
    section.finish(faults);
    let hot = hot.map_or(Some(None), |read| read.map(Some))?;
    Some(Products { skew: skew?, stock: stock?, filters: filters?, hot })
}

fn hot(mut section: Section<'_>, categories: Option<&Categories>, faults: &mut Faults) -> Option<Hot> {
    let category = section
        .need("category", "`category = \"electronics\"`", faults)
        .and_then(|item| place(&item, &categories?.names, faults));
    let share = section.need("share", "`share = 10`", faults);
    let price = section
        .need("price", "`price = 4_999_000`", faults)
        .and_then(|item| item.amount(1..=HIGHEST_PRICE, faults));
    let stock =
        section.need("stock", "`stock = 1_000`", faults).and_then(|item| item.count(0..=MOST_UNITS, faults));
    section.finish(faults);
    let share_at = share.as_ref().map(|item| item.at.clone())?;
    let share = share.and_then(|item| item.share(faults))?;
    let category = category?;
    let part = categories?.parts.as_ref()?.get(category)?;
    if share > part.share {
        faults.add(
            "hotter-than-its-category",
            &share_at,
            format!("the hot product takes {share}, its category {}", part.share),
            "a part is larger than its whole",
            format!("lower it to at most {}, or raise the share of `{}`", part.share, part.name),
        );
    }
    Some(Hot { category, share, price: price?, stock: stock? })
}

fn place(item: &Item<'_>, categories: &[String], faults: &mut Faults) -> Option<usize> {
    let written = item.text(faults)?;
    let place = categories.iter().position(|category| *category == written);
    if place.is_none() {
        let known: Vec<&str> = categories.iter().map(String::as_str).collect();
        let title = format!("the hot product is in {written:?}");
        faults.add("unknown-category", &item.at, title, "not one of [categories]", offer(&written, &known));
    }
    place
}
