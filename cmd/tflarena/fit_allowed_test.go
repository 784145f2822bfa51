package main

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// TestFitNamesAllowedLevels: a fit that misses its budget names the command with the safest level that meets the
// budget, and none above the level that the project file allows. If only such a level meets the budget, it says so.
func TestFitNamesAllowedLevels(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "chain.tflite", small()["chain"])
	required := map[rules.Alias]int64{}
	for _, level := range rules.Aliases() {
		got := execute(noTerminal(), nil, "fit", "chain.tflite", "--least", "--alias", string(level), "-o", "out.tflite", "--json")
		var fitted results.Fit
		if err := readOnly([]byte(got.stdout), &fitted); err != nil {
			t.Fatal(err)
		}
		required[level] = fitted.After.Required
	}
	named, forbidden := 0, 0
	for _, allowed := range append(rules.Aliases(), "") {
		file := ""
		if allowed != "" {
			file = fmt.Sprintf("alias = %q\n", allowed)
		}
		write(t, configFile, []byte(file))
		for _, budget := range []int64{required[rules.SafeAlias], required[rules.DiagonalAlias], required[rules.DiagonalAlias] - 1} {
			got := execute(noTerminal(), nil, "fit", "chain.tflite", "--alias", "off", "--arena", fmt.Sprint(budget), "-o", "out.tflite")
			safest := slices.IndexFunc(rules.Aliases(), func(a rules.Alias) bool { return required[a] <= budget })
			next := ""
			if found := nextLine.FindStringSubmatch(got.stdout); found != nil {
				next = found[1]
			}
			switch met := safest >= 0; {
			case got.code != exitCheck:
				t.Errorf("alias = %q, budget %d: exit code %d: %s", allowed, budget, got.code, got.stderr)
			case met && (allowed == "" || slices.Contains(allowed.UpTo(), rules.Aliases()[safest])):
				named++
				if want := "--alias " + string(rules.Aliases()[safest]) + " "; !strings.Contains(next, want) {
					t.Errorf("alias = %q, budget %d: no %s\n%s", allowed, budget, want, got.stdout)
				}
				if again := execute(noTerminal(), nil, strings.Fields(next)[1:]...); again.code != exitOK {
					t.Errorf("%s: exit code %d: %s", next, again.code, again.stderr)
				}
			default:
				if next != "" || strings.Contains(got.stdout, "\nforbidden: ") != met {
					t.Errorf("alias = %q, budget %d\n%s", allowed, budget, got.stdout)
				}
				if met {
					forbidden++
				}
			}
		}
	}
	if named == 0 || forbidden == 0 {
		t.Errorf("%d commands, %d forbidden", named, forbidden)
	}
}
