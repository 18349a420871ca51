//! Tests of the styles.

mod colours;
