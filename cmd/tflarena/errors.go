package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/alloc/mip"
	"github.com/tflarena/tflarena/alloc/replay/trace"
	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/budget"
	"github.com/tflarena/tflarena/internal/improve"
	"github.com/tflarena/tflarena/internal/notes"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/problem"
	"github.com/tflarena/tflarena/internal/scratch"
	"github.com/tflarena/tflarena/internal/speed"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/tflite"
)

// Exit codes; see "help exit-codes".
const (
	exitOK          = 0
	exitFailure     = 1
	exitUsage       = 2
	exitInvalid     = 3
	exitCheck       = 4
	exitNoAnswer    = 5
	exitInterrupted = 130
)

// usageError is an invalid command line.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

//go:noinline
func usagef(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...)}
}

// noArguments rejects arguments of a command that takes none.
func noArguments(c *cli.Context, command string) error {
	return usagef("%s takes no arguments: leave %q out", command, c.Args().First())
}

// invalidError is an input that cannot be planned.
type invalidError struct{ error }

func (e invalidError) Unwrap() error { return e.error }

// limitError is a time limit that passed before there was a result.
type limitError struct{ limit time.Duration }

func (e *limitError) Error() string {
	return fmt.Sprintf("no plan within --time-limit %s: allow more time", e.limit)
}

func (e *limitError) Unwrap() error { return context.DeadlineExceeded }

// interruptedError is an interrupt before there was a result.
type interruptedError struct{}

func (interruptedError) Error() string { return "interrupted" }
func (interruptedError) Unwrap() error { return context.Canceled }

// faultError is an internal error, not an error of the input. It unwraps to nothing, so that the exit
// code does not depend on its cause, such as an unreadable file of ours.
type faultError struct{ err error }

func (e faultError) Error() string {
	return fmt.Sprintf("fault in tflarena, please report it; nothing was written: %v", e.err)
}

// inputError is an error about an input.
type inputError struct {
	input string
	err   error
}

func (e *inputError) Error() string { return e.input + ": " + e.err.Error() }
func (e *inputError) Unwrap() error { return e.err }

// named prefixes an error with the name of its input, unless it has that name already.
//
//go:noinline
func named(input string, err error) error {
	if before := (*inputError)(nil); err == nil || errors.As(err, &before) && before.input == input {
		return err
	}
	return &inputError{input, err}
}

// stripped removes the prefix of named.
func stripped(input string, err error) error {
	if e := (*inputError)(nil); errors.As(err, &e) && e.input == input {
		return e.err
	}
	return err
}

// inputOf returns the input of an error, or "".
func inputOf(err error) string {
	if e := (*inputError)(nil); errors.As(err, &e) {
		return e.input
	}
	return ""
}

// planError classifies an error of [alloc.Solve]: contradictory pins are the input's fault, any other
// violation is ours.
func planError(records []lifetime.Record, err error) error {
	if violation := (*check.Violation)(nil); errors.As(err, &violation) {
		for _, r := range records {
			if r.Pinned {
				return invalidError{err}
			}
		}
	}
	return err
}

func exitCode(err error) int {
	var usage *usageError
	var strategy *alloc.UnknownStrategyError
	var invalid invalidError
	var chip chipError
	var unknown *app.UnknownArenaError
	var model *improve.ModelError
	var disorder *improve.DisorderError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &usage), errors.As(err, &strategy), errors.As(err, new(*alloc.TooManyRecordsError)), errors.Is(err, alloc.ErrPinnedShared),
		errors.Is(err, alloc.ErrGapsShared), errors.Is(err, output.ErrUsage):
		return exitUsage
	case errors.As(err, &invalid), errors.As(err, new(*app.InputError)), errors.As(err, &model), errors.As(err, &disorder), errors.Is(err, tflite.ErrInvalid), errors.Is(err, lifetime.ErrTooLarge), errors.Is(err, problem.ErrInvalid),
		errors.Is(err, scratch.ErrInvalid), errors.Is(err, budget.ErrInvalid), errors.Is(err, mip.ErrSolution), errors.Is(err, trace.ErrInvalid), errors.Is(err, speed.ErrInvalid):
		return exitInvalid
	case errors.As(err, &chip), errors.As(err, new(*notes.FaultyError)), errors.As(err, &unknown):
		return exitCheck
	case errors.Is(err, context.DeadlineExceeded):
		return exitNoAnswer
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	}
	return exitFailure
}
