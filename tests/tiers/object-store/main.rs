//! Publishers and replicas over a store that speaks S3.

mod s3;
