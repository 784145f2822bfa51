package main

import (
	"os"
	"path/filepath"
	"testing"
)

// Files of the application replace only its own files.
func TestRefuseForeign(t *testing.T) {
	const own, other = `<meta name="generator" content="tflarena">`, "<p>Welcome"
	for _, c := range []struct {
		page, worker string
		refused      bool
	}{
		{"", "", false},
		{own, "", false},
		{own, "old", false},
		{"", "theirs", true},
		{other, "", false},
		{other, "theirs", true},
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{"index.html": c.page, "worker.js": c.worker} {
			if text == "" {
				continue
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := refuseForeign(dir, "worker.js"); (err != nil) != c.refused {
			t.Errorf("page %q, worker %q: %v", c.page, c.worker, err)
		}
		if err := refuseForeign(dir, "index.html"); (err != nil) != (c.page == other) {
			t.Errorf("page %q: %v", c.page, err)
		}
	}
}
