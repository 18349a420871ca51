//! Publishers, object stores and replicas: what is published is served by all, whatever fails in between.

mod altered;
mod away;
mod directory;
mod full_disk;
mod killed;
mod own;
mod publishers;
mod s3;
mod serving;
mod signed;
mod site;
mod web;
