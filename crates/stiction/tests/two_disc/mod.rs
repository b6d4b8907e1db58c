//! Two discs with distributed LuGre friction (hu2023_disc).

mod appendix_c;
mod cases;
mod errata;
mod library;
mod studies;
mod system;
