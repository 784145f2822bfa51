package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"
)

// commandHelp returns the page of a command that fits a screen: two examples, usage, flags in groups,
// and exit codes.
func commandHelp(c *cli.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s - %s\n", c.HelpName, c.Usage)
	if lines := examplesIn(c.Description); len(lines) > 0 {
		const most = 2
		fmt.Fprintf(&b, "\n%s\n", strings.Join(lines[:min(len(lines), most)], "\n"))
	}
	fmt.Fprintf(&b, "\nUsage: %s\n", strings.ReplaceAll(c.UsageText, "\n", "\n       "))
	writeFlags(&b, c.Flags)
	writeSubcommands(&b, c)
	b.WriteString("\n" + wrapped("Exit codes: "+exitCodesOf(c.HelpName, c.Flags), 0) + "\n")
	if detail, _, _ := strings.Cut(c.Description, examplesTitle); strings.TrimSpace(detail) != "" {
		fmt.Fprintf(&b, "'%s help %s' explains more.\n", name, strings.TrimPrefix(c.HelpName, name+" "))
	}
	return b.String()
}

// commandDetails returns the complete page of a command.
func commandDetails(c *cli.Command) string {
	short := commandHelp(c)
	if c.Description == "" {
		return short
	}
	_, rest, _ := strings.Cut(short, "\nUsage: ")
	rest, _, _ = strings.Cut(rest, "\n'"+name+" help ")
	return fmt.Sprintf("%s - %s\n\n%s\n\nUsage: %s", c.HelpName, c.Usage, paragraphs(c.Description, 0), strings.TrimRight(rest, "\n")+"\n")
}

// examplesTitle precedes the examples of a description.
const examplesTitle = "Examples:\n"

// examplesIn returns the lines of the examples in a description.
func examplesIn(description string) (lines []string) {
	_, rest, _ := strings.Cut(description, examplesTitle)
	for _, line := range strings.Split(rest, "\n") {
		if !strings.HasPrefix(line, "  ") {
			break
		}
		lines = append(lines, line)
	}
	return lines
}

// writeFlags writes the flags of a page.
func writeFlags(b *strings.Builder, flags []cli.Flag) {
	width := 0
	eachFlag(flags, func(_, names, _ string) { width = max(width, len(names)) })
	eachFlag(flags, func(title, names, usage string) {
		const margin = 2
		if title != "" {
			b.WriteString("\n" + title + "\n")
		}
		b.WriteString(fmt.Sprintf("%*s%-*s", margin, "", width+margin, names) + wrapped(usage, width+2*margin) + "\n")
	})
}

// eachFlag calls do for the flags that help shows, in the order of [groups]. The first flag of a group
// comes with its title, the others with "".
func eachFlag(flags []cli.Flag, do func(title, names, usage string)) {
	for _, group := range groups {
		title := group
		for _, f := range flags {
			if grouped, ok := f.(cli.CategorizableFlag); ok && grouped.GetCategory() == group && shown(f) {
				names, usage := flagLine(f)
				do(title, names, usage)
				title = ""
			}
		}
	}
}

// shown reports whether help shows a flag: not --help itself, and no flag that is kept only for old
// scripts.
func shown(f cli.Flag) bool {
	visible, ok := f.(cli.VisibleFlag)
	return ok && visible.IsVisible() && !slices.Contains(f.Names(), "help")
}

// flagLine returns the syntax of a flag and its usage.
func flagLine(f cli.Flag) (written, usage string) {
	documented, ok := f.(cli.DocGenerationFlag)
	if !ok {
		return "", ""
	}
	var names []string
	for _, n := range f.Names() {
		names = append(names, dashed(n))
	}
	slices.SortStableFunc(names, func(a, b string) int { return min(len(a), 3) - min(len(b), 3) }) // -o, --output
	placeholder, usage := "", documented.GetUsage()
	if before, rest, ok := strings.Cut(usage, "`"); ok {
		if word, after, ok := strings.Cut(rest, "`"); ok {
			placeholder, usage = " "+word, before+word+after
		}
	}
	if text := documented.GetDefaultText(); text != "" && text != "0" && !isFlagOff(f) && !strings.Contains(usage, defaultMark) {
		usage += fmt.Sprintf(" (default: %s)", strings.Trim(text, `"`))
	}
	return strings.Join(names, ", ") + placeholder, usage
}

// defaultMark marks the default among the values of a flag.
const defaultMark = " (default)"

// marked returns the values of a flag for help, with a mark after the default.
func marked(values []string, byDefault string) string {
	values = slices.Clone(values)
	if i := slices.Index(values, byDefault); i >= 0 {
		values[i] += defaultMark
	}
	return strings.Join(values, ", ")
}

// isFlagOff reports whether a flag is off by default, which help omits.
func isFlagOff(f cli.Flag) bool {
	if list, ok := f.(*cli.StringSliceFlag); ok {
		return list.Value == nil
	}
	documented, ok := f.(cli.DocGenerationFlag)
	return ok && !documented.TakesValue()
}
