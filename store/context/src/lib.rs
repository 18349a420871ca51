#![doc = include_str!("../README.md")]

pub mod bits;
pub mod contig_name;
pub mod contigs;
pub mod members;
pub mod pages;
mod pair;
pub mod varint;
