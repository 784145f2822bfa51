package test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
)

// download clicks a button and returns the file that comes of it.
func (b *tab) download(button, extension string) []byte {
	b.Helper()
	dir := b.TempDir()
	b.run(browser.SetDownloadBehavior(browser.SetDownloadBehaviorBehaviorAllow).WithDownloadPath(dir), chromedp.Click(button, chromedp.ByQuery))
	for range patience {
		found, err := filepath.Glob(filepath.Join(dir, "*."+extension))
		if err != nil {
			b.Fatal(err)
		}
		if len(found) == 1 {
			if data, err := os.ReadFile(found[0]); err == nil && len(data) > 0 {
				return data
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	b.Fatalf("%s saved nothing", button)
	return nil
}

// TestDownloads: what is saved can be read by others, and holds what it is to hold.
func TestDownloads(t *testing.T) {
	b := open(t, blazeface(t), "#a=file&b=rewritten")
	if picture, err := png.Decode(bytes.NewReader(b.download("#get-png", "png"))); err != nil || picture.Bounds().Dx() < 500 {
		t.Error("no PNG:", err)
	}
	drawing := b.download("#get-svg", "svg")
	for decoder := xml.NewDecoder(bytes.NewReader(drawing)); ; {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal("no SVG:", err)
		}
	}
	if !bytes.Contains(drawing, []byte("0:157 box_encodings")) || !bytes.Contains(drawing, []byte("url(#shared)")) {
		t.Error("the SVG lacks a tensor or what is shared")
	}
	rows, err := csv.NewReader(bytes.NewReader(b.download("#get-csv", "csv"))).ReadAll()
	if err != nil || len(rows) != 80 || strings.Join(rows[0], ",") != "id,name,role,dtype,shape,size_bytes,first_op,last_op,offset_bytes_file,offset_bytes_rewritten" {
		t.Errorf("CSV: %v, %d rows, %v", err, len(rows), rows[0])
	}
	var document struct {
		Version int `json:"schema_version"`
		Models  []struct {
			Input string                         `json:"input"`
			Plans []struct{ Name, Graph string } `json:"plans"`
		} `json:"models"`
	}
	if err := json.Unmarshal(b.download("#get-json", "json"), &document); err != nil || document.Version != 3 || document.Models[0].Input != "builtin:blazeface" || document.Models[0].Plans[0].Name != "file" {
		t.Errorf("JSON: %v, %+v", err, document)
	}
}
