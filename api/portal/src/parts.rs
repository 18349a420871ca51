//! Parts shared by several pages.

pub(crate) mod accession;
pub(crate) mod attribute;
pub(crate) mod biome_tree;
pub(crate) mod choices;
pub(crate) mod columns;
pub(crate) mod comparison_plots;
pub(crate) mod completion;
pub(crate) mod countries;
pub(crate) mod differences;
pub(crate) mod facets;
pub(crate) mod family_colours;
pub(crate) mod fault_words;
pub(crate) mod histogram;
pub(crate) mod lanes;
pub(crate) mod lineage;
pub(crate) mod metadata_rows;
pub(crate) mod number;
pub(crate) mod own;
pub(crate) mod residues;
pub(crate) mod resource_facets;
pub(crate) mod resource_form;
pub(crate) mod resource_query;
pub(crate) mod table;
pub(crate) mod words;
