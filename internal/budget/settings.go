package budget

import (
	"errors"
	"fmt"
	"strconv"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/spelling"
	"github.com/tflarena/tflarena/internal/target"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// Settings hold for one model: limits, and defaults of flags.
type Settings struct {
	Limits
	// Targets are the names of its targets, nil without any.
	Targets []string
	// Alias is the highest allowed level of in-place outputs, "" without one.
	Alias rules.Alias
	// ResourceVariables is the number of resource variables, nil without one.
	ResourceVariables *int
}

// Over returns s with missing settings taken from other.
func (s Settings) Over(other Settings) Settings {
	s.Limits = s.Limits.Over(other.Limits)
	if s.Targets == nil {
		s.Targets = other.Targets
	}
	if s.Alias == "" {
		s.Alias = other.Alias
	}
	s.ResourceVariables = over(s.ResourceVariables, other.ResourceVariables)
	return s
}

// MaxResourceVariables is the largest number of resource variables.
const MaxResourceVariables = 1 << 20

// settingKeys read the values of keys other than limits.
var settingKeys = map[string]func(s *Settings, value any) error{
	"target": func(s *Settings, value any) error {
		list, ok := value.([]any)
		if !ok {
			list = []any{value}
		}
		for _, v := range list {
			name, ok := v.(string)
			if !ok {
				return errors.New("use the name of a target, or a list of names")
			}
			if _, err := target.Lookup(name); err != nil {
				return err
			}
			if slices.Contains(s.Targets, name) {
				return fmt.Errorf("%s is here twice", name)
			}
			s.Targets = append(s.Targets, name)
		}
		if len(list) == 0 {
			return errors.New("name at least one target, or leave the key out")
		}
		return nil
	},
	"alias": func(s *Settings, value any) error {
		word, _ := value.(string)
		var known []string
		for _, a := range rules.AllAliases() {
			known = append(known, string(a))
		}
		if !slices.Contains(known, word) {
			return fmt.Errorf("unknown level: %suse %s", spelling.Hint(word, known), spelling.List(known, "or"))
		}
		s.Alias = rules.Alias(word)
		return nil
	},
	"resource_variables": func(s *Settings, value any) error {
		digits, ok := value.(number)
		n, err := strconv.Atoi(string(digits))
		if !ok || err != nil || n < 0 || n > MaxResourceVariables {
			return fmt.Errorf("use a number from 0 to %d", MaxResourceVariables)
		}
		s.ResourceVariables = &n
		return nil
	},
}
