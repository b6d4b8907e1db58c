//! Two discs with distributed LuGre friction (hu2023_disc).

mod errata;
mod library;
mod studies;
mod system;
