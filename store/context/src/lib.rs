#![doc = include_str!("../README.md")]

pub mod members;
pub mod pages;
pub mod varint;
