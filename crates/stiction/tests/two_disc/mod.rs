//! Two discs with distributed LuGre friction (hu2023_disc).

mod cases;
mod errata;
mod library;
mod studies;
mod system;
