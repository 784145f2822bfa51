//go:build !app

package webapp

import (
	"bytes"
	"compress/gzip"
	"context"
	"embed"
	"html"
	"os"
	"path/filepath"
	"strings"
)

// bundle is what site/build.mjs makes.
//
//go:embed bundle
var bundle embed.FS

// Make makes the files of the application with the Go tool, of the sources of the planner. It calls begun
// once it has found these and the tool, since the rest takes a while. Its error is [ErrSources] where one of
// them is not there.
func Make(ctx context.Context, begun func()) (Files, error) {
	tool, err := findTool(ctx)
	if err != nil {
		return nil, err
	}
	begun()
	files := Files{}
	for name, source := range map[string]string{Index: "application.html", "application.js": "application.js", "application.css": "application.css", "worker.js": "worker.js"} {
		if files[name], err = bundle.ReadFile("bundle/" + source); err != nil {
			return nil, err
		}
	}
	// The two have to be of one version of Go.
	loader, err := os.ReadFile(filepath.Join(tool.root, "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, err
	}
	files["worker.js"] = append(append(loader, '\n'), files["worker.js"]...)
	planner, err := tool.build(ctx)
	if err != nil {
		return nil, err
	}
	if files["planner.wasm.gz"], err = compressed(planner); err != nil {
		return nil, err
	}
	licences, err := tool.licences(ctx)
	if err != nil {
		return nil, err
	}
	of, err := bundle.ReadFile("bundle/licences.txt")
	if err != nil {
		return nil, err
	}
	files[Index] = []byte(strings.NewReplacer("{{policy}}", policy, "{{licences}}", html.EscapeString(string(of)+"\n"+licences)).Replace(string(files[Index])))
	return files, nil
}

// compressed returns data as gzip writes it, without names and times.
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
