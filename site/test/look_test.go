package test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	ours "github.com/tflarena/tflarena/internal/page"
)

// axe asks axe-core what keeps people from using the page.
func (b *tab) axe() {
	b.Helper()
	source, err := os.ReadFile("../node_modules/axe-core/axe.min.js")
	if err != nil {
		b.Fatal("axe-core is not installed; .ci/page does that: ", err)
	}
	b.run(chromedp.Evaluate(string(source)+"; 0", nil))
	b.run(chromedp.Evaluate(`window.verdict = null; axe.run(document, {resultTypes: ['violations']}).then((r) => {
		window.verdict = r.violations.map((v) => v.id + ': ' + v.help + ' ' + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 120) + ' ' + n.failureSummary).join(' | ')).join('\n');
	}); 0`, nil))
	b.wait("window.verdict !== null")
	if verdict := b.eval("window.verdict"); verdict != "" {
		b.Errorf("axe-core: %s", verdict)
	}
}

// several is a page of several models, one of which is bad.
func several(t *testing.T) string {
	t.Helper()
	bad := filepath.Join(made, "bad.tflite")
	if err := os.WriteFile(bad, []byte("this is no model, but it is long enough"), 0o600); err != nil {
		t.Fatal(err)
	}
	return report(t, "builtin:blazeface", "builtin:randwire", bad)
}

// TestLooks goes through the looks that a page can have. Nothing is ever wider than the window.
func TestLooks(t *testing.T) {
	for _, c := range []struct {
		name, view    string
		width, height int64
	}{
		{"light", "#theme=light&t=0%3A3", 1280, 900},
		{"dark", "#theme=dark&p=2", 1280, 900},
		{"narrow", "#theme=light&t=0%3A17&q=stride", 400, 800},
		{"narrow-dark", "#theme=dark&a=rewritten&b=&t=0%3A3", 400, 800},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := open(t, blazeface(t), c.view)
			b.size(c.width, c.height)
			b.wait("document.documentElement.scrollWidth <= window.innerWidth")
			b.axe()
			b.shot(c.name)
		})
	}
}

// TestOverview: several models begin with a list, which leads to each and back.
func TestOverview(t *testing.T) {
	b := open(t, several(t), "")
	b.wait("document.querySelectorAll('main tbody tr').length === 3 && document.querySelector('main').textContent.includes('not read')")
	b.axe()
	b.terms()
	b.shot("overview")
	b.run(chromedp.Click("main tbody tr:nth-child(2) button", chromedp.ByQuery))
	b.wait("location.hash.includes('m=1') && document.querySelectorAll('.map').length === 2 && document.getElementById('model').value === '1'")
	b.shot("second")
	b.run(chromedp.NavigateBack())
	b.wait("document.querySelectorAll('.map').length === 0 && document.querySelectorAll('main tbody tr').length === 3")
	b.size(400, 800)
	b.wait("document.documentElement.scrollWidth <= window.innerWidth")
	b.axe()
}

