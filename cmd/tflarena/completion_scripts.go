package main

// completionScripts run the command itself for completions. That of zsh is either a file that completion loads
// as the body of _tflarena when it is first needed, or is sourced.
var completionScripts = map[string]string{
	"bash": `_tflarena() {
  local words cur="${COMP_WORDS[COMP_CWORD]}"
  words=("${COMP_WORDS[@]:0:COMP_CWORD}")
  [[ "$cur" == -* ]] && words+=("$cur")
  COMPREPLY=($(compgen -W "$("${words[@]}" --generate-bash-completion 2>/dev/null)" -- "$cur"))
}
complete -o bashdefault -o default -F _tflarena tflarena
`,
	"fish": `function __tflarena_complete
  set -l words (commandline -opc)
  set -l word (commandline -ct)
  string match -q -- '-*' $word; and set -a words $word
  tflarena $words[2..-1] --generate-bash-completion 2>/dev/null
end
complete -c tflarena -a '(__tflarena_complete)'
`,
	"zsh": `#compdef tflarena
_tflarena() {
  local -a words_before options
  words_before=(${words[1,CURRENT-1]})
  [[ "${words[CURRENT]}" == -* ]] && words_before+=("${words[CURRENT]}")
  options=(${(f)"$(${words_before} --generate-bash-completion 2>/dev/null)"})
  compadd -- $options
  _files
}
if [[ "${funcstack[1]}" == _tflarena ]]; then
  _tflarena
else
  compdef _tflarena tflarena
fi
`,
	"powershell": `Register-ArgumentCompleter -Native -CommandName tflarena -ScriptBlock {
  param($word, $ast, $cursor)
  $words = @($ast.CommandElements | ForEach-Object { "$_" })
  if ($word -ne '' -and -not $word.StartsWith('-')) { $words = $words[0..($words.Count - 2)] }
  $arguments = @($words | Select-Object -Skip 1) + '--generate-bash-completion'
  & $words[0] @arguments 2>$null | Where-Object { $_ -like "$word*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`,
}
