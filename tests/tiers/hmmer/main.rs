//! Similarity searches by HMMER itself.
