#![doc = include_str!("../README.md")]

pub mod contig_name;
pub mod contigs;
pub mod members;
pub mod pages;
pub mod varint;
