package main

import (
	"fmt"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules"
)

// topics are the help pages that belong to no single command.
var topics = map[string]func() string{
	"alias":      func() string { return "TAKEOVERS\n" + indented(aliasDescription) + "\n" },
	"budgets":    func() string { return budgetsTopic },
	"exit-codes": func() string { return exitCodesTopic },
	"files":      func() string { return filesTopic },
	"runtimes":   func() string { return "RUNTIMES\n" + describeRuntimes() + "\n" },
	"sizes":      func() string { return sizesTopic },
	"strategies": func() string { return "STRATEGIES\n" + describeStrategies() + "\n" },
	"targets":    describeTargets,
}

func topicNames() (names []string) {
	for topic := range topics {
		names = append(names, topic)
	}
	slices.Sort(names)
	return names
}

// indented puts three blanks in front of every line, as the pages of topics have them.
func indented(text string) string {
	const indent = "   "
	return strings.ReplaceAll(indent+strings.ReplaceAll(text, "\n", "\n"+indent), indent+"\n", "\n")
}

const sizesTopic = `SIZES
   A SIZE is a number of bytes: 65536 or 65536B. With a unit it is K, KB or KiB for
   1024 bytes, M, MB or MiB for 1024 K, and G or T in the same way. Upper case and
   lower case are the same, a blank may stand in front of the unit, and fractions are
   allowed where they come to whole bytes: 64K, 64kB, 64 KiB and 0.0625 MiB are 65,536
   bytes each. Flags and budget files take the same sizes.
`

// describeTargets returns the page about what the runtime is built for.
func describeTargets() string {
	var b strings.Builder
	b.WriteString(`TARGETS
   The arena of TensorFlow Lite Micro depends on the compiler of the firmware, which
   decides how large pointers and enums are. --abi names it:
`)
	for _, abi := range rules.ABIs() {
		if t, err := rules.LookupTarget(abi); err == nil { // a name of its own list
			fmt.Fprintf(&b, "     %-7s %s\n", abi, t.Title)
		}
	}
	b.WriteString(`   --pointer 4 or 8 is an older way to say esp or host64.

   Kernels ask for scratch besides tensors, and how much depends on the kernel library.
   --scratch reference counts what the reference kernels ask for, --scratch none counts
   none, and --scratch FILE reads a CSV file with the columns subgraph, operator and
   bytes, with a row for each request.

   --resource-variables N counts room for N variables, which is what the application
   passes to MicroResourceVariables::Create. Otherwise there is room for one for each
   name in the model.
`)
	return b.String()
}

const budgetsTopic = `BUDGETS
   'check --budget FILE' reads limits from a JSON file. Limits hold for all models, or
   for those that a path or a pattern names, relative to the folder of the file:
     {"max_arena": "256K",
      "models": {"wake.tflite": {"max_arena": "64K", "max_head": 40960},
                 "vision/*.tflite": {"max_arena": "512K"}}}
   In a pattern, * stands for any characters but /, ? for one, and [a-z] for one of
   these. Without a MODEL, all that the file names are checked.

     max_arena    the most that the smallest arena may take, a SIZE
     max_head     the most that tensors and scratch may take, a SIZE
     max_tensor   the most that a single tensor may take, a SIZE
     max_growth   how much more the arena may be than before: a SIZE, or such as "2%"
     arena_bytes  the arena that it grows from, as 'check --json' had it, or:
     base         the model that it grows from, a file, or a folder that has one of
                  the same name

   For a gate against growth, record the arena of each model, or keep a release:
     {"max_growth": "2%",
      "models": {"wake.tflite": {"arena_bytes": 54312},
                 "vision/*.tflite": {"base": "released/vision"}}}

   Each limit comes from the first place that has it: a flag, the model's own path, a
   pattern (in the order of the file), and what holds for all models. What would be
   ignored is an error, with its line and key.
`
