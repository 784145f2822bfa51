package test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// served starts "serve" of a command, with neither the Go tool nor the sources, and returns the address
// that it prints, and what ends it as Ctrl-C does.
func served(t testing.TB, path string) (address string, end func()) {
	t.Helper()
	c := exec.Command(path, "serve", "-q")
	c.Stderr = os.Stderr
	c.Dir, c.Env = made, []string{}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	end = sync.OnceFunc(func() {
		_ = c.Process.Signal(os.Interrupt)
		if err := c.Wait(); err != nil {
			t.Errorf("serve: %v", err)
		}
	})
	t.Cleanup(end)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal("serve printed no address: ", err)
	}
	return strings.TrimSpace(line), end
}

// application opens the application, whose planner is in the command.
func application(t testing.TB, view string) *tab {
	t.Helper()
	return applicationOf(t, filepath.Join(made, "tflarena"), view)
}

// applicationOf is application of any command.
func applicationOf(t testing.TB, path, view string) *tab {
	t.Helper()
	address, _ := served(t, path)
	b := newTab(t, 10*time.Minute)
	b.visit(address + view)
	b.quiet(address+"ask?", address+"stop?")
	return b
}

// static opens the application of files, with the planner as WebAssembly. The server is gone when it is
// returned, so that nothing can be asked for any more.
func static(t testing.TB, view string) *tab {
	t.Helper()
	server := hosted(t, filepath.Join(made, "static"))
	b := newTab(t, 10*time.Minute)
	b.visit(server.URL + "/" + view)
	server.Close()
	b.quiet()
	return b
}

// hosted serves the files of a folder until the test ends, as any web server does.
func hosted(t testing.TB, dir string) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(server.Close)
	return server
}

// both tests the application with either planner.
func both(t *testing.T, test func(*tab)) {
	t.Run("server", func(t *testing.T) { test(application(t, "")) })
	t.Run("wasm", func(t *testing.T) { test(static(t, "")) })
}

// quiet fails the test if the page complains, or asks from now on for anything but addresses that begin
// like these.
func (b *tab) quiet(allowed ...string) {
	b.mu.Lock()
	loaded := len(b.requests)
	b.mu.Unlock()
	b.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, url := range b.requests[loaded:] {
			if !slices.ContainsFunc(append(allowed, "blob:"), func(a string) bool { return strings.HasPrefix(url, a) }) {
				b.Errorf("the page asks for %s", url)
			}
		}
		if len(b.trouble) > 0 {
			b.Errorf("the page complains: %q", b.trouble)
		}
	})
}

// idle waits until the planner has answered once more, and returns what the page says then.
func (b *tab) idle() string {
	b.Helper()
	b.answers++
	b.await(fmt.Sprintf("window.answers >= %d", b.answers))
	return b.eval("document.getElementById('status').textContent")
}

// choose gives the page a file, and returns what the page says when it has done with it.
func (b *tab) choose(path string) string {
	b.Helper()
	b.run(chromedp.SetUploadFiles("#file", []string{path}, chromedp.ByQuery))
	return b.idle()
}

// says checks a sentence of the page.
func (b *tab) says(got, want string) {
	b.Helper()
	if !strings.Contains(got, want) {
		b.Errorf("the page says %q, not %q", got, want)
	}
}

// written returns what a command writes, of a model.
func written(t testing.TB, words ...string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "out.tflite")
	command(append(append([]string{filepath.Join(made, "tflarena")}, words...), "-q", "-o", path)...)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// model returns the path of a built-in model as a file.
func model(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join(made, name+".tflite")
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		command(filepath.Join(made, "tflarena"), "models", "build", name, "-q", "-o", path)
	}
	return path
}

// TestApplication does with the mouse what the application is for: what it saves is byte for byte
// what the command writes.
func TestApplication(t *testing.T) { both(t, testApplication) }

