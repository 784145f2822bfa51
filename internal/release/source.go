package main

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/results"
)

// A source is the commit that a release is made of.
type source struct {
	revision string
	// time is that of the commit, or SOURCE_DATE_EPOCH.
	time time.Time
}

// readSource describes the commit in the working directory. It refuses changes, since binaries record the
// revision, and a tag of another version.
func readSource() (s source, err error) {
	changes, err := output("git", "status", "--porcelain")
	if err != nil {
		return s, err
	}
	if changes != "" {
		return s, fmt.Errorf("the working copy has changes: commit or stash them\n%s", changes)
	}
	tags, err := output("git", "tag", "--points-at", "HEAD", "v*")
	if err != nil {
		return s, err
	}
	if list := strings.Fields(tags); len(list) > 0 && !slices.Contains(list, "v"+results.Release) {
		return s, fmt.Errorf("the commit has the tag %s, and the sources are version %s: tag it v%[2]s, or change results.Release", list[0], results.Release)
	}
	if s.revision, err = output("git", "rev-parse", "HEAD"); err != nil {
		return s, err
	}
	seconds := os.Getenv("SOURCE_DATE_EPOCH")
	if seconds == "" {
		if seconds, err = output("git", "log", "-1", "--format=%ct"); err != nil {
			return s, err
		}
	}
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return s, fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
	}
	s.time = time.Unix(n, 0).UTC()
	return s, nil
}

// output runs a program and returns what it prints, without the end of the line.
func output(name string, args ...string) (string, error) {
	return outputIn(nil, name, args...)
}

// outputIn is output with additional variables of the environment.
func outputIn(env []string, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), env...)
	var errors strings.Builder
	cmd.Stderr = &errors
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, &errors)
	}
	return strings.TrimRight(string(out), "\n"), nil
}
