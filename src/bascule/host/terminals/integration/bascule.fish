# Bascule's integration for fish: read after your own config.fish; marks at the prompt and before each command.
if status is-interactive; and set -q BASCULE_SHELL_NONCE
    set -g __bascule_nonce $BASCULE_SHELL_NONCE
    set -e BASCULE_SHELL_NONCE
    set -g __bascule_ran

    # What would end a mark, written as \xHH.
    function __bascule_escape
        string replace -a '\\' '\\\\' -- $argv | string replace -a ';' '\x3b' | string replace -a \e '\x1b' | string replace -a \a '\x07' | string join '\x0a'
    end

    function __bascule_prompt --on-event fish_prompt
        if test -n "$__bascule_ran"
            builtin printf '\e]133;D;%s\a' $__bascule_code
        end
        set -g __bascule_ran 1
        builtin printf '\e]633;P;Cwd=%s\a\e]133;A;aid=%s\a' (__bascule_escape $PWD) $__bascule_nonce
    end

    function __bascule_start --on-event fish_preexec
        builtin printf '\e]633;E;%s;%s\a\e]133;C\a' (__bascule_escape $argv[1] | string collect) $__bascule_nonce
    end

    function __bascule_end --on-event fish_postexec
        set -g __bascule_code $status
    end
    set -g __bascule_code 0
end
