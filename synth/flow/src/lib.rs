//! The order of passes: text and options in, artefacts out.