// TestTimelines: runs with prefetched weights, and traces, are shown in the same frame.
func TestTimelines(t *testing.T) {
	path := filepath.Join(made, "run.html")
	command(filepath.Join(made, "tflarena"), "stream", "builtin:blazeface", "--macs-per-second", "30e9", "--bandwidth", "200MiB", "--budget", "2MiB", "-q", "-o", "html="+path)
	b := open(t, path, "#p=3")
	b.wait("document.getElementById('details').textContent.includes('computes') && document.querySelector('.legend').textContent.includes('the processor waits')")
	// The latency is on top, and operators have what the model tells of them.
	b.wait("/latency[0-9.]+ ms/.test(document.getElementById('summary').textContent)")
	b.wait("Number(document.querySelectorAll('#operators tbody tr')[3].children[5].textContent.replaceAll(',', '')) > 0")
	b.wait("document.querySelector('#tensors thead').textContent.includes('shape')")
	b.terms()
	b.axe()
	b.shot("run")
	b.run(chromedp.Focus(".map", chromedp.ByQuery), chromedp.KeyEvent("+"), chromedp.KeyEvent("\u001b"))
	b.wait("/z=1.5/.test(location.hash)")
	x, y := b.mapAt(0.5, 0.1)
	b.run(chromedp.MouseClickXY(x, y))
	b.wait("/[#&]t=/.test(location.hash)")

	trace := filepath.Join(made, "trace.csv")
	if err := os.WriteFile(trace, []byte("event,id,size\nalloc,a,100\nalloc,b,60\nfree,a,\nalloc,c,80\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(made, "trace.html")
	command(filepath.Join(made, "tflarena"), "replay", trace, "-o", "html="+path)
	b = open(t, path, "#t=b")
	b.wait("document.getElementById('details').textContent.includes('Requested by the program at event 1')")
	b.axe()
	b.terms()
	b.shot("trace")

	// Blocks have the colours of the functions that requested them.
	functions := filepath.Join(made, "functions.csv")
	if err := os.WriteFile(functions, []byte("event,id,size,function\nalloc,a,100,conv\nalloc,b,60,relu\nfree,a,,\nalloc,c,80,conv\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(made, "functions.html")
	command(filepath.Join(made, "tflarena"), "replay", functions, "-o", "html="+path)
	b = open(t, path, "")
	b.wait("[...document.querySelectorAll('.legend li')].map((li) => li.textContent).join() === 'conv,relu'")
	fills := map[string]string{}
	for _, m := range regexp.MustCompile(`fill="([^"]*)"><title>(\w)`).FindAllStringSubmatch(string(b.download("#get-svg", "svg")), -1) {
		fills[m[2]] = m[1]
	}
	if len(fills) != 3 || fills["a"] != fills["c"] || fills["a"] == fills["b"] {
		t.Errorf("colours %v", fills)
	}
	b.axe()
}

// TestTiles: a model in tiles is shown beside its whole tensors, at the same steps, and a problem of
// tiles by itself.
func TestTiles(t *testing.T) {
	path, cases := filepath.Join(made, "tiles.html"), filepath.Join(made, "cases.json")
	command(filepath.Join(made, "tflarena"), "plan", "builtin:blazeface-int8", "--tiles", "--on-chip", "64K", "-q", "-o", "html="+path, "-o", "tiles="+cases)
	b := open(t, path, "#a=tiles&b=file&t=0%3A0")
	b.wait("document.querySelectorAll('.map').length === 2 && document.getElementById('details').textContent.includes('read by')")
	b.wait("/Written by 1 step and read by \\d+ steps/.test(document.getElementById('details').textContent)")
	b.axe()
	b.terms()
	b.shot("tiles")
	b.run(chromedp.Click("#operators button.link", chromedp.ByQuery))
	b.wait("/[#&]p=/.test(location.hash) && document.getElementById('live').textContent.startsWith('step ')")
	b.run(chromedp.Focus(".map", chromedp.ByQuery), chromedp.KeyEvent("+"), chromedp.KeyEvent("p"))
	b.wait("/z=1.5/.test(location.hash) && document.getElementById('details').textContent.includes('the peak')")
	b.size(400, 800)
	b.wait("document.documentElement.scrollWidth <= window.innerWidth")
	b.shot("tiles-narrow")

	path = filepath.Join(made, "cases.html")
	command(filepath.Join(made, "tflarena"), "plan", cases, "-q", "-o", "html="+path)
	b = open(t, path, "#p=3")
	b.wait("document.querySelectorAll('.map').length === 1 && document.querySelector('#details h2').textContent === 'step 3'")
	b.axe()
	b.shot("cases")
}

// TestPrint: on paper there are the maps and the tables, in the light look, and no buttons.
func TestPrint(t *testing.T) {
	b := open(t, blazeface(t), "#theme=dark&t=0%3A3")
	var paper []byte
	b.run(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		paper, _, err = page.PrintToPDF().WithPrintBackground(true).Do(ctx)
		return err
	}))
	if !strings.HasPrefix(string(paper), "%PDF") {
		t.Error("no PDF")
	}
	if dir := os.Getenv("TFLARENA_SHOTS"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, "print.pdf"), paper, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b.wait("document.documentElement.dataset.theme === 'dark'") // as before
	b.run(emulation.SetEmulatedMedia().WithMedia("print"))
	b.wait("getComputedStyle(document.querySelector('.controls')).display === 'none'")
	b.wait("[...document.querySelectorAll('.swatch')].every((e) => getComputedStyle(e).printColorAdjust === 'exact')")
}

// TestHostileNames: names that look like HTML, or turn text around, are names.
func TestHostileNames(t *testing.T) {
	json := filepath.Join(made, "hostile.json")
	command(filepath.Join(made, "tflarena"), "report", "builtin:blazeface", "-q", "-o", json)
	document, err := os.ReadFile(json)
	if err != nil {
		t.Fatal(err)
	}
	name := `</script><img src=x onerror=alert(1)>\u202e\u0000<!--名前 тензор اسم 😀`
	text := strings.ReplaceAll(string(document), `"name": "Conv"`, `"name": "`+name+`"`)
	text = strings.ReplaceAll(text, `"builtin:blazeface"`, `"<script>alert(2)</script>\u202e.tflite"`)
	if text == string(document) {
		t.Fatal("no name was replaced")
	}
	data, err := ours.HTML("<script>alert(3)</script>", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(made, "hostile.html")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	b := open(t, path, "#t=0%3A3")
	b.wait(`document.querySelector('#details h2').textContent.includes('</script><img src=x onerror=alert(1)>\\u{202e}\\u{0}<!--名前 тензор اسم 😀')`)
	b.wait(`document.getElementById('heading').textContent.startsWith('<script>alert(2)</script>\\u{202e}')`)
	b.wait("document.querySelectorAll('img').length === 0 && document.title === '<script>alert(3)</script>'")
	b.shot("hostile")
	drawing := string(b.download("#get-svg", "svg"))
	if strings.Contains(drawing, "<img") || strings.Contains(drawing, "<script") {
		t.Error("a name is markup in the SVG")
	}
}
