# What the tools share: words, and a demo store that ends with whoever started it. Sourced, never run.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
TARGET=${CARGO_TARGET_DIR:-$ROOT/target}
MWORLD=${MWORLD:-$TARGET/release/mworld}

# Says on standard error why nothing more can be done, and what to do about it.
die() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

# start_store DIR PRODUCTS: opens a demo store on a free port of this machine and waits until it is ready.
# Leaves STORE_PID and STORE_URL. The operator token is MWORLD_OPERATOR_TOKEN, which the caller has exported.
start_store() {
    local dir=$1 products=$2
    [ -x "$MWORLD" ] || die "there is no $MWORLD; run 'cargo build --release' first, or name a binary in MWORLD"
    mkdir -p "$dir"
    # From its own directory, so that it does not pick up a mworld.toml that lies where the caller is.
    (cd "$dir" && exec "$MWORLD" serve --listen 127.0.0.1:0 --demo "$products" \
        >store.out 2>store.log </dev/null) &
    STORE_PID=$!
    local deadline=$((SECONDS + 60))
    until STORE_URL=$(grep -om1 'http://127\.0\.0\.1:[0-9]*' "$dir/store.out") &&
        curl --silent --fail --output /dev/null --max-time 5 "$STORE_URL/readyz"; do
        if ! kill -0 "$STORE_PID" 2>/dev/null || [ $SECONDS -ge $deadline ]; then
            cat "$dir/store.out" "$dir/store.log" >&2
            die "the store did not become ready within a minute; its own words stand above"
        fi
        sleep 0.1
    done
}

# stop_store: asks the store to close, and says whether it did so in order. Harmless without a store.
stop_store() {
    [ -n "${STORE_PID:-}" ] || return 0
    local pid=$STORE_PID status=0
    STORE_PID=
    kill -TERM "$pid" 2>/dev/null || true
    wait "$pid" || status=$?
    [ $status -eq 0 ] || printf 'the store ended with exit code %s instead of 0\n' "$status" >&2
    return $status
}
