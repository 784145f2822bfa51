package tflite

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/tflarena/tflarena/schema"
)

// foreigns are formats of files that are mistaken for models, each with the text of the error and the remedy.
// The first match counts.
var foreigns = []struct {
	// prefix is the beginning of every such file, and is a further condition, or nil.
	prefix, text string
	is           func(data []byte) bool
}{
	{prefix: "version https://git-lfs", text: "this is a git-lfs pointer, not the model itself: 'git lfs pull' fetches it"},
	{prefix: zipLocalHeader, text: "this is a zip archive, not a model: unzip it, and name a .tflite file in it"},
	{prefix: "\x89HDF", text: "this is an HDF5 file (Keras), not a TensorFlow Lite model: convert it with tf.lite.TFLiteConverter.from_keras_model"},
	{prefix: "LITERTLM", text: "this is a LiteRT-LM container, not a model: extract its models with 'litert-lm-peek --litertlm_file FILE --dump_files_dir DIR'"},
	{prefix: torchMagic, text: "this is a PyTorch file, not a TensorFlow Lite model: convert the model with litert-torch (formerly ai-edge-torch)"},
	{prefix: "\x1f\x8b", text: "this is a gzip file, not a model: unpack it with gunzip"},
	{prefix: "\x08\x01\x12", is: hasGraph, text: "this is a TensorFlow SavedModel, not a TensorFlow Lite model: convert its folder with tf.lite.TFLiteConverter.from_saved_model"},
	{is: isONNX, text: "this is an ONNX model, not a TensorFlow Lite model: convert it with onnx2tf"},
	{is: isGraph, text: "this is a frozen TensorFlow graph, not a TensorFlow Lite model: convert it with tf.compat.v1.lite.TFLiteConverter.from_frozen_graph"},
	{is: isPage, text: "this is a web page, not a model: download the file itself"},
	{is: isLongText, text: notModel + " but a text file: name the .tflite file"},
}

// torchMagic is a pickle of PyTorch's magic number.
const torchMagic = "\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19."

// foreignFormat names the format of a file that is often mistaken for a model, with the remedy, or
// returns "".
func foreignFormat(data []byte) string {
	if isIdentified(data) {
		return ""
	}
	if len(data) == 0 {
		return "the file is empty"
	}
	for _, f := range foreigns {
		if bytes.HasPrefix(data, []byte(f.prefix)) && (f.is == nil || f.is(data)) {
			return f.text
		}
	}
	return ""
}

// IsArchive reports whether data begins like a zip archive, and not like a model.
func IsArchive(data []byte) bool {
	return bytes.HasPrefix(data, []byte(zipLocalHeader)) && !isIdentified(data)
}

// isIdentified reports whether data has the file identifier of models.
func isIdentified(data []byte) bool { return len(data) >= 8 && string(data[4:8]) == schema.Identifier }

// hasGraph reports whether the protocol buffer of a SavedModel has a graph after its version.
func hasGraph(data []byte) bool { return len(data) > 3 && data[3] > 0 }

// isONNX reports whether data begins like the protocol buffer of an ONNX model: its version, above 1, then the
// name of its producer.
func isONNX(data []byte) bool {
	const newest = 31
	if len(data) < 4 || data[0] != 0x08 || data[1] < 2 || data[1] > newest || data[2] != 0x12 {
		return false
	}
	end := 4 + int(data[3])
	return end > 4 && end <= len(data) && isText(data[4:end])
}

// isGraph reports whether data begins like the protocol buffer of a TensorFlow graph: a node with a name and
// an operation.
func isGraph(data []byte) bool {
	if len(data) < 6 || data[0] != 0x0a {
		return false
	}
	at := 1
	for at < 6 && data[at] >= 0x80 { // the length of the node
		at++
	}
	at++
	if at+1 >= len(data) || data[at] != 0x0a {
		return false
	}
	name := int(data[at+1])
	operation := at + 2 + name
	return name > 0 && name < 0x80 && operation < len(data) && data[operation] == 0x12 && isText(data[at+2:operation])
}

func isPage(data []byte) bool {
	beginning := strings.ToLower(string(bytes.TrimSpace(data[:min(len(data), 1<<10)])))
	return strings.HasPrefix(beginning, "<!doctype html") || strings.HasPrefix(beginning, "<html")
}

// isLongText reports whether data is long enough to be called a text without any other sign of it.
func isLongText(data []byte) bool { return len(data) >= 8 && isText(data) }

// isText reports whether data begins with text.
func isText(data []byte) bool {
	const most = 512
	beginning := data[:min(len(data), most)]
	for len(beginning) > 0 {
		r, n := utf8.DecodeRune(beginning)
		if r == utf8.RuneError && n == 1 {
			return len(beginning) < utf8.UTFMax && len(data) > most // cut in the middle of a character
		}
		if r < ' ' && !strings.ContainsRune("\t\n\r\f", r) || r == 0x7f {
			return false
		}
		beginning = beginning[n:]
	}
	return true
}
