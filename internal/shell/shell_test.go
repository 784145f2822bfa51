package shell

import "testing"

func TestCommand(t *testing.T) {
	for _, c := range []struct{ want, verb, file, flag string }{
		{"tflarena check m.tflite --wide", "check", "m.tflite", "--wide"},
		{"tflarena check 'my model.tflite' 'a'\\''b'", "check", "my model.tflite", "a'b"},
		{"tflarena check - --wide", "check", "-", "--wide"},
		{"tflarena check ./-m --wide", "check", "-m", "--wide"},
	} {
		if got := Command(c.verb, c.file, c.flag); got != c.want {
			t.Errorf("%s, not %s", got, c.want)
		}
	}
}

func TestSmaller(t *testing.T) {
	for file, want := range map[string]string{
		"a/m.tflite": "m-smaller.tflite", "builtin:alexnet": "alexnet.tflite", "-": "smaller.tflite", "m": "m-smaller.tflite",
	} {
		if got := Smaller(file); got != want {
			t.Errorf("%s: %s", file, got)
		}
	}
}
