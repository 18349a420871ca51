#!/usr/bin/env bash
# Builds and installs mgdex where Bioconda's recipe says.
set -euo pipefail

cargo-bundle-licenses --format yaml --output THIRD-PARTY-LICENSES.yml
cargo install --locked --no-track --profile dist --features distributed --path . --root "$PREFIX"

mkdir -p "$PREFIX/share/bash-completion/completions" "$PREFIX/share/zsh/site-functions" "$PREFIX/share/fish/vendor_completions.d" "$PREFIX/share/man/man1"
"$PREFIX/bin/mgdex" completions bash >"$PREFIX/share/bash-completion/completions/mgdex"
"$PREFIX/bin/mgdex" completions zsh >"$PREFIX/share/zsh/site-functions/_mgdex"
"$PREFIX/bin/mgdex" completions fish >"$PREFIX/share/fish/vendor_completions.d/mgdex.fish"
"$PREFIX/bin/mgdex" manual "$PREFIX/share/man/man1"
