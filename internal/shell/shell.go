// Package shell writes command lines of ours as a shell reads them, for reports that say what to
// run next.
package shell

import (
	"path/filepath"
	"regexp"
	"strings"
)

// What a MODEL of a command line can be besides a file.
const (
	Stdin   = "-"
	Builtin = "builtin:"
)

// Smaller returns a name for a better model than a file has.
func Smaller(file string) string {
	if network, ok := strings.CutPrefix(file, Builtin); ok {
		return network + ".tflite"
	}
	if file == Stdin {
		return "smaller.tflite"
	}
	base := filepath.Base(file)
	return strings.TrimSuffix(base, filepath.Ext(base)) + "-smaller.tflite"
}

// Command returns the command line that runs a command on a file, for a shell.
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

// plainWord matches what no shell looks at twice.
var plainWord = regexp.MustCompile(`^[\w@%+:,./-][\w@%+=:,./-]*$`)

// quoted returns a word as a shell reads it. A backslash is a separator of paths on Windows, and stands for the
// next character elsewhere.
func quoted(word string) string {
	if plainWord.MatchString(word) || filepath.Separator == '\\' && plainWord.MatchString(strings.ReplaceAll(word, `\`, "/")) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
