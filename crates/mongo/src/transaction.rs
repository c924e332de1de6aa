//! Work that is done as one transaction, as often as it takes.

/// Does the work, a future made anew for each try, in a transaction on this operation, and all of it again when others
/// were in its way. A record that somebody else made meanwhile is in the way, too: the next try sees it. What the work
/// writes counts only when it has an answer. (A macro, because a function that takes a closure of a borrowed
/// operation cannot promise that its future may change threads.)
macro_rules! in_transaction {
    ($db:expr, $work:expr) => {{
        let mut tries = $crate::tries::Tries::within($crate::tries::TRANSACTION);
        loop {
            $db.begin().await?;
            let outcome = $work.await;
            match $db.end(outcome, &mut tries).await {
                Some(Err(fault)) if fault.is_duplicate() && tries.again().await => {}
                Some(done) => break done,
                None => {}
            }
        }
    }};
}

pub(crate) use in_transaction;
