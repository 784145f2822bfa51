package problem

import (
	"encoding/json"
	"testing"
)

// Answers are words wherever they are written.
func TestWords(t *testing.T) {
	text, err := json.Marshal([]Answer{Unknown, Fits, Misfit})
	if want := `["unknown","fits","does not fit"]`; err != nil || string(text) != want {
		t.Errorf("got %s, %v, want %s", text, err, want)
	}
}