func testApplication(b *tab) {
	b.axe()
	path := model(b, "blazeface")
	b.says(b.choose(path), "blazeface.tflite is planned")
	b.wait("document.querySelectorAll('.map').length === 2 && document.getElementById('heading').textContent === 'blazeface.tflite'")
	b.axe()

	// The verdict follows the keys.
	b.run(chromedp.SendKeys("#budget", "600", chromedp.ByQuery))
	b.wait("document.getElementById('verdict').className === 'no' && document.getElementById('verdict').textContent.startsWith('DOES NOT FIT: ') && document.getElementById('verdict').textContent.includes('budget 600 B')")
	b.run(chromedp.SendKeys("#budget", "K", chromedp.ByQuery))
	b.wait("document.getElementById('verdict').textContent.startsWith('FITS, after Rewrite: requires ')")
	b.run(chromedp.SendKeys("#budget", strings.Repeat(kb.Backspace, 4), chromedp.ByQuery))
	b.wait("document.getElementById('verdict').textContent === ''")
	b.set("budget", "1M", "change")
	b.wait("document.getElementById('verdict').className === 'yes' && document.getElementById('verdict').textContent.startsWith('FITS: requires ')")
	b.set("budget", "12 apples", "change")
	b.wait("document.getElementById('verdict').textContent.includes('12 apples')")

	for _, c := range []struct{ button, plan, words string }{
		{"#rewrite", "rewritten", "rewrite"},
		{"#reorder", "reordered", "rewrite --reorder"},
		{"#fit", "fitted", "fit --arena 600K"},
	} {
		b.set("budget", "600K", "input")
		b.run(chromedp.Click(c.button, chromedp.ByQuery))
		said := b.idle()
		b.wait(fmt.Sprintf("document.getElementById('save-%s') !== null", c.plan))
		words := strings.Fields(c.words)
		if want := written(b, append(append(words[:1:1], path), words[1:]...)...); !bytes.Equal(want, b.download("#save-"+c.plan, "tflite")) {
			b.Errorf("%s saved something else than the command writes; it said %s", c.button, said)
		}
	}
	b.wait("document.getElementById('verdict').className === 'yes'")
	b.wait("document.getElementById('plan-b').value === 'fitted'")
	if n := bytes.Count(b.download("#get-svg", "svg"), []byte(`class="bound"`)); n != 1 {
		b.Errorf("%d lower bounds in the drawing, where only one of the plans has one", n)
	}
	b.wait("[...document.querySelectorAll('#files li')].every((li) => /: required arena [0-9,]+ B .*, was [0-9,]+ B /.test(li.textContent))")
	b.axe()
	b.shot("application")

	// Other settings plan anew.
	b.set("kernels", "cmsis-nn-dsp", "change")
	b.says(b.idle(), "is planned")
	b.wait("document.getElementById('main').textContent.includes('cmsis-nn-dsp') && document.querySelectorAll('#files li').length === 0")
}

// TestProgressDoesNotStay: what the planner says on its way, which a slow machine or a large model shows, is
// gone when it has answered.
func TestProgressDoesNotStay(t *testing.T) {
	b := newTab(t, 10*time.Minute)
	b.run(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(`
			const { set } = Object.getOwnPropertyDescriptor(Worker.prototype, 'onmessage');
			Object.defineProperty(Worker.prototype, 'onmessage', { set(does) {
				set.call(this, (event) => {
					if (event.data.text) does({ data: { text: '{"kind":"progress","message":"halfway"}' } });
					does(event);
				});
			} });`).Do(ctx)
		return err
	}))
	b.visit(hosted(t, filepath.Join(made, "static")).URL)
	b.says(b.choose(model(t, "blazeface")), "blazeface.tflite is planned")
	b.set("budget", "1M", "change")
	b.wait("document.getElementById('verdict').className === 'yes'")
	b.says(b.eval("document.getElementById('status').textContent"), "blazeface.tflite is planned")
	b.run(chromedp.Click("#fit", chromedp.ByQuery))
	if said := b.idle(); strings.Contains(said, "halfway") {
		t.Errorf("when the model fits, the page says %q", said)
	}
}

// TestApplicationStops: a search hears that it is to stop, and says what it has.
func TestApplicationStops(t *testing.T) { both(t, testStops) }

func testStops(b *tab) {
	b.choose(model(b, "mobilenet-v2"))
	b.run(chromedp.Click("#least", chromedp.ByQuery))
	b.await("document.getElementById('status').textContent.includes('looking for cuts')")
	b.run(chromedp.Click("#stop", chromedp.ByQuery))
	start := time.Now()
	b.says(b.idle(), "topped")
	b.Logf("it stopped after %s", time.Since(start))
	b.wait("document.getElementById('stop').disabled && !document.getElementById('least').disabled")
}

// TestApplicationKeyboard does with keys alone what the mouse does.
func TestApplicationKeyboard(t *testing.T) {
	b := application(t, "")
	// No key chooses a file in a window of the system that is not there; the button is reached.
	b.run(chromedp.Focus("#theme", chromedp.ByQuery), chromedp.KeyEvent(kb.Tab))
	b.wait("document.activeElement.id === 'file'")
	b.choose(model(t, "blazeface"))
	tab := func(id string) {
		t.Helper()
		for range 12 {
			if b.eval("document.activeElement.id") == id {
				return
			}
			b.run(chromedp.KeyEvent(kb.Tab))
		}
		t.Fatalf("the tab key does not lead to %s, but to %s", id, b.eval("document.activeElement.outerHTML"))
	}
	b.run(chromedp.Focus("#file", chromedp.ByQuery))
	tab("kernels")
	tab("alias")
	tab("budget")
	b.run(chromedp.KeyEvent("600K"))
	b.run(chromedp.KeyEvent(kb.Enter))
	b.wait("document.getElementById('verdict').className === 'yes'")
	tab("rewrite")
	b.run(chromedp.KeyEvent(kb.Enter))
	b.idle()
	b.wait("document.getElementById('save-rewritten') !== null && document.activeElement.id === 'rewrite'")
	tab("reorder")
	tab("fit")
	b.run(chromedp.KeyEvent(" "))
	b.idle()
	b.wait("document.getElementById('save-fitted') !== null && document.activeElement.id === 'fit'")
	tab("least")
	b.run(chromedp.KeyEvent(kb.Enter))
	b.wait("document.documentElement.dataset.busy === 'true' && document.activeElement.id === 'stop'")
	b.run(chromedp.KeyEvent(kb.Enter))
	b.idle()
	b.wait("document.activeElement.id === 'least'")
	tab("save-rewritten")
	tab("save-fitted")
}

