package main

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// otherArguments complete a command line with an unknown value.
var otherArguments = map[string]string{
	"stream": "MODEL --bandwidth 1M --macs-per-second 1e9 --budget 1M", "diff": "MODEL MODEL",
	"plan --semantics": "MODEL --tiles --on-chip 64K", "models build": "resnet50 -o OUT", "models list": "", "models trace": "resnet50 -o OUT",
}

// openValues are the completions of flags that also take other values, such as a file or a size.
var openValues = map[string]string{"scratch": "reference none", "slice": "auto", "tile": "rows pixels", "pointer": "4 8", "target": strings.Join(targetNames(), " "), "across": strings.Join(rules.KernelLibraries(), " ")}

// Every flag with a fixed set of values offers these values for completion: the ones that the error for
// an unknown value lists. Other flags, except those in openValues, offer nothing, so that the shell offers files.
func TestCompletionsAreTheValues(t *testing.T) {
	model := write(t, filepath.Join(t.TempDir(), "m.tflite"), encode.Encode(convolutions(2, 4, 4, 2, 1)))
	t.Chdir(t.TempDir()) // for -o zzz
	closed := 0
	for _, words := range commandLines((&program{}).app().Commands, nil) {
		command := commandAt(words)
		if command == nil {
			continue
		}
		for _, f := range command.Flags {
			if d, ok := f.(cli.DocGenerationFlag); !ok || !d.TakesValue() {
				continue
			}
			for _, n := range f.Names() {
				flag := dashed(n)
				t.Run(strings.Join(append(words, flag), " "), func(t *testing.T) {
					offered := completions(append(words, flag)...)
					other, ok := otherArguments[strings.Join(append(words, flag), " ")]
					if !ok {
						other, ok = otherArguments[strings.Join(words, " ")]
					}
					if !ok {
						other = "MODEL"
					}
					args := strings.Fields(strings.NewReplacer("MODEL", model, "OUT", filepath.Join(t.TempDir(), "out")).Replace(other))
					args = append(append(slices.Clone(words), flag, "zzz"), args...)
					accepted := listedValues(execute(noTerminal(), nil, args...).stderr)
					if accepted != nil {
						closed++
					} else {
						accepted = strings.Fields(openValues[f.Names()[0]])
					}
					var plain []string
					for _, value := range offered {
						if value, release, _ := strings.Cut(value, "@"); release == "" {
							plain = append(plain, value)
						}
					}
					if slices.Sort(plain); !slices.Equal(plain, sorted(accepted)) {
						t.Errorf("completion offers %q, the command accepts %q", offered, accepted)
					}
				})
			}
		}
	}
	if closed < 40 {
		t.Errorf("%d flags with a fixed set of values", closed)
	}
	for _, c := range []struct{ line, values string }{
		{"plan --approach textures -s", strings.Join(sorted(listedValues(execute(noTerminal(), nil, "plan", "--approach", "textures", "-s", "zzz", model).stderr)), " ")},
		{"plan -a shared --strategy", strings.Join(sorted(strategyNames("shared")), " ")},
		{"plan --approach=shared --strategy", strings.Join(sorted(strategyNames("shared")), " ")},
		{"help", strings.Join(sorted(append(commandNames((&program{}).app().Commands), topicNames()...)), " ")},
		{"help models", "build list trace"},
		{"help models build", ""},
		{"help nothing", ""},
	} {
		if got := strings.Join(sorted(completions(strings.Fields(c.line)...)), " "); got != c.values {
			t.Errorf("%s: %s, want %s", c.line, got, c.values)
		}
	}
}

// commandAt returns a command by its words, or nil if there is none.
func commandAt(words []string) (command *cli.Command) {
	commands := newProgram().app().Commands
	for _, word := range words {
		command = findCommand(commands, word)
		commands = command.Subcommands
	}
	return command
}

// completions returns what a shell offers after the words of a command line.
func completions(words ...string) []string {
	return strings.Fields(execute(noTerminal(), nil, append(slices.Clone(words), completionFlag)...).stdout)
}

// listedValues returns the values that the error for an unknown value lists, or nil if the error is another one.
func listedValues(message string) (list []string) {
	_, rest, ok := strings.Cut(message, ` "zzz": `)
	if !ok || !strings.Contains(message, "unknown --") {
		return nil
	}
	rest = regexp.MustCompile(`^.*?(use|there are) `).ReplaceAllString(strings.SplitN(rest, ";", 2)[0], "")
	for _, name := range regexp.MustCompile(`, | or | and |\n`).Split(rest, -1) {
		if name = strings.TrimSpace(name); name != "" {
			list = append(list, name)
		}
	}
	return list
}

func sorted(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}
