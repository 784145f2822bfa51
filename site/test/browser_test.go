package test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// made is the folder with the command and the pages that it made; chrome is what tabs are opened in.
var (
	made   string
	chrome context.Context
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	path, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("TFLARENA_REQUIRE_BROWSER") != "" {
			fmt.Println("chromium is required and not there")
			return 1
		}
		fmt.Println("left out: there is no chromium here")
		return 0
	}
	if made, err = os.MkdirTemp("", "page"); err != nil {
		panic(err)
	}
	defer os.RemoveAll(made)
	build()
	allocator, cancel := chromedp.NewExecAllocator(context.Background(),
		chromedp.ExecPath(path), chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.UserDataDir(filepath.Join(made, "profile")), chromedp.WindowSize(1280, 900))
	defer cancel()
	var end context.CancelFunc
	chrome, end = chromedp.NewContext(allocator)
	defer end()
	if err := chromedp.Run(chrome); err != nil {
		fmt.Println(err)
		return 1
	}
	return m.Run()
}

// build makes the command, and the files of the application with it.
func build() {
	root := filepath.Join("..", "..")
	path := filepath.Join(made, "tflarena")
	command("go", "build", "-C", root, "-o", path, "./cmd/tflarena")
	serve := exec.Command(path, "serve", "-q", "-o", filepath.Join(made, "static"))
	serve.Dir = root // where the sources of the planner are
	if out, err := serve.CombinedOutput(); err != nil {
		panic(fmt.Sprintf("serve: %v\n%s", err, out))
	}
}

// command runs a command that has to succeed.
func command(words ...string) {
	c := exec.Command(words[0], words[1:]...)
	c.Stderr = os.Stderr
	if err := c.Run(); err != nil {
		panic(fmt.Sprint(words, ": ", err))
	}
}

// report makes a page and returns its path; pages of the same arguments are made once.
func report(t *testing.T, arguments ...string) string {
	t.Helper()
	path := filepath.Join(made, strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/:\`, r) {
			return '_'
		}
		return r
	}, strings.Join(arguments, " "))+".html")
	if _, err := os.Stat(path); err == nil {
		return path
	}
	c := exec.Command(filepath.Join(made, "tflarena"), append(append([]string{"report"}, arguments...), "-q", "-o", path)...)
	if out, err := c.CombinedOutput(); err != nil && c.ProcessState.ExitCode() != 3 {
		t.Fatalf("report %v: %v\n%s", arguments, err, out)
	}
	return path
}

// newTab opens an empty tab, which is closed when the test is over.
func newTab(t testing.TB, limit time.Duration) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(chrome)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, limit)
	t.Cleanup(cancel)
	b := &tab{TB: t, ctx: ctx}
	chromedp.ListenTarget(ctx, b.event)
	b.run(network.Enable(), log.Enable(), runtime.Enable(), page.Enable())
	// A tab behind another one draws no frames, and waits for them.
	b.run(page.BringToFront())
	return b
}

// visit goes to an address and waits until the page is ready.
func (b *tab) visit(address string) {
	b.Helper()
	b.run(chromedp.Navigate(address), chromedp.WaitReady("html[data-ready]", chromedp.ByQuery))
	b.run(chromedp.Evaluate(countWork, nil))
	b.answers = 0
}

// countWork has a page count how many times its planner has answered.
const countWork = `window.answers = 0;
new MutationObserver((list) => {
	for (const m of list) if (m.oldValue === 'true' && document.documentElement.dataset.busy === 'false') window.answers++;
}).observe(document.documentElement, { attributeFilter: ['data-busy'], attributeOldValue: true });
0`

// A tab is a page in the browser, with all that it asked for and complained of.
type tab struct {
	testing.TB
	ctx context.Context

	answers int // of the planner, that the test has waited for

	mu       sync.Mutex
	requests []string
	trouble  []string
}

// open opens a file, with what stands behind the # of its address.
func open(t testing.TB, path, view string) *tab {
	t.Helper()
	b := newTab(t, 2*time.Minute)
	b.visit("file://" + path + view)
	t.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if len(b.trouble) > 0 {
			t.Errorf("the page complains: %q", b.trouble)
		}
		for _, url := range b.requests {
			if !strings.HasPrefix(url, "file://"+path) && !strings.HasPrefix(url, "blob:") {
				t.Errorf("the page asks for %s", url)
			}
		}
	})
	return b
}

func (b *tab) event(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, strings.ReplaceAll(e.Request.URL, "%20", " "))
	case *runtime.EventExceptionThrown:
		b.trouble = append(b.trouble, e.ExceptionDetails.Error())
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError {
			b.trouble = append(b.trouble, fmt.Sprintf("an error on the console: %s", e.Args[0].Value))
		}
	case *log.EventEntryAdded:
		b.trouble = append(b.trouble, e.Entry.Text)
	case *page.EventJavascriptDialogOpening:
		b.trouble = append(b.trouble, "a dialog: "+e.Message)
	}
}

func (b *tab) run(actions ...chromedp.Action) {
	b.Helper()
	if err := chromedp.Run(b.ctx, actions...); err != nil {
		b.Fatal(err)
	}
}

// eval returns the value of an expression as text.
func (b *tab) eval(expression string) string {
	b.Helper()
	var value string
	b.run(chromedp.Evaluate("String("+expression+")", &value))
	return value
}

// set gives a control a value, and tells the page by an event.
func (b *tab) set(id, value, event string) {
	b.Helper()
	b.run(chromedp.WaitReady("#"+id, chromedp.ByQuery), chromedp.Evaluate(fmt.Sprintf(`document.getElementById(%[1]q).value = %[2]q; document.getElementById(%[1]q).dispatchEvent(new Event(%[3]q)); 0`, id, value, event), nil))
}

// patience is how many times, 20 ms apart, the tests look for what is to happen: much longer than it
// takes, so that a busy machine fails none.
const patience = 1000

// wait waits until an expression is true.
func (b *tab) wait(expression string) {
	b.Helper()
	for range patience {
		if b.eval(expression) == "true" {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	b.Fatalf("never true: %s; at %s, details: %s", expression, b.eval("location.hash"), b.eval("document.getElementById('details')?.textContent"))
}

// await is wait for what takes the planner a while.
func (b *tab) await(expression string) {
	b.Helper()
	for b.eval(expression) != "true" {
		time.Sleep(20 * time.Millisecond) // until the context of the tab ends
	}
}

// size gives the window another size, in pixels.
func (b *tab) size(width, height int64) {
	b.Helper()
	b.run(emulation.SetDeviceMetricsOverride(width, height, 1, false))
}

// shot keeps a picture of the whole page for people to look at, in the folder that TFLARENA_SHOTS names.
func (b *tab) shot(name string) {
	b.Helper()
	dir := os.Getenv("TFLARENA_SHOTS")
	if dir == "" {
		return
	}
	var data []byte
	b.run(chromedp.FullScreenshot(&data, 100))
	if err := os.WriteFile(filepath.Join(dir, name+".png"), data, 0o600); err != nil {
		b.Fatal(err)
	}
}
