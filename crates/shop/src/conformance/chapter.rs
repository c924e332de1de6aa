//! How cases are listed, and how an engine's test file gets one test of each.

use futures_util::future::BoxFuture;

use super::{Harness, World};

/// One promise.
#[derive(Clone, Copy)]
pub struct Case {
    /// What is promised, as the name of a test.
    pub name: &'static str,
    /// Panics if the promise is broken.
    pub run: for<'w> fn(&'w World) -> BoxFuture<'w, ()>,
}

/// Runs the case of that name on an engine.
///
/// # Panics
/// If the promise is broken, or if there is no such case.
pub async fn run_case(cases: &[Case], name: &str, harness: impl Harness) {
    let case = cases.iter().find(|case| case.name == name);
    let case = case.unwrap_or_else(|| panic!("there is no case {name} in this chapter"));
    (case.run)(&World::new(harness)).await;
}

/// Lists the cases of one file, once: as the constant `CASES`, and as a macro that makes a test of each. The cases
/// themselves stay private, so that the compiler warns of one that was written and not listed.
/// (The lone `$` lets this macro write another macro's variables.)
macro_rules! chapter {
    ($dollar:tt $tests:ident in $($path:ident)::+: $($case:ident),+ $(,)?) => {
        /// The cases of this chapter.
        pub const CASES: &[$crate::conformance::Case] = &[$(
            $crate::conformance::Case { name: stringify!($case), run: |world| Box::pin($case(world)) }
        ),+];

        #[doc(hidden)]
        #[macro_export]
        macro_rules! $tests {
            ($dollar harness:expr) => {
                use $dollar crate::conformance::$($path)::+::CASES as $tests;
                $(
                    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
                    async fn $case() {
                        $dollar crate::conformance::run_case($tests, stringify!($case), $dollar harness).await;
                    }
                )+
            };
        }
    };
}

/// Makes one `#[tokio::test]` of each case, for all ports or for those that are named:
/// `conformance_tests!(harness)`, `conformance_tests!(harness; carts, sessions)`. The expression is evaluated anew
/// in each test; the crate that uses the macro brings `tokio`.
#[macro_export]
macro_rules! conformance_tests {
    ($harness:expr) => {
        $crate::conformance_tests!(
            $harness; catalog, ledger, history, carts, checkout, saga, sessions, accounts, feed
        );
    };
    ($harness:expr; $($port:ident),+ $(,)?) => {$(
        mod $port {
            #[allow(unused_imports)]
            use super::*;
            $crate::conformance_port_tests!($port $harness);
        }
    )+};
}

#[doc(hidden)]
#[macro_export]
macro_rules! conformance_port_tests {
    (catalog $harness:expr) => {
        $crate::conformance_catalog_filters!($harness);
        $crate::conformance_catalog_words!($harness);
        $crate::conformance_catalog_paging!($harness);
        $crate::conformance_catalog_writes!($harness);
    };
    (ledger $harness:expr) => {
        $crate::conformance_ledger_place!($harness);
        $crate::conformance_ledger_refusals!($harness);
        $crate::conformance_ledger_void!($harness);
        $crate::conformance_ledger_stock!($harness);
        $crate::conformance_ledger_steps!($harness);
        $crate::conformance_ledger_payments!($harness);
        $crate::conformance_ledger_hold!($harness);
        $crate::conformance_ledger_list!($harness);
    };
    (history $harness:expr) => {
        $crate::conformance_history!($harness);
    };
    (carts $harness:expr) => {
        $crate::conformance_carts_lines!($harness);
        $crate::conformance_carts_merge!($harness);
        $crate::conformance_carts_merge_races!($harness);
        $crate::conformance_carts_life!($harness);
        $crate::conformance_carts_claims!($harness);
    };
    (checkout $harness:expr) => {
        $crate::conformance_checkout_sale!($harness);
        $crate::conformance_checkout_refusals!($harness);
        $crate::conformance_checkout_races!($harness);
    };
    (saga $harness:expr) => {
        $crate::conformance_saga!($harness);
        $crate::conformance_saga_overtaken!($harness);
    };
    (sessions $harness:expr) => {
        $crate::conformance_sessions!($harness);
    };
    (accounts $harness:expr) => {
        $crate::conformance_accounts!($harness);
    };
    (feed $harness:expr) => {
        $crate::conformance_feed!($harness);
    };
}
