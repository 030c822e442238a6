# Bascule's integration for zsh: your own .zprofile.
if [[ -r ${BASCULE_ZDOTDIR:-$HOME}/.zprofile ]]; then . "${BASCULE_ZDOTDIR:-$HOME}/.zprofile"; fi
