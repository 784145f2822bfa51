package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"
)

// codeMeanings are short meanings of exit codes, for all commands.
var codeMeanings = map[int]string{
	exitOK:          "done",
	exitFailure:     "a file cannot be read or written",
	exitUsage:       "wrong command line",
	exitInvalid:     "not a valid model",
	exitInterrupted: "interrupted",
}

// commandCodes are more specific meanings of exit codes by command.
var commandCodes = map[string]map[int]string{
	name: {
		exitCheck:    "a check failed: a budget, a plan, a difference",
		exitNoAnswer: "no answer within the time limit",
	},
	"check": {
		exitOK:    "all models fit, or there is no budget",
		exitCheck: "a budget is exceeded, an arena is not known, or a model has a fault",
	},
	"diff":   {exitCheck: "the files differ, with --exit-code or --quiet"},
	"verify": {exitCheck: "a plan breaks a law, or is missing with --require-plan"},
	"plan": {
		exitInvalid:  "not a valid model or problem",
		exitCheck:    "it cannot fit into --capacity or --on-chip",
		exitNoAnswer: "not known within the time limit",
	},
	"compare": {exitInvalid: "an input was not valid and is left out"},
	"fit": {
		exitOK:       "the budget is met, or there is nothing to gain",
		exitCheck:    "the budget cannot be met, the arena is not known, or the model has a fault",
		exitNoAnswer: "it was not met within the time limit",
	},
	"rewrite": {exitCheck: "the model does not run or computes wrong results"},
	"stream": {
		exitInvalid: "not valid profiles",
		exitCheck:   "no plan fits, or no plan is fast enough",
	},
	"replay":       {exitInvalid: "not a valid trace"},
	"serve":        {exitInvalid: ""},
	"models build": {exitInvalid: ""},
	"models list":  {exitInvalid: ""},
	"targets":      {exitInvalid: ""},
	"models trace": {exitInvalid: ""},
	"models":       {exitInvalid: ""},
	"help":         {exitInvalid: ""},
	"version":      {exitInvalid: ""},
	"completion":   {exitInvalid: ""},
	"man":          {exitInvalid: ""},
}

// exitCodesOf returns the exit codes of a command in one line. A search that a flag limits may end
// without an answer.
func exitCodesOf(command string, flags []cli.Flag) string {
	own := commandCodes[strings.TrimPrefix(command, name+" ")]
	limited := slices.ContainsFunc(flags, func(f cli.Flag) bool { return f.Names()[0] == "time-limit" })
	var list []string
	for _, code := range []int{exitOK, exitFailure, exitUsage, exitInvalid, exitCheck, exitNoAnswer, exitInterrupted} {
		words, ok := own[code]
		if !ok {
			words = codeMeanings[code]
		}
		if code == exitNoAnswer && limited && words == "" {
			words = "no plan within the time limit"
		}
		if words != "" {
			list = append(list, fmt.Sprintf("%d%s%s", code, noBreakSpace, words))
		}
	}
	return strings.Join(list, "; ") + "."
}
