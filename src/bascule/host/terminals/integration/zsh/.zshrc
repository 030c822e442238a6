# Bascule's integration for zsh: your own .zshrc first, then marks at the prompt and before each command.
# From here on ZDOTDIR is your own again, so that .zlogin and all that you start see it.
# A system-wide zshrc may have put the history beside our files: there it would be lost with the next version.
if [[ -n ${HISTFILE-} && $HISTFILE == "$ZDOTDIR"/* ]]; then unset HISTFILE; fi
if [[ -n ${BASCULE_ZDOTDIR-} ]]; then ZDOTDIR=$BASCULE_ZDOTDIR; else unset ZDOTDIR; fi
unset BASCULE_ZDOTDIR
HISTFILE=${HISTFILE:-${ZDOTDIR:-$HOME}/.zsh_history}
if [[ -r ${ZDOTDIR:-$HOME}/.zshrc ]]; then . "${ZDOTDIR:-$HOME}/.zshrc"; fi

if [[ -n ${BASCULE_SHELL_NONCE-} ]]; then
  typeset -g __bascule_nonce=$BASCULE_SHELL_NONCE __bascule_ran=
  unset BASCULE_SHELL_NONCE

  # What would end a mark, written as \xHH.
  __bascule_escape() {
    emulate -L zsh
    local text=$1
    text=${text//\\/\\\\}
    text=${text//;/\\x3b}
    text=${text//$'\n'/\\x0a}
    text=${text//$'\e'/\\x1b}
    text=${text//$'\a'/\\x07}
    builtin print -rn -- "$text"
  }

  __bascule_precmd() {
    local code=$?
    if [[ -n $__bascule_ran ]]; then builtin printf '\e]133;D;%s\a' "$code"; fi
    __bascule_ran=1
    builtin printf '\e]633;P;Cwd=%s\a\e]133;A;aid=%s\a' "$(__bascule_escape "$PWD")" "$__bascule_nonce"
    if [[ ! -o errexit ]]; then return $code; fi # else a shell with `setopt errexit` would end here
  }

  __bascule_preexec() {
    builtin printf '\e]633;E;%s;%s\a\e]133;C\a' "$(__bascule_escape "$1")" "$__bascule_nonce"
  }

  typeset -ga precmd_functions preexec_functions
  precmd_functions+=(__bascule_precmd)
  preexec_functions+=(__bascule_preexec)
fi
