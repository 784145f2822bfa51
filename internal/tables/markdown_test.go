package tables

import (
	"strings"
	"testing"
)

// TestMarkdownHasNoMarks: a name makes no mark in Markdown, in a cell or elsewhere.
func TestMarkdownHasNoMarks(t *testing.T) {
	for _, name := range []string{"[a](javascript:x)", "<img src=x>", "**b**", "`c`", "a|b", `\[a](x)`, "&lt;", "\x1b[31m", "x\ny"} {
		table := &Table{Columns: []Column{{Head: "name"}}}
		table.Add(name)
		cell := strings.Split(table.Markdown(Layout{}), "\n")[2]
		for _, text := range []string{Markdown(name), strings.Trim(cell, "| ")} {
			bare := strings.NewReplacer(`\\`, "").Replace(text)
			for _, mark := range []string{"[", "<", "*", "`", "&"} {
				if strings.Count(bare, mark) != strings.Count(bare, `\`+mark) {
					t.Errorf("%q is %q", name, text)
				}
			}
		}
		if strings.Count(strings.ReplaceAll(cell, `\|`, ""), "|") != 2 {
			t.Errorf("%q makes more cells: %q", name, cell)
		}
	}
}
