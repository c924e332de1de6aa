//! Passwords: hashed with Argon2id on threads of their own, so that logins never slow the shop down, and guessed
//! at no more than a few times a minute.

mod hash;
mod pool;
mod throttle;

pub(crate) use self::hash::{Password, hash, verify};
pub(crate) use self::pool::PasswordPool;
pub(crate) use self::throttle::LoginThrottle;
