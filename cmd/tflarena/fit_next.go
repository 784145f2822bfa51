package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/urfave/cli/v2"
)

// fitKept are the flags of fit that mean the same for a budget.
var fitKept = []string{"alias", "max-overhead", "scratch", "force", "abi", "pointer", "resource-variables"}

// fitNext returns a command line that makes a model fit a budget of the arena in bytes, and does
// not need any --alias.
func fitNext(c *cli.Context, arena int64) string {
	file := c.Args().First()
	words := []string{name, "fit", file, "--arena", fmt.Sprint(arena)}
	for _, flag := range fitKept {
		switch {
		case !c.IsSet(flag) || flag == "alias":
		case flag == "force":
			if c.Bool(flag) {
				words = append(words, dashed(flag))
			}
		default:
			words = append(words, dashed(flag), fmt.Sprint(c.Value(flag)))
		}
	}
	base := "model"
	if network, ok := strings.CutPrefix(file, builtinPrefix); ok {
		base = network
	} else if file != stdinPath {
		base = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	}
	words = append(words, "-o", base+"-fit.tflite")
	if strings.HasPrefix(file, "-") && file != stdinPath {
		words[2] = "." + string(filepath.Separator) + file // no flag
	}
	for i := range words {
		words[i] = shellWord(words[i])
	}
	return strings.Join(words, " ")
}

// plainShell matches what a shell takes as it is.
var plainShell = regexp.MustCompile(`^[\w@%+=:,./\\-]+$`)

func shellWord(word string) string {
	if plainShell.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
