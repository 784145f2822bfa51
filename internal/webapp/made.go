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

// Make builds the files of the application with the Go tool from the sources of the planner. It calls
// begun after it has found both, since the rest takes a while. If one is missing, the error is
// [ErrSources].
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
	// Both must be from one version of Go.
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
