package split

import (
	"regexp"

	"github.com/tflarena/tflarena/tflite"
)

// pieceName is what the name of a piece has behind that of the tensor which it is a piece of.
var pieceName = regexp.MustCompile(`/(rows|columns|channels) [0-9]+-[0-9]+( |$)`)

// IsPiece reports whether a tensor is a piece that [Cut] made, by its name: there is nothing
// else in the file that says so.
func IsPiece(t *tflite.Tensor) bool { return pieceName.MatchString(t.Name) }
