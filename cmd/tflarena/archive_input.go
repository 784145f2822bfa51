package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"path"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/spelling"
)

// archiveError returns the error for a zip archive in place of a model: what it contains, and how to get a
// model from it. Data is the archive, nil if only its beginning was read: it is then read from the file.
func archiveError(title string, data []byte) error {
	var files []*zip.File
	if data != nil {
		if r, err := zip.NewReader(bytes.NewReader(data), int64(len(data))); err == nil {
			files = r.File
		}
	} else if r, err := zip.OpenReader(title); err == nil {
		defer r.Close()
		files = r.File
	}
	var models []string
	for _, f := range files {
		switch base := path.Base(f.Name); {
		case strings.EqualFold(path.Ext(base), ".tflite"):
			models = append(models, f.Name)
		case base == "data.pkl":
			return invalidError{errors.New("this is a PyTorch file, not a TensorFlow Lite model: convert the model with litert-torch (formerly ai-edge-torch)")}
		case base == "model.weights.h5":
			return invalidError{errors.New("this is a Keras model, not a TensorFlow Lite model: convert it with tf.lite.TFLiteConverter.from_keras_model")}
		case base == "saved_model.pb":
			return invalidError{errors.New("this zip archive has a TensorFlow SavedModel: unzip it, and convert the folder with tf.lite.TFLiteConverter.from_saved_model")}
		}
	}
	switch n := len(models); {
	case n == 0 && len(files) > 0:
		return invalidError{errors.New("this is a zip archive without a .tflite file: name a model")}
	case n == 0:
		return invalidError{errors.New("this is a zip archive, not a model: unzip it, and name a .tflite file in it")}
	case n > mostMembers:
		models = append(slices.Clone(models[:mostMembers]), fmt.Sprintf("%d others", n-mostMembers))
	}
	return invalidError{fmt.Errorf("this is a zip archive, not a model: unzip it; it has %s", spelling.List(models, "and"))}
}

// mostMembers is the largest number of models that the error for an archive names.
const mostMembers = 5
