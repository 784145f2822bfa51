package test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// TestApplicationRefuses: what cannot be read is said, before much of it is read.
func TestApplicationRefuses(t *testing.T) { both(t, testRefuses) }

func testRefuses(b *tab) {
	dir := b.TempDir()
	file := func(name string, data []byte, size int64) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			b.Fatal(err)
		}
		if err := os.Truncate(path, max(size, int64(len(data)))); err != nil {
			b.Fatal(err)
		}
		return path
	}
	b.says(b.choose(file("two.tflite", nil, 2<<30)), "two.tflite: the file has 2,147,483,648 B (2.00 GiB), and this page reads models of up to")
	b.says(b.choose(file("text.tflite", []byte("this is no model, but it is long enough"), 400<<20)), "text.tflite: this is not a TensorFlow Lite model")
	b.says(b.choose(file("empty.tflite", nil, 0)), "empty.tflite: the file is empty")
	whole, err := os.ReadFile(model(b, "blazeface"))
	if err != nil {
		b.Fatal(err)
	}
	b.says(b.choose(file("half.tflite", whole[:len(whole)/2], 0)), "half.tflite: ")
	b.wait("document.getElementById('rewrite').disabled")
	b.axe()
	b.run(chromedp.SendKeys("#budget", "600K", chromedp.ByQuery))
	for i, bad := range []string{"text.tflite", "half.tflite"} {
		b.says(b.choose(file("whole.tflite", whole, 0)), "whole.tflite is planned")
		b.wait("document.getElementById('verdict').className === 'yes' && document.getElementById('status').className === ''")
		if i == 0 {
			b.run(chromedp.Click("#rewrite", chromedp.ByQuery))
			b.idle()
			b.wait("document.getElementById('save-rewritten') !== null")
		}
		// Nothing on the page is about the model that was open, but what was made of it can still be saved if the file is no model.
		b.says(b.choose(filepath.Join(dir, bad)), bad+": ")
		b.wait("document.getElementById('status').className === 'error' && document.getElementById('rewrite').disabled")
		b.wait("document.getElementById('verdict').textContent === '' && document.querySelectorAll('.map').length === 0 && document.getElementById('heading').textContent === 'Memory of a TensorFlow Lite model'")
		if i == 0 {
			b.wait("document.getElementById('save-rewritten') !== null")
			b.axe()
			b.shot("application-error")
		}
	}
	b.says(b.choose(file("whole.tflite", whole, 0)), "whole.tflite is planned")
}

// TestServerEnds: a page is told that the command that planned for it is gone.
func TestServerEnds(t *testing.T) {
	address, end := served(t, filepath.Join(made, "tflarena"))
	b := newTab(t, time.Minute)
	b.visit(address)
	b.choose(model(t, "blazeface"))
	end()
	b.run(chromedp.Click("#rewrite", chromedp.ByQuery))
	b.says(b.idle(), "tflarena serve does not answer: start it again")
	b.wait("document.getElementById('file').disabled && document.getElementById('rewrite').disabled && document.querySelectorAll('.map').length === 0")
	b.axe()
}

// changed serves the files of the application, with the planner changed.
func changed(t *testing.T, change func([]byte) []byte) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(made, "static"))); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "planner.wasm.gz")
	packed, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	// Uncompressed, as a server sends it that unpacks for the browser.
	if err := os.WriteFile(path, change(data), 0o600); err != nil {
		t.Fatal(err)
	}
	return hosted(t, dir).URL
}

// TestApplicationOutOfMemory: a planner that has no memory left is started again, and the next model
// is planned.
func TestApplicationOutOfMemory(t *testing.T) {
	const pages = 560 // of 64 KiB
	b := newTab(t, 10*time.Minute)
	b.visit(changed(t, func(planner []byte) []byte { return limited(t, planner, pages) }))
	b.quiet()
	b.says(b.choose(model(t, "alexnet-int8")), "The planner ran out of memory, and was started again")
	b.wait("document.getElementById('rewrite').disabled && !document.getElementById('file').disabled")
	b.says(b.choose(model(t, "blazeface-int8")), "is planned")
}

// limited returns a module of WebAssembly whose memory cannot become larger than so many pages.
func limited(t *testing.T, module []byte, pages uint64) []byte {
	t.Helper()
	const memory = 5 // the section
	for at := 8; at < len(module); {
		size, n := binary.Uvarint(module[at+1:])
		body := module[at+1+n:][:size]
		if module[at] == memory {
			least, m := binary.Uvarint(body[2:])
			if body[0] != 1 || body[1] != 0 || 2+m != len(body) || least > pages {
				t.Fatalf("memory section %v", body)
			}
			body = binary.AppendUvarint(append([]byte{1, 1}, body[2:]...), pages)
			changed := binary.AppendUvarint(append(bytes.Clone(module[:at]), memory), uint64(len(body)))
			return append(append(changed, body...), module[at+1+n+int(size):]...)
		}
		at += 1 + n + int(size)
	}
	t.Fatal("no memory section")
	return nil
}

// TestApplicationWithout: a browser without WebAssembly is told what it lacks, and so is one that
// finds no planner.
func TestApplicationWithout(t *testing.T) {
	b := newTab(t, time.Minute)
	b.run(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument("delete window.WebAssembly").Do(ctx)
		return err
	}))
	b.visit(hosted(t, filepath.Join(made, "static")).URL)
	b.says(b.eval("document.getElementById('status').textContent"), "this browser has no WebAssembly")
	b.wait("document.getElementById('file').disabled")
	b.axe()
}
