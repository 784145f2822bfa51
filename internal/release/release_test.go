package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var at = time.Unix(1_700_000_000, 0).UTC()

// sample returns a release whose binaries are a few bytes, with its archives.
func sample(t *testing.T) *release {
	t.Helper()
	r := &release{source: source{"0123", at}, version: "1.2.3", dist: t.TempDir(), common: []file{{"LICENSE", 0o644, []byte("licence")}, {"man/tflarena.1", 0o644, []byte("page")}}}
	for _, p := range platforms {
		if err := os.MkdirAll(filepath.Dir(r.binary(p)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(r.binary(p), []byte("binary of "+p.String()), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.archives(); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestSameBytes: two runs in different folders write the same files.
func TestSameBytes(t *testing.T) {
	var sums []string
	for range 2 {
		r := sample(t)
		for _, step := range []func() error{r.image, r.manifests, r.checksums} {
			if err := step(); err != nil {
				t.Fatal(err)
			}
		}
		sums = append(sums, string(read(t, filepath.Join(r.dist, "SHA256SUMS"))))
	}
	if sums[0] != sums[1] || strings.Count(sums[0], "\n") != len(platforms)+3 {
		t.Errorf("%s\n%s", sums[0], sums[1])
	}
}

// TestArchives: archives have the files, modes and times that they are made of.
func TestArchives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var files []file
		for _, name := range rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z]{1,8}(/[a-z]{1,8}){0,2}`), 0, 5, rapid.ID).Draw(t, "names") {
			files = append(files, file{name, rapid.SampledFrom([]os.FileMode{0o644, 0o755}).Draw(t, "mode"), []byte(rapid.String().Draw(t, "data"))})
		}
		packed, err := packTarGz(files, at)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := unzipped(packed)
		if err != nil {
			t.Fatal(err)
		}
		again, err := packZip(files, at)
		if err != nil {
			t.Fatal(err)
		}
		for _, got := range [][]file{tarFiles(t, plain), zipFiles(t, again)} {
			if diff := cmp.Diff(files, got, cmp.AllowUnexported(file{})); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}

// A fataler is a test, or a draw of one.
type fataler interface {
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

func tarFiles(t fataler, data []byte) (files []file) {
	r := tar.NewReader(bytes.NewReader(data))
	for {
		h, err := r.Next()
		if err == io.EOF {
			return files
		}
		if err != nil || !h.ModTime.Equal(at) || h.Uid != 0 || h.Gid != 0 {
			t.Fatalf("%+v, %v", h, err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file{h.Name, h.FileInfo().Mode(), content})
	}
}

func zipFiles(t fataler, data []byte) (files []file) {
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.File {
		in, err := f.Open()
		if err != nil || !f.Modified.Equal(at) {
			t.Fatalf("%+v, %v", f, err)
		}
		content, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file{f.Name, f.Mode(), content})
	}
	return files
}

// TestImage follows the image from its index to the binaries, as a runtime of containers does.
func TestImage(t *testing.T) {
	r := sample(t)
	if err := r.image(); err != nil {
		t.Fatal(err)
	}
	blobs := map[string][]byte{}
	for _, f := range tarFiles(t, read(t, filepath.Join(r.dist, "tflarena-1.2.3-oci.tar"))) {
		blobs[f.name] = f.data
	}
	type index struct{ Manifests []descriptor }
	type manifest struct {
		Config descriptor
		Layers []descriptor
	}
	type config struct {
		Architecture, OS string
		Config           struct{ Entrypoint []string }
		RootFS           struct {
			IDs []string `json:"diff_ids"`
		}
	}
	top := parsed[index](t, blobs["index.json"])
	list := parsed[index](t, blob(t, blobs, top.Manifests[0]))
	if len(top.Manifests) != 1 || len(list.Manifests) != 2 || parsed[map[string]string](t, blobs["oci-layout"])["imageLayoutVersion"] != "1.0.0" {
		t.Fatalf("%+v %+v", top, list)
	}
	for _, d := range list.Manifests {
		m := parsed[manifest](t, blob(t, blobs, d))
		c := parsed[config](t, blob(t, blobs, m.Config))
		layer, err := unzipped(blob(t, blobs, m.Layers[0]))
		if err != nil {
			t.Fatal(err)
		}
		p := platform{system: c.OS, processor: c.Architecture}
		files := tarFiles(t, layer)
		if c.RootFS.IDs[0] != "sha256:"+hex.EncodeToString(digest(layer)) || len(m.Layers) != 1 || d.Platform["architecture"] != p.processor {
			t.Errorf("%+v %+v", d, c)
		}
		if "/"+files[0].name != c.Config.Entrypoint[0] || string(files[0].data) != "binary of "+p.String() || files[0].mode != 0o755 {
			t.Errorf("%+v: %+v", p, files[0])
		}
	}
}

func parsed[T any](t *testing.T, data []byte) (v T) {
	t.Helper()
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%q: %v", data, err)
	}
	return v
}

// blob returns what a descriptor points to, after comparing digest and size.
func blob(t *testing.T, blobs map[string][]byte, d descriptor) []byte {
	t.Helper()
	data, ok := blobs["blobs/sha256/"+strings.TrimPrefix(d.Digest, "sha256:")]
	if !ok || len(data) != d.Size || "sha256:"+hex.EncodeToString(digest(data)) != d.Digest {
		t.Fatalf("%+v: %d bytes", d, len(data))
	}
	return data
}

// TestManifests: each address of a manifest is an archive of the release, with its checksum.
func TestManifests(t *testing.T) {
	r := sample(t)
	if err := r.manifests(); err != nil {
		t.Fatal(err)
	}
	formula, scoop := string(read(t, filepath.Join(r.dist, "tflarena.rb"))), string(read(t, filepath.Join(r.dist, "tflarena.json")))
	parsed[map[string]any](t, []byte(scoop))
	named := map[string]bool{}
	for text, pattern := range map[string]string{formula: `url "(.*)/(.*)"\s+sha256 "(.*)"`, scoop: `"url": "(.*)/(.*)",\s+"hash": "(.*)"`} {
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
			if m[1] != "https://"+module+"/releases/download/v1.2.3" || hex.EncodeToString(digest(read(t, filepath.Join(r.dist, m[2])))) != m[3] {
				t.Errorf("%q", m)
			}
			named[m[2]] = true
		}
	}
	for _, p := range platforms {
		if !named[r.archive(p)] {
			t.Errorf("no manifest names %s", r.archive(p))
		}
	}
}

// TestEmptyFolder: only a folder of an earlier release is emptied.
func TestEmptyFolder(t *testing.T) {
	dist := filepath.Join(t.TempDir(), "dist")
	for range 2 {
		if err := emptyFolder(dist); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dist, "old"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := emptyFolder(dist); err != nil {
		t.Fatal(err)
	}
	foreign := t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, "thesis.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := emptyFolder(foreign); err == nil || !strings.Contains(err.Error(), "-o") {
		t.Error(err)
	}
	read(t, filepath.Join(foreign, "thesis.txt"))
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
