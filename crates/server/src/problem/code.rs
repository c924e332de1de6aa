//! Every code that an error may carry, with its status and title.

use axum::http::StatusCode;

macro_rules! codes {
    ($($variant:ident = $name:literal, $status:ident, $title:literal;)+) => {
        /// A stable name for programs. Codes are promises: they are added, never changed.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Code {
            $($variant),+
        }

        impl Code {
            /// Every code.
            pub(crate) const ALL: &[Code] = &[$(Code::$variant),+];

            /// The name in the API.
            pub(crate) const fn name(self) -> &'static str {
                match self { $(Code::$variant => $name),+ }
            }

            /// The HTTP status that goes with it.
            pub(crate) const fn status(self) -> StatusCode {
                match self { $(Code::$variant => StatusCode::$status),+ }
            }

            /// The same words for every problem of this code.
            pub(crate) const fn title(self) -> &'static str {
                match self { $(Code::$variant => $title),+ }
            }

            /// An identifier for the kind of problem, as RFC 9457 wants it.
            pub(crate) const fn type_uri(self) -> &'static str {
                match self { $(Code::$variant => concat!("urn:mworld:problem:", $name)),+ }
            }
        }
    };
}

codes! {
    BadCursor = "bad_cursor", BAD_REQUEST, "The cursor does not fit";
    UnknownParameter = "unknown_parameter", BAD_REQUEST, "There is no such parameter";
    InvalidParameter = "invalid_parameter", BAD_REQUEST, "A parameter is wrong";
    InvalidJson = "invalid_json", BAD_REQUEST, "The body is not JSON";
    IdempotencyKeyRequired = "idempotency_key_required", BAD_REQUEST, "An Idempotency-Key is required";
    Unauthorized = "unauthorized", UNAUTHORIZED, "A valid token is required";
    LoginRequired = "login_required", UNAUTHORIZED, "Only for those who are logged in";
    BadCredentials = "bad_credentials", UNAUTHORIZED, "E-mail and password do not match";
    OperatorOnly = "operator_only", FORBIDDEN, "Only for operators";
    NotFound = "not_found", NOT_FOUND, "There is nothing here";
    ProductNotFound = "product_not_found", NOT_FOUND, "There is no such product";
    OrderNotFound = "order_not_found", NOT_FOUND, "There is no such order";
    MethodNotAllowed = "method_not_allowed", METHOD_NOT_ALLOWED, "Not with this method";
    BodyTimeout = "body_timeout", REQUEST_TIMEOUT, "The body came too slowly";
    NotForSale = "not_for_sale", CONFLICT, "The product is no longer sold";
    InsufficientStock = "insufficient_stock", CONFLICT, "Not enough stock";
    CartEmpty = "cart_empty", CONFLICT, "The cart is empty";
    CartBusy = "cart_busy", CONFLICT, "The cart is being checked out";
    PriceChanged = "price_changed", CONFLICT, "The total has changed";
    IllegalTransition = "illegal_transition", CONFLICT, "The order cannot take this step";
    OrderCancelled = "order_cancelled", CONFLICT, "The order is cancelled";
    ReferenceTaken = "reference_taken", CONFLICT, "The reference is another payment's";
    WrongAmount = "wrong_amount", CONFLICT, "The payment is not the total";
    EmailTaken = "email_taken", CONFLICT, "The e-mail has an account";
    BodyTooLarge = "body_too_large", PAYLOAD_TOO_LARGE, "The body is too large";
    UnsupportedMediaType = "unsupported_media_type", UNSUPPORTED_MEDIA_TYPE, "The body must be JSON";
    InvalidBody = "invalid_body", UNPROCESSABLE_ENTITY, "A field of the body is wrong";
    InvalidQuantity = "invalid_quantity", UNPROCESSABLE_ENTITY, "The quantity is out of range";
    InvalidStock = "invalid_stock", UNPROCESSABLE_ENTITY, "The stock is out of range";
    InvalidEmail = "invalid_email", UNPROCESSABLE_ENTITY, "Not an e-mail address";
    WeakPassword = "weak_password", UNPROCESSABLE_ENTITY, "The password is too short";
    CartFull = "cart_full", UNPROCESSABLE_ENTITY, "The cart is full";
    IdempotencyMismatch = "idempotency_mismatch", UNPROCESSABLE_ENTITY, "The key belongs to another request";
    UnknownZone = "unknown_zone", UNPROCESSABLE_ENTITY, "There is no such zone";
    UnknownCategory = "unknown_category", UNPROCESSABLE_ENTITY, "There is no such category";
    TooManyRequests = "too_many_requests", TOO_MANY_REQUESTS, "Too many requests";
    Internal = "internal", INTERNAL_SERVER_ERROR, "A fault of ours";
    Overloaded = "overloaded", SERVICE_UNAVAILABLE, "Too busy at the moment";
    StorageFull = "storage_full", SERVICE_UNAVAILABLE, "No space left";
    Unavailable = "unavailable", SERVICE_UNAVAILABLE, "The store's database does not answer";
    CheckoutCalledOff = "checkout_called_off", SERVICE_UNAVAILABLE, "The checkout took too long";
    NotReady = "not_ready", SERVICE_UNAVAILABLE, "Not ready yet";
}
