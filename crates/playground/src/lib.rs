//! Real databases on this machine: found or installed, started, killed, paused, revived, stopped.
