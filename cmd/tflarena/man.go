package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
)

func (p *program) manCommand() *cli.Command {
	return &cli.Command{
		Name: "man", Usage: "print the manual page, in roff", UsageText: "tflarena man > tflarena.1",
		Description: `Examples:
  tflarena man > tflarena.1
  tflarena man | man -l -`,
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return noArguments(c, "man")
			}
			return p.print([]byte(manPage(c.App)))
		},
	}
}

// manPage returns the manual page: the help of all commands and topics, in roff.
func manPage(app *cli.App) string {
	page := &manual{}
	page.line(".nr HY 0") // no hyphens in words, also after .PP
	page.line(`.TH %s 1 "" "%s %s"`, strings.ToUpper(app.Name), app.Name, roff(app.Version))
	page.line(".nh\n.ad l")
	page.section("NAME")
	page.line(`%s \- %s`, app.Name, roff(app.Usage))
	page.section("SYNOPSIS")
	page.line(".nf")
	var synopses func([]*cli.Command)
	synopses = func(commands []*cli.Command) {
		for _, c := range commands {
			if len(c.Subcommands) == 0 {
				page.line("%s", roff(c.UsageText))
			}
			synopses(c.Subcommands)
		}
	}
	synopses(app.Commands)
	page.line(".fi")
	page.section("DESCRIPTION")
	page.prose(app.Description)
	page.section("COMMANDS")
	page.commands(app.Commands, name)
	for _, topic := range topicNames() {
		title, text, _ := strings.Cut(topics[topic](), "\n")
		page.section(title)
		page.prose(text)
	}
	return page.text.String()
}

// manual is a manual page in roff.
type manual struct{ text strings.Builder }

func (m *manual) line(format string, args ...any) { fmt.Fprintf(&m.text, format+"\n", args...) }

func (m *manual) section(title string) { m.line(".SH %s", roff(title)) }

// commands writes a section for each command.
func (m *manual) commands(commands []*cli.Command, parent string) {
	for _, c := range commands {
		c.HelpName = parent + " " + c.Name
		m.line(`.SS "%s"`, roff(c.HelpName))
		m.prose(c.Usage + ".\n\n" + c.Description)
		eachFlag(c.Flags, func(title, names, usage string) {
			if title != "" {
				m.line(".PP\n.B %s", roff(title))
			}
			m.entry(names, usage)
		})
		m.prose("\nExit codes: " + strings.ReplaceAll(exitCodesOf(c.HelpName, c.Flags), noBreakSpace, " "))
		m.commands(c.Subcommands, c.HelpName)
	}
}

// prose writes a text of help: paragraphs, and blocks of indented lines, which are tables or verbatim.
func (m *manual) prose(text string) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	margin := leastMargin(lines)
	begun := false
	for len(lines) > 0 {
		n := 1
		switch of := lines[0]; {
		case strings.TrimSpace(of) == "":
			begun = false
		case marginOf(of) > margin:
			for n < len(lines) && marginOf(lines[n]) > margin {
				n++
			}
			m.block(lines[:n])
			begun = false
		default:
			if !begun {
				m.line(".PP")
			}
			begun = true
			m.line("%s", roff(strings.TrimSpace(of)))
		}
		lines = lines[n:]
	}
}

// block writes indented lines: a table, each entry of which is a name, two spaces or more, and a text
// whose further lines are indented more; or anything else, verbatim.
func (m *manual) block(lines []string) {
	margin := leastMargin(lines)
	type entry struct {
		name string
		text []string
	}
	var table []entry
	for i, line := range lines {
		if marginOf(line) > margin {
			last := &table[len(table)-1]
			last.text = append(last.text, strings.TrimSpace(line))
			continue
		}
		name, text, ok := strings.Cut(line[margin:], "  ")
		if !ok && (i+1 == len(lines) || marginOf(lines[i+1]) < margin+4) {
			m.verbatim(lines, margin)
			return
		}
		table = append(table, entry{name, []string{strings.TrimSpace(text)}})
	}
	for _, e := range table {
		m.entry(e.name, strings.TrimPrefix(strings.Join(e.text, "\n"), "\n"))
	}
}

// verbatim writes lines without a margin, further to the left where they would be too long for a terminal.
func (m *manual) verbatim(lines []string, margin int) {
	const indent = 7
	longest := 0
	for _, line := range lines {
		longest = max(longest, len(line)-margin)
	}
	m.line(".PP\n.in %dn\n.EX", max(min(indent, helpWidth-longest), 0))
	for _, line := range lines {
		m.line("%s", roff(line[margin:]))
	}
	m.line(".EE\n.in")
}

// entry writes an entry of a table. Lines of its text that begin with a dash are items of a list.
func (m *manual) entry(name, text string) {
	m.line(".TP\n\\fB%s\\fR\n%s", roff(name), strings.ReplaceAll(roff(text), "\n\\- ", "\n.br\n\\- "))
}

// roff returns a text with escapes for everything that roff would read as an instruction or change.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}

func marginOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// leastMargin returns the indent of the lines that are indented least, without empty lines.
func leastMargin(lines []string) int {
	least := -1
	for _, line := range lines {
		if margin := marginOf(line); line != "" && (least < 0 || margin < least) {
			least = margin
		}
	}
	return max(least, 0)
}
