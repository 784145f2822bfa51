// Package shell quotes command lines of tflarena for a shell, for reports that propose the next
// command.
package shell

import (
	"path/filepath"
	"regexp"
	"strings"
)

// MODEL arguments other than files.
const (
	Stdin   = "-"
	Builtin = "builtin:"
)

// Smaller returns a file name for an improved model.
func Smaller(file string) string { return named(file, "smaller") }

// Repaired returns a file name for a repaired model.
func Repaired(file string) string { return named(file, "repaired") }

// named returns a file name for a changed model; word says how it was changed.
func named(file, word string) string {
	if network, ok := strings.CutPrefix(file, Builtin); ok {
		return network + ".tflite"
	}
	if file == Stdin {
		return word + ".tflite"
	}
	base := filepath.Base(file)
	return strings.TrimSuffix(base, filepath.Ext(base)) + "-" + word + ".tflite"
}

// Command returns the command line that runs a command on a file, quoted for a shell.
func Command(verb, file string, flags ...string) string {
	if strings.HasPrefix(file, "-") && file != Stdin {
		file = "." + string(filepath.Separator) + file // no flag
	}
	words := append([]string{"tflarena", verb, file}, flags...)
	for i, word := range words {
		words[i] = quoted(word)
	}
	return strings.Join(words, " ")
}

// plainWord matches words that require no quotes.
var plainWord = regexp.MustCompile(`^[\w@%+:,./-][\w@%+=:,./-]*$`)

// quoted quotes a word for a shell. A backslash is a path separator on Windows, and an escape character
// elsewhere.
func quoted(word string) string {
	if plainWord.MatchString(word) || filepath.Separator == '\\' && plainWord.MatchString(strings.ReplaceAll(word, `\`, "/")) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
