package test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestInstalled: the application of each command that TFLARENA_INSTALLED lists judges a sample. .ci/installs
// lists those that it installed.
func TestInstalled(t *testing.T) {
	paths := filepath.SplitList(os.Getenv("TFLARENA_INSTALLED"))
	if len(paths) == 0 {
		t.Skip("left out: TFLARENA_INSTALLED lists no command")
	}
	for _, path := range paths {
		t.Run(path, func(t *testing.T) {
			b := applicationOf(t, path, "")
			b.run(chromedp.Click("#samples button", chromedp.ByQuery))
			b.says(b.idle(), "is planned")
			b.set("budget", "1G", "change")
			b.wait("document.getElementById('verdict').className === 'yes' && document.getElementById('verdict').textContent.startsWith('FITS: requires ')")
			b.set("budget", "1K", "change")
			b.wait("document.getElementById('verdict').className === 'no' && document.getElementById('verdict').textContent.startsWith('DOES NOT FIT: ')")
			t.Log(b.eval("document.getElementById('verdict').textContent"))
		})
	}
}
