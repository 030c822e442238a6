#!/bin/sh
# Bascule's hook runner: appends one line of JSON about what Claude says on stdin.
# Without a Bascule that listens it does nothing. It always ends with 0, so no hook ever fails.
{
  file=${BASCULE_NOTIFY_PATH:-}
  pane=${BASCULE_PANE_ID:-}
  if [ -z "$file" ]; then
    pane=
    for one in "${0%/*}"/outside-*.jsonl; do
      pid=${one##*/outside-}
      pid=${pid%.jsonl}
      case $pid in '' | *[!0-9]*) continue ;; esac
      kill -0 "$pid" && file=$one
    done
  elif [ -z "$pane" ]; then
    exit 0
  fi
  debug=${BASCULE_NOTIFY_DEBUG_PATH:-}
  if [ -e "$debug" ] && [ ! -f "$debug" ]; then debug=; fi # a pipe would be waited for
  if [ -n "$file" ] && [ -f "$file" ] && [ -w "$file" ]; then
    LC_ALL=C BASCULE_FILE=$file BASCULE_PANE=$pane BASCULE_DEBUG=$debug BASCULE_AT=$(date -u +%Y-%m-%dT%H:%M:%SZ) awk '
      function value(key,   at, skip, rest, end) {
        skip = length(key) + 4
        at = index(all, "\"" key "\":\"")
        if (!at) { at = index(all, "\"" key "\": \""); skip++ }
        if (!at) return ""
        rest = substr(all, at + skip, 1000)
        end = index(rest, "\"")
        return end ? substr(rest, 1, end - 1) : ""
      }
      function clean(text) { gsub(/[^A-Za-z0-9._:@\/+=-]/, "", text); return text }
      function tell(   hook, session, detail, event, at, folder, line, instance, file) {
        hook = clean(value("hook_event_name"))
        session = clean(value("session_id"))
        detail = ""
        if (hook == "SessionStart" || hook == "StopFailure") event = "completed"
        else if (hook == "UserPromptSubmit") event = "working"
        else if (hook == "PermissionRequest") event = "waiting_user"
        else if (hook == "SessionEnd") event = "stopped"
        else if (hook == "Stop") {
          at = index(all, "\"background_tasks\":[")
          event = at && substr(all, at + 20, 1) != "]" ? "working" : "completed"
        }
        else if (hook == "Notification") {
          detail = clean(value("notification_type"))
          if (detail == "permission_prompt" || detail == "elicitation_dialog") event = "waiting_user"
        }
        if (event == "" || session == "") return
        folder = value("cwd")
        if (index(folder, "\\")) folder = ""
        line = "{\"source\":\"claude\",\"event\":\"" event "\",\"session_id\":\"" session "\""
        line = line ",\"pane_id\":\"" clean(ENVIRON["BASCULE_PANE"]) "\""
        line = line ",\"timestamp\":\"" ENVIRON["BASCULE_AT"] "\",\"hook\":\"" hook "\""
        instance = clean(ENVIRON["BASCULE_INSTANCE_ID"])
        if (detail != "") line = line ",\"detail\":\"" detail "\""
        if (folder != "") line = line ",\"cwd\":\"" folder "\""
        if (instance != "") line = line ",\"instance_id\":\"" instance "\""
        file = ENVIRON["BASCULE_FILE"]
        print line "}" >> file
        close(file)
      }
      NR <= 2000 && length(all) < 4000000 { all = all $0 }
      END {
        tell()
        debug = ENVIRON["BASCULE_DEBUG"]
        if (debug != "") print substr(all, 1, 4000) >> debug
      }'
  fi
} >/dev/null 2>&1
exit 0
