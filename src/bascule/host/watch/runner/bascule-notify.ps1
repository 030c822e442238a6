# Bascule's hook runner: appends one line of JSON about what Claude says on stdin.
# Without a Bascule that listens it does nothing. It always ends with 0, so no hook ever fails.
try {
  $ErrorActionPreference = 'Stop'
  $file = $env:BASCULE_NOTIFY_PATH
  $pane = $env:BASCULE_PANE_ID
  if (-not $file) {
    $pane = ''
    foreach ($one in Get-ChildItem -LiteralPath $PSScriptRoot -Filter 'outside-*.jsonl') {
      $id = $one.BaseName.Substring('outside-'.Length)
      if ($id -match '^\d+$' -and (Get-Process -Id ([int]$id) -ErrorAction SilentlyContinue)) { $file = $one.FullName }
    }
  } elseif (-not $pane) { exit 0 }
  if (-not $file -or -not (Test-Path -LiteralPath $file -PathType Leaf)) { exit 0 }
  # Claude writes UTF-8, whatever code page the console has.
  $reader = [IO.StreamReader]::new([Console]::OpenStandardInput(), [Text.UTF8Encoding]::new($false))
  $most = 524288
  $letters = [char[]]::new($most)
  $count = $reader.ReadBlock($letters, 0, $most)
  $raw = [string]::new($letters, 0, $count)
  # No more is kept of it than that: the rest is only taken off the pipe.
  if ($count -eq $most) { while ($reader.Read($letters, 0, $most)) { } }
  if ($env:BASCULE_NOTIFY_DEBUG_PATH) {
    $shown = $raw.Substring(0, [Math]::Min(4000, $raw.Length))
    try { [IO.File]::AppendAllText($env:BASCULE_NOTIFY_DEBUG_PATH, $shown + "`n") } catch { }
  }
  # What was cut is no JSON any more. Claude says first what counts here, in plain members that are whole.
  $members = '^\s*\{\s*((?:"[^"\\]*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|true|false|null|[-+.\dEe]+)\s*,\s*)*)'
  if ($count -eq $most) { $raw = '{' + [regex]::Match($raw, $members).Groups[1].Value.TrimEnd(", `t`r`n") + '}' }
  $said = $raw | ConvertFrom-Json
  $hook = [string]$said.hook_event_name
  $detail = ''
  $status = switch ($hook) {
    'SessionStart' { $detail = [string]$said.source; 'completed' }
    'StopFailure' { 'completed' }
    'UserPromptSubmit' { 'working' }
    'PermissionRequest' { 'waiting_user' }
    'SessionEnd' { 'stopped' }
    'Stop' { if (@($said.background_tasks).Where({ $_ }).Count) { 'working' } else { 'completed' } }
    'Notification' {
      $detail = [string]$said.notification_type
      if ($detail -in 'permission_prompt', 'elicitation_dialog') { 'waiting_user' }
    }
  }
  if (-not $status -or -not $said.session_id) { exit 0 }
  $line = [ordered]@{
    source = 'claude'; event = $status; session_id = [string]$said.session_id; pane_id = [string]$pane
    timestamp = [DateTime]::UtcNow.ToString('yyyy-MM-ddTHH:mm:ssZ', [Globalization.CultureInfo]::InvariantCulture)
    hook = $hook
  }
  if ($detail) { $line.detail = $detail }
  if ($said.cwd) { $line.cwd = [string]$said.cwd }
  if ($env:BASCULE_INSTANCE_ID) { $line.instance_id = $env:BASCULE_INSTANCE_ID }
  $bytes = [Text.UTF8Encoding]::new($false).GetBytes(($line | ConvertTo-Json -Compress) + "`n")
  foreach ($try in 1..20) {
    try { # several hooks may end at once: each waits for its turn
      $out = [IO.File]::Open($file, 'Append', 'Write', 'Read')
      try { $out.Write($bytes, 0, $bytes.Length) } finally { $out.Dispose() }
      break
    } catch [IO.IOException] { Start-Sleep -Milliseconds 5 }
  }
} catch { }
exit 0
