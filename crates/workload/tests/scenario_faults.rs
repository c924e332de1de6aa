//! Faulty scenarios, and how they are told.

use mworld_placement::diagnostic::{Colour, render};
use mworld_placement::layout::Source;
use mworld_workload::scenario::{read, shipped_source};
use proptest::prelude::*;

fn calm_day() -> String {
    shipped_source("calm-day").expect("it is shipped").text
}

/// What is said about a calm day in which these texts are replaced; each must stand in it.
fn told(changes: &[(&str, &str)]) -> String {
    let mut text = calm_day();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    told_of(text)
}

fn told_of(text: impl Into<String>) -> String {
    match read(&Source::new("mine.toml", text.into())) {
        Ok(_) => "no faults".to_owned(),
        Err(faults) => render(&faults, Colour::Plain),
    }
}

#[test]
fn a_sound_one_has_none() {
    assert_eq!(told(&[]), "no faults");
}

#[test]
fn slips_of_the_pen() {
    insta::assert_snapshot!(told(&[
        ("rate     = 100 ", "rte = 100 "),
        ("\"60s\"", "60"),
        ("[30, 80]", "[30]"),
        ("\"catalog.search\"", "\"catalogue.search\""),
        ("\"session.open\"", "\"session.touch\""),
        ("[zones] ", "[zone] "),
        ("accounts  = 200", "accounts  = 2000"),
        ("\"ranges\"  ", "\"range\"  "),
    ]));
}

#[test]
fn shares_that_make_no_whole() {
    insta::assert_snapshot!(told(&[
        ("\"catalog.stock\"   = 3", "\"catalog.stock\"   = 1.5"),
        ("kln = 15", "kln = 20"),
        ("share = 18", "share = 17.995"),
    ]));
}

#[test]
fn journeys_that_cannot_be() {
    insta::assert_snapshot!(told(&[
        ("\"cart.put\"        = 6", "\"cart.put\"        = 2"),
        ("\"cart.remove\"     = 1", "\"cart.remove\"     = 2"),
        ("\"order.place\"     = 2", "\"order.place\"     = 3"),
        ("\"order.advance\"   = 1.6", "\"order.advance\"   = 3.1"),
        ("\"session.open\"    = 4", "\"session.open\"    = 0"),
        ("\"catalog.search\"  = 34", "\"catalog.search\"  = 38.5"),
    ]));
    insta::assert_snapshot!(told(&[
        ("\"order.place\"     = 2", "\"order.place\"     = 0"),
        ("\"order.advance\"   = 1.6", "\"order.advance\"   = 0"),
        ("\"order.cancel\"    = 0.2", "\"order.cancel\"    = 0"),
        ("\"catalog.search\"  = 34", "\"catalog.search\"  = 37.8"),
    ]));
}

#[test]
fn goods_and_people_that_do_not_fit() {
    insta::assert_snapshot!(told(&[
        ("[900_000, 14_000_000]", "[14_000_000, 900_000]"),
        ("products = 40", "products = 0"),
        ("accounts = 3,", "accounts = 200,"),
        ("quantity = [5, 20]", "quantity = [5, 2000]"),
        ("filters =", "hot = { category = \"phones\", share = 10, price = 0, stock = 5 }\nfilters ="),
    ]));
    insta::assert_snapshot!(told(&[
        ("products = 60", "products = 300"),
        ("filters =", "hot = { category = \"audio\", share = 30, price = 100, stock = 5 }\nfilters ="),
    ]));
    insta::assert_snapshot!(told(&[(
        "filters =",
        "hot = { category = \"audio\", share = 30, price = 100, stock = 5 }\nfilters ="
    )]));
}

#[test]
fn curves_that_cannot_be_followed() {
    insta::assert_snapshot!(told(&[("[30, 80], [55, 70]", "[60, 80], [55, 70], [101, 1], [70, -1]")]));
    insta::assert_snapshot!(told(&[(
        "[[0, 40], [30, 80], [55, 70], [80, 130], [100, 60]]",
        "[[50, 0], [50, 9], [50, 0]]"
    )]));
}

#[test]
fn what_is_not_toml_and_what_is_not_there() {
    insta::assert_snapshot!(told(&[("[people]", "[people"), ("skew    = 0.6", "skew    = ")]));
    insta::assert_snapshot!(told_of("about = 5\n[mix]\ncart.get = 100\n"));
}

proptest! {
    #[test]
    fn any_damage_is_told_and_none_is_fatal(from in 0_usize..3_000, length in 0_usize..40, put in "[ -~\n]{0,12}") {
        let text = calm_day();
        let from = text.floor_char_boundary(from.min(text.len()));
        let to = text.ceil_char_boundary((from + length).min(text.len()));
        told_of(format!("{}{put}{}", &text[..from], &text[to..]));
    }
}
