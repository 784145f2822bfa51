// Package shell quotes command lines of tflarena for a shell, for reports that propose the next
// command.
package shell

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/exp/slices"
)

// MODEL arguments other than files.
const (
	Stdin   = "-"
	Builtin = "builtin:"
)

// Smaller returns the command line that writes a model with less memory: [Command] with an output.
func Smaller(verb, file string, flags ...string) string { return writing(verb, file, "smaller", flags) }

// Repaired returns the command line that writes a repaired model.
func Repaired(file string, flags ...string) string {
	return writing("rewrite", file, "repaired", append(slices.Clone(flags), "--repair"))
}

// writing returns a command line whose output is named after the file, with a word.
func writing(verb, file, word string, flags []string) string {
	return Command(verb, file, append(slices.Clone(flags), "-o", named(file, word))...)
}

// named returns a file name for a changed model; word says how it was changed.
func named(file, word string) string {
	if network, ok := strings.CutPrefix(file, Builtin); ok {
		return network + ".tflite"
	}
	return Stem(file) + "-" + word + ".tflite"
}

// Stem returns the name of a file or built-in network without its folder and extension.
func Stem(file string) string {
	base := filepath.Base(strings.TrimPrefix(file, Builtin))
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// Command returns the command line that runs a command on a file, quoted for a shell. It is empty if the
// file cannot be read again: standard input, a pipe or a device.
func Command(verb, file string, flags ...string) string {
	if info, err := os.Stat(file); file == Stdin || strings.HasPrefix(file, "/dev/") || err == nil && !info.Mode().IsRegular() {
		return ""
	}
	if strings.HasPrefix(file, "-") {
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
