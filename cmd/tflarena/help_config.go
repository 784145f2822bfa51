package main

import (
	"strings"

	"github.com/tflarena/tflarena/internal/budget"
)

// configKeys lists the keys of a project file.
func configKeys() string {
	var b strings.Builder
	budget.Describe(func(name, about string) {
		const indent, margin = 15, 3 // of a text in the list, and of the page
		lead := "  " + name
		if len(lead) >= indent {
			b.WriteString(lead + "\n")
			lead = ""
		}
		b.WriteString(lead + strings.Repeat(" ", indent-len(lead)) + strings.ReplaceAll(wrapped(about, indent+margin), "\n"+strings.Repeat(" ", margin), "\n") + "\n")
	})
	return b.String()
}

func configTopic() string {
	return `A project file, tflarena.toml, has the targets and budgets of models:
  target = "esp32-s3"
  max_arena = "256K"

  [models."wake.tflite"]
  max_arena = "64K"
  max_head = 40960

  [models."vision/*.tflite"]
  target = ["esp32-s3", "raspberry-pi-pico"]
  alias = "elementwise"

  [models."vision/*.tflite".targets.raspberry-pi-pico]
  max_arena = "200K"

Every command with --target reads the nearest tflarena.toml: in the folder of the first MODEL or above it, up to a folder with .git. A line on standard error names the file, unless -q is given. --config FILE names another, and --config none reads none. 'check --budget FILE' does the same, but every model must have a limit. A name that ends in .toml is TOML; any other file is JSON with the same keys:
  {"max_arena": "256K", "models": {"wake.tflite": {"max_arena": "64K"}}}

Keys at the top of the file are for all models. Those below models are for a path or a pattern, relative to the folder of the file. In a pattern, * stands for any characters except /, ? for any one of them, and [a-z] for one character of this range. Without a MODEL, check takes all models that the file names.

` + configKeys() + `
To limit growth, record the arena of each model, or keep a release:
  max_growth = "2%"
  models."wake.tflite".used_bytes = 54312
  models."vision/*.tflite".base = "released/vision"

Each setting comes from the first place that has it: a flag, the model's own path, a pattern (in the order of the file), and last the top of the file. In each of these places, a limit in targets comes first. A key that would have no effect is an error; the message names the line, the column and the key.

Editors complete and check the file with its JSON Schema: docs/schema/tflarena.toml.json in the repository.
`
}
