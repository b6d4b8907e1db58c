//! Two discs with distributed LuGre friction (hu2023_disc).

mod errata;
mod radau;
mod studies;
mod system;
