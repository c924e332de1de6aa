//! A file that is not what was written. Whatever is wrong with it, the engine says so or gives the true data; it
//! neither panics nor leaves anything out in silence.

use std::fs::OpenOptions;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use mworld_embedded::{Engine, FILE_NAME, OpenError, inspect};
use mworld_shop::order::Order;
use mworld_shop::{EngineErrorKind, Error, ProductId, UserId};

use crate::till::{Till, options};

const PAGE: u64 = 4096;
const ORDERS: usize = 400;

/// A sound, closed store and what is in it.
struct Sound {
    dir: tempfile::TempDir,
    products: Vec<ProductId>,
    orders: Vec<Order>,
}

impl Sound {
    async fn make() -> Sound {
        let dir = tempfile::tempdir().unwrap();
        let till = Till::furnish(dir.path(), 60).await;
        for n in 0..ORDERS {
            till.sell(UserId::generate(), n).await.unwrap();
        }
        let (products, orders) = (till.products.clone(), till.orders().await.unwrap());
        assert_eq!(orders.len(), ORDERS);
        drop(till);
        Sound { dir, products, orders }
    }

    fn len(&self) -> u64 {
        std::fs::metadata(self.dir.path().join(FILE_NAME)).unwrap().len()
    }

    /// A copy of the store to spoil.
    fn copy(&self) -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join(FILE_NAME);
        std::fs::copy(self.dir.path().join(FILE_NAME), &file).unwrap();
        (dir, file)
    }

    /// What became of the store: found out at once, while reading, or nothing is missing.
    async fn verdict(&self, dir: &Path) -> Verdict {
        let till = match Till::open(dir, self.products.clone()) {
            Ok(till) => till,
            Err(OpenError::Damaged { .. }) => return Verdict::Refused,
            Err(other) => panic!("a damaged file is said to be damaged, not: {other}"),
        };
        let read = async {
            let orders = till.orders().await?;
            Ok::<_, Error>((orders, till.left().await?))
        };
        match read.await {
            Ok((orders, left)) => {
                assert_eq!(orders, self.orders, "what reads without an error is the truth");
                let left: u64 = left.values().map(|left| u64::from(*left)).sum();
                let all = u64::from(crate::till::PIECES) * self.products.len() as u64;
                assert_eq!(left + orders.len() as u64, all);
                Verdict::Intact
            }
            Err(Error::Engine(error)) if error.kind == EngineErrorKind::Corrupt => Verdict::Noticed,
            Err(other) => panic!("damage is called damage, not: {other:?}"),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Refused,
    Noticed,
    Intact,
}

fn overwrite(file: &Path, at: u64, bytes: &[u8]) {
    OpenOptions::new().write(true).open(file).unwrap().write_all_at(bytes, at).unwrap();
}

#[tokio::test]
async fn a_spoilt_header_is_refused_with_the_way_out() {
    let sound = Sound::make().await;
    for (at, bytes) in [(0, &b"no database here"[..]), (16, &[0xff; 84]), (0, &[0; 4096])] {
        let (dir, file) = sound.copy();
        overwrite(&file, at, bytes);
        let refused = Engine::open(options(dir.path())).err().expect("a spoilt header is refused");
        assert!(matches!(refused, OpenError::Damaged { .. }), "{refused}");
        assert!(refused.to_string().contains("mworld restore"), "{refused}");
    }
}

#[tokio::test]
async fn spoilt_pages_are_noticed_wherever_they_are() {
    let sound = Sound::make().await;
    let pages = sound.len() / PAGE;
    let mut verdicts = Vec::new();
    for part in 0..12 {
        let (dir, file) = sound.copy();
        let first = (1 + part * (pages - 1) / 12).min(pages - 1);
        overwrite(
            &file,
            first * PAGE,
            &[0xa5; 3 * PAGE as usize][..((pages - first).min(3) * PAGE) as usize],
        );
        let complaints = inspect(dir.path(), true).map(|health| health.complaints);
        let seen = complaints.as_ref().map_or(1, Vec::len);
        assert!(seen > 0, "the check of the whole file sees pages {first}.. of {pages}");
        verdicts.push(sound.verdict(dir.path()).await);
    }
    println!("{pages} pages; spoilt at twelve places: {verdicts:?}");
    assert!(verdicts.iter().any(|verdict| *verdict != Verdict::Intact), "{verdicts:?}");
}

#[tokio::test]
async fn a_shortened_file_is_noticed() {
    let sound = Sound::make().await;
    let length = sound.len();
    for keep in [50, PAGE / 2, PAGE, length / 3, length / 2, length - PAGE] {
        let (dir, file) = sound.copy();
        OpenOptions::new().write(true).open(&file).unwrap().set_len(keep).unwrap();
        let seen = inspect(dir.path(), true).map_or(1, |health| health.complaints.len());
        assert!(seen > 0, "the check of the whole file sees that {keep} of {length} bytes are left");
        let verdict = sound.verdict(dir.path()).await;
        println!("{keep} of {length} bytes: {verdict:?}");
    }
}
