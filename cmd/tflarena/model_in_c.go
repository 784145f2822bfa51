package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/csource"
	"github.com/tflarena/tflarena/internal/spelling"
	"github.com/tflarena/tflarena/tflite"
)

// isSource reports whether an input is C or C++ source text rather than a model.
func isSource(title string, data []byte) bool {
	beginning := data[:min(len(data), 1<<16)]
	return tflite.Plausible(beginning) != nil && !isTiles(title, data) && !isProblem(title, data) && (csource.IsSource(filepath.Ext(title)) || csource.LooksLike(beginning))
}

// fromSource returns the model in an array of a source file, as in firmware, and all other inputs
// unchanged.
func fromSource(title string, data []byte) ([]byte, error) {
	if !isSource(title, data) {
		return data, nil
	}
	arrays, wrong := csource.Arrays(data)
	models := slices.DeleteFunc(slices.Clone(arrays), func(a csource.Array) bool { return tflite.Plausible(a.Data) != nil })
	names := func(list []csource.Array) string {
		var names []string
		for _, a := range list {
			names = append(names, a.Name)
		}
		return spelling.Few(names, 10)
	}
	switch {
	case len(models) == 1:
		return models[0].Data, nil
	case len(models) > 1:
		return nil, named(title, invalidError{fmt.Errorf("the arrays %s of this source file are models: put the one that you mean into a file of its own", names(models))})
	case len(arrays) == 0 && wrong != nil:
		return nil, named(title, invalidError{fmt.Errorf("this source file has no array of bytes: %w", wrong)})
	case len(arrays) == 0:
		return nil, named(title, invalidError{errors.New("this source file has no array of bytes, such as that of a model")})
	}
	return nil, named(title, invalidError{fmt.Errorf("no array of this source file is a model: it has %s", names(arrays))})
}
