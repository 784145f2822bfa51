// Package builtin gives tests the networks of package models, with zero weights.
package builtin

import (
	"testing"

	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/tflite"
)

// Model returns a network by its name in package models. An unknown name fails the test.
func Model(t testing.TB, name string) *tflite.Model {
	t.Helper()
	data, err := models.Build(name, models.Options{Weights: models.Zero})
	if err != nil {
		t.Fatal(err)
	}
	m, err := tflite.Parse(data, name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