// TestApplicationDrop: a file that is dropped on the page is opened.
func TestApplicationDrop(t *testing.T) {
	b := application(t, "")
	data, err := os.ReadFile(model(t, "blazeface"))
	if err != nil {
		t.Fatal(err)
	}
	b.run(chromedp.Evaluate(`(() => {
		const data = Uint8Array.from(atob(`+strconv.Quote(base64.StdEncoding.EncodeToString(data))+`), (c) => c.charCodeAt(0));
		const transfer = new DataTransfer();
		transfer.items.add(new File([data], '<b>dropped</b>\u202e.tflite'));
		for (const type of ['dragover', 'drop']) document.body.dispatchEvent(new DragEvent(type, {dataTransfer: transfer, bubbles: true, cancelable: true}));
	})(); 0`, nil))
	b.says(b.idle(), `<b>dropped</b>\u{202e}.tflite is planned`)
	b.wait("document.querySelectorAll('.map').length === 2 && document.querySelectorAll('#desk b').length === 0")
}

// TestApplicationSamples: one click opens a built-in model, which every button then takes like a file.
func TestApplicationSamples(t *testing.T) { both(t, testSamples) }

func testSamples(b *tab) {
	b.wait("document.querySelectorAll('#samples button').length >= 3")
	b.run(chromedp.Click("#samples button", chromedp.ByQuery))
	b.says(b.idle(), "is planned")
	b.wait("document.getElementById('heading').textContent === document.querySelector('#samples button').title && document.querySelectorAll('.map').length > 0")
	name := strings.TrimPrefix(b.eval("document.getElementById('heading').textContent"), "builtin:")
	b.run(chromedp.Click("#rewrite", chromedp.ByQuery))
	b.idle()
	if want := written(b, "rewrite", "builtin:"+name); !bytes.Equal(want, b.download("#save-rewritten", "tflite")) {
		b.Error("the saved file is not the one that the command writes")
	}
	b.set("kernels", "cmsis-nn-dsp", "change")
	b.says(b.idle(), "is planned")
	b.terms()
	b.axe()
}

// TestApplicationBudget: the map and the bars show the budget that the verdict is about, and none without a budget.
func TestApplicationBudget(t *testing.T) {
	b := application(t, "")
	b.choose(model(t, "blazeface-int8"))
	lines := func() int { return bytes.Count(b.download("#get-svg", "svg"), []byte(`class="budget"`)) }
	const bars = "document.querySelectorAll('#arena .limit').length"
	for budget, want := range map[string]int{"100K": 2, "": 0, "12 apples": 0} {
		b.set("budget", budget, "input")
		b.wait("!document.getElementById('verdict').classList.contains('stale')")
		b.wait(fmt.Sprintf("%s === %d", bars, want))
		if n := lines(); n != want {
			t.Errorf("budget %q: %d lines on two maps", budget, n)
		}
	}
}

// TestApplicationLooks goes through the looks that the application can have.
func TestApplicationLooks(t *testing.T) {
	for _, c := range []struct {
		name, view    string
		width, height int64
	}{
		{"application-light", "#theme=light", 1280, 900},
		{"application-dark", "#theme=dark", 1280, 900},
		{"application-narrow", "#theme=light", 400, 800},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := application(t, c.view)
			b.size(c.width, c.height)
			b.shot(c.name + "-empty")
			b.choose(model(t, "blazeface"))
			b.run(chromedp.SendKeys("#budget", "600K"+kb.Enter, chromedp.ByQuery))
			b.wait("document.getElementById('verdict').textContent !== ''") // which moves what is below, and a click would miss it
			b.run(chromedp.Click("#rewrite", chromedp.ByQuery))
			b.idle()
			b.wait("document.getElementById('save-rewritten') !== null && document.getElementById('verdict').textContent !== ''")
			b.wait("document.documentElement.scrollWidth <= window.innerWidth")
			b.axe()
			b.shot(c.name)
			b.run(emulation.SetEmulatedMedia().WithMedia("print"))
			b.wait("getComputedStyle(document.getElementById('desk')).display === 'none'")
		})
	}
}
