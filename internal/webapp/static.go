package webapp

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed"
	"errors"
	"os"
	"path/filepath"

	"github.com/tflarena/tflarena/internal/page"
)

// errSources reports that the Go tool or the sources of the planner are missing.
var errSources = errors.New("-o compiles the planner to WebAssembly, which requires the Go tool and a copy of the sources of tflarena as the working folder; serve without -o requires neither")

// worker is the program of the worker in which the planner runs.
//
//go:embed bundle/worker.js.gz
var worker string

// staticPolicy also allows the worker and WebAssembly.
const staticPolicy = policy + " 'wasm-unsafe-eval'; worker-src blob:"

// Static builds the files of the application for any web server, with the Go tool from the sources of
// the planner. It calls begun after it has found both, since the rest takes a minute.
func Static(ctx context.Context, begun func()) (Files, error) {
	root, err := findTool(ctx)
	if err != nil {
		return nil, err
	}
	begun()
	licences, err := licences(ctx, root)
	if err != nil {
		return nil, err
	}
	list := files("wasm", staticPolicy, page.Licences()+"\n"+licences)
	// Both must be from one version of Go.
	loader, err := os.ReadFile(filepath.Join(root, "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, err
	}
	list["worker.js"] = append(append(loader, '\n'), page.Unpack(worker)...)
	planner, err := build(ctx)
	if err != nil {
		return nil, err
	}
	list["planner.wasm.gz"], err = compressed(planner)
	return list, err
}

// compressed returns data in gzip format, without names and times.
func compressed(data []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}
