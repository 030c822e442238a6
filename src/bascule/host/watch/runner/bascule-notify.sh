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
    export LC_ALL=C BASCULE_FILE="$file" BASCULE_PANE="$pane" BASCULE_DEBUG="$debug" BASCULE_MOST=524288
    # No more is read of it than that: some awks take seconds for a string of many MB.
    (exec 3<&0 && head -c $BASCULE_MOST | awk '
      # Seconds since 1970, as srand remembers them, in the calendar.
      function now(   seconds, days, era, year, day, month) {
        srand()
        seconds = srand()
        days = int(seconds / 86400) + 719468 # since a 1st of March
        era = int(days / 146097)
        days -= era * 146097
        year = int((days - int(days / 1460) + int(days / 36524) - int(days / 146096)) / 365)
        day = days - (365 * year + int(year / 4) - int(year / 100))
        month = int((5 * day + 2) / 153)
        day = day - int((153 * month + 2) / 5) + 1
        month = month < 10 ? month + 3 : month - 9
        year += era * 400 + (month <= 2)
        seconds %= 86400
        return sprintf("%04d-%02d-%02dT%02d:%02d:%02dZ", year, month, day, int(seconds / 3600), int(seconds / 60) % 60, seconds % 60)
      }
      function clean(text) { gsub(/[^A-Za-z0-9._:@\/+=-]/, "", text); return text }
      function tell(   hook, session, detail, event, folder, line, instance, file) {
        hook = clean(said["hook_event_name"])
        session = clean(said["session_id"])
        detail = ""
        if (hook == "StopFailure") event = "completed"
        else if (hook == "SessionStart") { event = "completed"; detail = clean(said["source"]) }
        else if (hook == "UserPromptSubmit") event = "working"
        else if (hook == "PermissionRequest") event = "waiting_user"
        else if (hook == "SessionEnd") event = "stopped"
        else if (hook == "Stop") event = has_tasks ? "working" : "completed"
        else if (hook == "Notification") {
          detail = clean(said["notification_type"])
          if (detail == "permission_prompt" || detail == "elicitation_dialog") event = "waiting_user"
        }
        if (event == "" || session == "") return
        folder = said["cwd"]
        if (index(folder, "\\")) folder = ""
        line = "{\"source\":\"claude\",\"event\":\"" event "\",\"session_id\":\"" session "\""
        line = line ",\"pane_id\":\"" clean(ENVIRON["BASCULE_PANE"]) "\""
        line = line ",\"timestamp\":\"" now() "\",\"hook\":\"" hook "\""
        instance = clean(ENVIRON["BASCULE_INSTANCE_ID"])
        if (detail != "") line = line ",\"detail\":\"" detail "\""
        if (folder != "") line = line ",\"cwd\":\"" folder "\""
        if (instance != "") line = line ",\"instance_id\":\"" instance "\""
        file = ENVIRON["BASCULE_FILE"]
        print line "}" >> file
        close(file)
      }
      # Records end at quotation marks, so what is outside of strings and what is inside take turns.
      BEGIN { RS = "\"" }
      length(raw) < 4000 { raw = raw substr($0, 1, 4000) "\"" }
      { size += length($0) + 1 }
      is_inside {
        text = (is_begun ? substr(text, 1, 1000) "\"" : "") substr($0, 1, 1000)
        at = length($0)
        while (at > 0 && substr($0, at, 1) == "\\") at--
        is_begun = (length($0) - at) % 2 # an escaped quotation mark
        is_inside = is_begun
        if (!is_inside && depth == 1 && key != "") { said[key] = text; key = "" }
        next
      }
      {
        if (depth == 1 && $0 ~ /^[ \t\r\n]*:/) {
          key = text
          if (key == "background_tasks") has_tasks = $0 ~ /^[ \t\r\n]*:[ \t\r\n]*\[/ && $0 !~ /^[ \t\r\n]*:[ \t\r\n]*\[[ \t\r\n]*\]/
          if ($0 !~ /^[ \t\r\n]*:[ \t\r\n]*$/) key = ""
        }
        depth += gsub(/[{[]/, "&") - gsub(/[]}]/, "&")
        is_inside = 1
      }
      END {
        tell()
        debug = ENVIRON["BASCULE_DEBUG"]
        if (debug != "") print substr(raw, 1, 4000) >> debug
        if (size >= ENVIRON["BASCULE_MOST"]) system("cat <&3") # the rest is only taken off the pipe
      }')
  fi
} >/dev/null 2>&1
exit 0
