# Bascule's integration for zsh: each of your own start-up files is read as always, from your own ZDOTDIR.
__bascule_files=$ZDOTDIR
if [[ -n ${BASCULE_SHELL_NONCE-} ]]; then typeset +x BASCULE_SHELL_NONCE; fi # no program of yours sees it
if [[ -n ${BASCULE_ZDOTDIR-} ]]; then ZDOTDIR=$BASCULE_ZDOTDIR; else unset ZDOTDIR; fi
if [[ -r ${ZDOTDIR:-$HOME}/.zshenv ]]; then . "${ZDOTDIR:-$HOME}/.zshenv"; fi
if [[ -o interactive && -o rcs ]]; then
  BASCULE_ZDOTDIR=${ZDOTDIR-}
  ZDOTDIR=$__bascule_files
else
  unset BASCULE_ZDOTDIR BASCULE_SHELL_NONCE
fi
unset __bascule_files
