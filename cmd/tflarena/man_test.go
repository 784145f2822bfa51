package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// The manual page has each word of the help on topics and commands, in the same order, and each visible
// flag once for each command. No other line is an instruction, and no verbatim line is too long for a terminal.
func TestManualPage(t *testing.T) {
	app := newProgram().app()
	page := execute(noTerminal(), nil, "man").stdout
	sections := map[string]string{}
	for _, part := range strings.Split(page, "\n.S")[1:] {
		title, text, _ := strings.Cut(part[2:], "\n")
		sections[strings.Trim(plain(title), "\"\n")] = text
	}
	for _, topic := range topicNames() {
		title, text, _ := strings.Cut(topics[topic](), "\n")
		if got, want := strings.Fields(plain(sections[title])), strings.Fields(text); !slices.Equal(got, want) {
			t.Errorf("%s: %d words, want %d", title, len(got), len(want))
		}
	}
	for _, words := range commandLines(app.Commands, nil)[1:] {
		command := commandAt(words)
		text := plain(sections[strings.Join(append([]string{name}, words...), " ")])
		if want := strings.Join(strings.Fields(command.Usage+". "+command.Description), " "); !strings.HasPrefix(strings.Join(strings.Fields(text), " "), want) {
			t.Errorf("%q: no description in %.200s", words, text)
		}
		if got, want := strings.Count(plain(page), command.UsageText), 1; len(command.Subcommands) == 0 && got < want {
			t.Errorf("%q: %d synopses", words, got)
		}
		for _, f := range command.Flags {
			names, usage := flagLine(f)
			if got := strings.Count(text, "\n"+names+"\n"+usage+"\n"); got != one(shown(f)) {
				t.Errorf("%q: %d times %s: %s", words, got, names, usage)
			}
		}
	}
	known := []string{".nr", ".TH", ".nh", ".ad", ".SH", ".SS", ".PP", ".TP", ".B", ".br", ".nf", ".fi", ".in", ".EX", ".EE"}
	indent, verbatim := 0, false
	for _, line := range strings.Split(page, "\n") {
		instruction := strings.SplitN(line, " ", 2)[0]
		switch {
		case strings.HasPrefix(line, "'") || strings.HasPrefix(line, ".") && !slices.Contains(known, instruction):
			t.Errorf("unknown instruction: %s", line)
		case instruction == ".in" && line != ".in":
			indent = int(line[4] - '0')
		case instruction == ".EX" || instruction == ".EE":
			verbatim = instruction == ".EX"
		case verbatim && len(plain(line))-1+indent > helpWidth:
			t.Errorf("too long: %s", line)
		}
	}
	if groff, err := exec.LookPath("groff"); err == nil {
		format := exec.Command(groff, "-ww", "-man", "-Tutf8")
		format.Stdin = strings.NewReader(page)
		var messages strings.Builder
		format.Stderr = &messages
		if _, err := format.Output(); err != nil || messages.Len() > 0 {
			t.Errorf("groff: %v %s", err, messages.String())
		}
	}
}

// plain undoes the escapes of roff, and removes instructions without text.
func plain(page string) string {
	page = strings.NewReplacer(`\-`, "-", `\(aq`, "'", `\(ga`, "`", `\(ha`, "^", `\(ti`, "~", `\&`, "", `\fB`, "", `\fR`, "", "\n.B ", "\n", `\e`, `\`).Replace(page)
	var lines []string
	for _, line := range strings.Split(page, "\n") {
		if instruction := strings.SplitN(line, " ", 2)[0]; !slices.Contains([]string{".PP", ".TP", ".br", ".in", ".EX", ".EE", ".nf", ".fi"}, instruction) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// FuzzRoff checks that no text of help becomes an instruction, and that none is lost.
func FuzzRoff(f *testing.F) {
	f.Add("'a' -b `c` ^ ~ \\d\n.e\n\n'f")
	f.Fuzz(func(t *testing.T, text string) {
		got := roff(text)
		for _, line := range strings.Split(got, "\n") {
			if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
				t.Errorf("%q becomes %q", text, got)
			}
		}
	})
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}
