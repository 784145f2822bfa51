package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"
)

// The library's own pages do not wrap flags, and show examples at the end.
func init() {
	cli.HelpPrinter = func(w io.Writer, _ string, data any) {
		switch data := data.(type) {
		case *cli.App:
			fmt.Fprint(w, appHelp(data))
		case *cli.Command:
			fmt.Fprint(w, commandHelp(data))
		}
	}
}

// jobs are the commands by task. Commands not listed here come last.
var jobs = []struct {
	title string
	names []string
}{
	{"Know what a model needs:", []string{"analyze", "check", "targets", "diff", "report", "serve"}},
	{"Make it need less:", []string{"rewrite", "verify", "fit", "stream"}},
	{"Plan and compare:", []string{"plan", "compare", "replay", "models"}},
}

const appExamples = `  tflarena analyze model.tflite                  what memory it takes, and why
  tflarena rewrite model.tflite -o small.tflite  the same model in less memory
  tflarena fit model.tflite                      how small it can be
  tflarena check model.tflite --max-arena 128K   fail if it needs more than that
`

const appNotes = `A MODEL is a file, - for standard input, or builtin:NAME (see 'models list').
A SIZE is a number of bytes such as 65536, or 64K, 64kB or 64KiB, where K is
1024. Flags may stand before or after files. 'tflarena COMMAND --help' shows the
flags of a command.
`

// appHelp returns the help page of the program.
func appHelp(app *cli.App) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s - %s\n\n%s\nUsage: %s\n", app.Name, app.Usage, appExamples, app.UsageText)
	var named []string
	for _, job := range jobs {
		writeCommands(&b, job.title, app.Commands, func(c *cli.Command) bool { return slices.Contains(job.names, c.Name) })
		named = append(named, job.names...)
	}
	writeCommands(&b, "Other commands:", app.Commands, func(c *cli.Command) bool { return !slices.Contains(named, c.Name) })
	fmt.Fprintf(&b, "\n%s\n%s\nHelp on topics: %s help TOPIC, where TOPIC is\n%s.\n",
		appNotes, wrapped("Exit codes: "+exitCodesOf(name, nil), 0), name, wrapped(strings.Join(topicNames(), ", "), 0))
	return b.String()
}

// writeCommands writes a line for each command of a group.
func writeCommands(b *strings.Builder, title string, commands []*cli.Command, belongs func(*cli.Command) bool) {
	title = "\n" + title + "\n"
	for _, c := range commands {
		if !c.Hidden && belongs(c) {
			const width = 12
			b.WriteString(title + fmt.Sprintf("  %-*s", width, c.Name) + wrapped(c.Usage, width+2) + "\n")
			title = ""
		}
	}
}

// writeSubcommands writes a line for each subcommand.
func writeSubcommands(b *strings.Builder, c *cli.Command) {
	writeCommands(b, "Commands:", c.Subcommands, func(*cli.Command) bool { return true })
}
