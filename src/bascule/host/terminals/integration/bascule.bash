# Bascule's integration for bash: your own ~/.bashrc first, then marks at the prompt and before each command.
# It is read instead of ~/.bashrc, and only in Bascule's panes.
if [ -r ~/.bashrc ]; then . ~/.bashrc; fi

if [[ $- == *i* && -n ${BASCULE_SHELL_NONCE-} ]]; then
  __bascule_nonce=$BASCULE_SHELL_NONCE
  unset BASCULE_SHELL_NONCE
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
    printf '%s' "$text"
  }

  __bascule_prompt() {
    local code=$?
    if [[ -n $__bascule_ran ]]; then printf '\e]133;D;%s\a' "$code"; fi
    __bascule_ran=1
    printf '\e]633;P;Cwd=%s\a\e]133;A;aid=%s\a' "$(__bascule_escape "$PWD")" "$__bascule_nonce"
    __bascule_number=$(HISTTIMEFORMAT= builtin history 1 2>/dev/null)
    return "$code"
  }

  # A command that is kept out of the history stays unknown.
  __bascule_start() {
    local line
    line=$(HISTTIMEFORMAT= builtin history 1 2>/dev/null)
    if [[ $line == "$__bascule_number" ]]; then line=; fi
    line=${line#"${line%%[![:space:]]*}"}
    line=${line#*[0-9]}
    line=${line#"${line%%[![:digit:]]*}"}
    line=${line#[* ]}
    line=${line#"${line%%[![:space:]]*}"}
    printf '\e]633;E;%s;%s\a\e]133;C\a' "$(__bascule_escape "$line")" "$__bascule_nonce"
  }

  PS0='$(__bascule_start)'${PS0-}
  if [[ $(declare -p PROMPT_COMMAND 2>/dev/null) == 'declare -a'* ]]; then
    PROMPT_COMMAND=(__bascule_prompt "${PROMPT_COMMAND[@]}")
  else
    PROMPT_COMMAND="__bascule_prompt${PROMPT_COMMAND:+; $PROMPT_COMMAND}"
  fi
fi
