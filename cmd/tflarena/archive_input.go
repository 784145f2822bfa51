package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/tflarena/tflarena/internal/spelling"
)

// foreignMembers are the files by which a zip archive is known to be a model of another program, each with
// the remedy.
var foreignMembers = map[string]string{
	"data.pkl":         "this is a PyTorch file, not a TensorFlow Lite model: convert the model with litert-torch (formerly ai-edge-torch)",
	"model.weights.h5": "this is a Keras model, not a TensorFlow Lite model: convert it with tf.lite.TFLiteConverter.from_keras_model",
	"saved_model.pb":   "this zip archive has a TensorFlow SavedModel: unzip it, and convert the folder with tf.lite.TFLiteConverter.from_saved_model",
}

// archiveError returns the error for a zip archive in place of a model: its models, or its format and the
// remedy. It returns nil for an archive that cannot be read, which package tflite rejects. Data is nil if
// only the beginning of the archive was read: archiveError then reads its file.
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
		base := path.Base(f.Name)
		if text, ok := foreignMembers[base]; ok {
			return invalidError{errors.New(text)}
		}
		if strings.EqualFold(path.Ext(base), ".tflite") {
			models = append(models, f.Name)
		}
	}
	switch {
	case len(files) == 0:
		return nil
	case len(models) == 0:
		return invalidError{errors.New("this is a zip archive without a .tflite file: name a model")}
	}
	const shown = 5
	return invalidError{fmt.Errorf("this is a zip archive, not a model: unzip it; it has %s", spelling.Few(models, shown))}
}
