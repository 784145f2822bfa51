package test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// BenchmarkLarge opens the page of a model with 2,481 planned tensors, and pans it while it is zoomed
// in a little: the milliseconds until the page is drawn, and how many frames there are in a second, compared with
// those of a page that does nothing, because a browser without a graphics card has few.
func BenchmarkLarge(b *testing.B) {
	shared := os.Getenv("TFLARENA_SHARED")
	if shared == "" {
		b.Skip("left out: TFLARENA_SHARED names no models")
	}
	path := filepath.Join(made, "large.html")
	command(filepath.Join(made, "tflarena"), "report", filepath.Join(shared, "models", "nets", "dp_net.tflite"), "-q", "-o", path)
	for b.Loop() {
		page := open(b, path, "#z=3,200,20000")
		b.ReportMetric(page.number("document.documentElement.dataset.ready"), "ms-to-first-view")
		idle := page.frames("document.body")
		b.ReportMetric(100*page.frames("document.querySelector('.map')")/idle, "%-of-idle-frames")
		b.ReportMetric(idle, "idle-frames/s")
	}
}

// frames returns how many frames there are in a second in which an element is sent keys that pan a map.
func (b *tab) frames(element string) float64 {
	b.Helper()
	b.run(chromedp.Evaluate(`window.framesInSecond = null; (() => {
		const element = `+element+`;
		const from = performance.now();
		let n = 0;
		const step = () => {
			element.dispatchEvent(new KeyboardEvent('keydown', {key: n % 40 < 20 ? 'ArrowRight' : 'ArrowLeft', shiftKey: true, bubbles: true}));
			if (++n < 120) requestAnimationFrame(step);
			else window.framesInSecond = 1000 * n / (performance.now() - from);
		};
		requestAnimationFrame(step);
	})(); 0`, nil))
	b.run(chromedp.Poll("window.framesInSecond !== null", nil))
	return b.number("window.framesInSecond")
}

// number returns the value of an expression that is a number.
func (b *tab) number(expression string) float64 {
	b.Helper()
	n, err := strconv.ParseFloat(b.eval(expression), 64)
	if err != nil {
		b.Fatal(err)
	}
	return n
}

// BenchmarkPlanner has the application plan the same model, and compares that with the command: how
// many times as long it takes until the map is drawn.
func BenchmarkPlanner(b *testing.B) {
	shared := os.Getenv("TFLARENA_SHARED")
	if shared == "" {
		b.Skip("left out: TFLARENA_SHARED names no models")
	}
	path := filepath.Join(shared, "models", "nets", "dp_net.tflite")
	for b.Loop() {
		start := time.Now()
		command(filepath.Join(made, "tflarena"), "report", path, "-q", "-o", "json="+os.DevNull)
		own := time.Since(start)
		page := application(b, "")
		start = time.Now()
		if said := page.choose(path); !strings.Contains(said, "is planned") {
			b.Fatal(said)
		}
		b.ReportMetric(float64(time.Since(start))/float64(own), "times-the-command")
	}
}
