//! Stories that an honest store can tell, stories that it cannot, and many random ones.

mod cart;
mod history;
mod keys;
mod lies;
mod merge;
mod model;
mod orders;
mod price;
mod random;
mod readings;
mod speed;
mod status;
mod stock;
mod story;
mod wishes;
mod world;
