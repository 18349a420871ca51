//! The targets of fuzzing: readers of inputs that strangers, instruments or disks may have made.
//! A target panics if its promise is broken; it returns if the input is read or refused.

mod access;
mod loading;
mod questions;
mod site;
mod stored;
mod tools;

/// A target.
pub(crate) struct Target {
    /// The name of the target, and of the folder of its corpus.
    pub(crate) name: &'static str,
    pub(crate) run: fn(&[u8]),
}

/// Makes the list of targets, and a test of each over its corpus and a number of further inputs.
macro_rules! targets {
    ($($name:ident: $run:path, $num_inputs:literal, $promise:ident;)*) => {
        /// All targets.
        pub(crate) const TARGETS: &[Target] = &[$(Target { name: stringify!($name), run: $run }),*];

        #[cfg(test)]
        mod promises {
            use crate::inputs::check;

            $(#[test]
            fn $promise() {
                check(stringify!($name), $num_inputs);
            })*
        }
    };
}

targets! {
    own: loading::own, 150, own_data_are_loaded_whole_or_refused;
    rows: loading::rows, 200, rows_of_a_portal_are_loaded_whole_or_refused;
    flat_release: loading::release, 200, flat_releases_are_loaded_whole_or_refused;
    parquet_release: loading::release, 150, parquet_releases_are_loaded_whole_or_refused;
    catalogue: loading::catalogue, 150, resources_are_loaded_whole_or_refused;
    documents: loading::documents, 50, documents_of_version_2_are_loaded_whole_or_refused;
    directory: loading::directory, 1000, directories_are_loaded_whole_or_refused;
    fasta: loading::fasta, 3000, readers_of_fasta_agree_however_it_arrives;
    bodies: questions::bodies, 800, bodies_of_each_kind_are_answered_or_refused;
    requests: questions::requests, 400, requests_are_answered_or_refused;
    cursors: questions::cursors, 300, pages_continue_after_their_cursor_or_refuse_it;
    conditions: questions::conditions, 150, conditions_and_their_negation_select_everything_once;
    queries: questions::queries, 800, queries_and_their_negation_match_everything_once;
    tokens: access::tokens, 500, tokens_are_accepted_only_if_all_claims_are_good;
    keys: access::keys, 3000, files_of_keys_are_read_or_refused;
    schemas: access::schemas, 3000, schemas_are_compiled_and_decide_alike_or_are_refused;
    patterns: access::patterns, 1000, patterns_match_as_their_groups_and_alternatives_do;
    records: stored::records, 5000, stored_records_are_decoded_alike_or_refused;
    manifests: stored::manifests, 2000, manifests_are_read_alike_or_refused;
    exports: stored::exports, 2000, exported_profiles_are_read_alike_or_refused;
    hits: tools::hits, 3000, output_of_an_engine_is_read_or_refused;
    profiles: tools::profiles, 3000, hmmer_profiles_are_rewritten_once_or_refused;
}

/// Returns the parts of an input, which begins with `=== `. Each part has its name in its first
/// line.
fn parts(input: &[u8]) -> Vec<(&str, &[u8])> {
    const MARK: &[u8] = b"\n=== ";
    let mut parts = Vec::new();
    let mut rest = input.strip_prefix(&MARK[1..]);
    while let Some(part) = rest {
        let end = part.windows(MARK.len()).position(|window| window == MARK);
        rest = end.map(|end| &part[end + MARK.len()..]);
        let part = &part[..end.unwrap_or(part.len())];
        let (name, content) = part.split_at(part.iter().position(|byte| *byte == b'\n').unwrap_or(part.len()));
        parts.push((str::from_utf8(name).unwrap_or(""), content.get(1..).unwrap_or_default()));
    }
    parts
}
