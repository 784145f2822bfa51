package main

import (
	"fmt"

	"github.com/tflarena/tflarena/internal/problem"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime"
)

func (j *job) readProblem(data []byte) (err error) {
	j.problem, err = problem.Parse(data)
	if err != nil {
		return err
	}
	j.records = j.problem.Records
	for _, column := range j.problem.Unused {
		j.warnings = append(j.warnings, results.Note{
			Kind: results.WarnColumn, Text: fmt.Sprintf("column %q is not known, and is kept as it is", column),
		})
	}
	if err := lifetime.CheckRecords(j.records); err != nil {
		return invalidError{err}
	}
	return nil
}
