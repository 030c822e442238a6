# Bascule's integration for bash: your own ~/.bashrc first, then marks at the prompt and before each command.
# It is read instead of ~/.bashrc, and only in Bascule's panes.
__bascule_nonce=${BASCULE_SHELL_NONCE-}
unset BASCULE_SHELL_NONCE # before any program of yours could see it
if [ -r ~/.bashrc ]; then . ~/.bashrc; fi

if [[ $- == *i* && -n $__bascule_nonce ]]; then
  __bascule_ran=
  __bascule_number=

  # What would end a mark, written as \xHH.
  __bascule_escape() {
    local text=$1
    text=${text//\\/\\\\}
    text=${text//;/\\x3b}
    text=${text//$'\n'/\\x0a}
    text=${text//$'\e'/\\x1b}
    text=${text//$'\a'/\\x07}
    builtin printf '%s' "$text"
  }

  __bascule_prompt() {
    local code=$?
    if [[ -n $__bascule_ran ]]; then builtin printf '\e]133;D;%s\a' "$code"; fi
    __bascule_ran=1
    builtin printf '\e]633;P;Cwd=%s\a\e]133;A;aid=%s\a' "$(__bascule_escape "$PWD")" "$__bascule_nonce"
    __bascule_number=$(HISTTIMEFORMAT= builtin history 1 2>/dev/null)
    if [[ $- != *e* ]]; then return "$code"; fi # else a shell with `set -e` would end here
  }

  # A command that is kept out of the history stays unknown.
  __bascule_start() {
    local line
    line=$(HISTTIMEFORMAT= builtin history 1 2>/dev/null)
    if [[ -n $__bascule_is_blind || $line == "$__bascule_number" ]]; then line=; fi
    line=${line#"${line%%[![:space:]]*}"}
    line=${line#*[0-9]}
    line=${line#"${line%%[![:digit:]]*}"}
    line=${line#[* ]}
    line=${line#"${line%%[![:space:]]*}"}
    builtin printf '\e]633;E;%s;%s\a\e]133;C\a' "$(__bascule_escape "$line")" "$__bascule_nonce"
  }

  # What was made read-only stays as it is. Then the prompt's own text marks it; it can't keep the history's number.
  __bascule_is_blind=
  __bascule_may_set() { [[ $(builtin declare -p "$1" 2>/dev/null) != 'declare -'*([!\ ])r* ]]; }

  if [[ $(builtin shopt promptvars) == *on ]] && __bascule_may_set PS0; then
    PS0='$(__bascule_start)'${PS0-}
  fi
  if ! __bascule_may_set PROMPT_COMMAND; then
    if [[ $(builtin shopt promptvars) == *on ]] && __bascule_may_set PS1; then
      __bascule_is_blind=1
      PS1='\[$(__bascule_prompt)\]'${PS1-}
    fi
  elif [[ $(declare -p PROMPT_COMMAND 2>/dev/null) == 'declare -a'* ]]; then
    PROMPT_COMMAND=(__bascule_prompt "${PROMPT_COMMAND[@]}")
  else
    PROMPT_COMMAND="__bascule_prompt${PROMPT_COMMAND:+; $PROMPT_COMMAND}"
  fi
fi
