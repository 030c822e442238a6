# Bascule's integration for PowerShell: read after your own profile; marks at the prompt and before each command.
if ($env:BASCULE_SHELL_NONCE) {
  $Global:__BasculeNonce = $env:BASCULE_SHELL_NONCE
  Remove-Item Env:BASCULE_SHELL_NONCE
  $Global:__BasculePrompt = $function:prompt
  $Global:__BasculeRan = $false

  # What would end a mark, written as \xHH.
  function Global:__Bascule-Escape([string]$Text) {
    $Text.Replace('\', '\\').Replace(';', '\x3b').Replace("`n", '\x0a').Replace("$([char]27)", '\x1b').Replace("$([char]7)", '\x07')
  }

  function Global:prompt {
    $code = if ($?) { 0 } elseif ($LASTEXITCODE) { $LASTEXITCODE } else { 1 }
    $e = [char]27; $b = [char]7
    $marks = ''
    if ($Global:__BasculeRan) { $marks += "$e]133;D;$code$b" }
    $Global:__BasculeRan = $true
    if ($PWD.Provider.Name -eq 'FileSystem') {
      $marks += "$e]9;9;$($PWD.ProviderPath)$b"
    }
    $marks + "$e]133;A;aid=$($Global:__BasculeNonce)$b" + (& $Global:__BasculePrompt)
  }

  if (Get-Module PSReadLine) {
    $Global:__BasculeRead = $function:PSConsoleHostReadLine
    function Global:PSConsoleHostReadLine {
      $line = & $Global:__BasculeRead
      $e = [char]27; $b = [char]7
      [Console]::Write("$e]633;E;$(__Bascule-Escape $line);$($Global:__BasculeNonce)$b$e]133;C$b")
      $line
    }
  }
}
