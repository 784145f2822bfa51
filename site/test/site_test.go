package test

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// TestSite: each page of the documentation site, whose folder TFLARENA_SITE names, loads without complaints and
// from its own host alone, and fits a phone; the search finds, and the application opens a sample.
func TestSite(t *testing.T) {
	dir := os.Getenv("TFLARENA_SITE")
	if dir == "" {
		t.Skip("left out: TFLARENA_SITE names no site; .ci/site builds one")
	}
	server := httptest.NewServer(http.StripPrefix("/tflarena/", http.FileServer(http.Dir(dir)))) // the path of site_url
	t.Cleanup(server.Close)
	site := server.URL + "/tflarena/"
	b := newTab(t, 5*time.Minute)
	b.quiet(site, "data:")

	pages := 0
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".html") {
			return err
		}
		pages++
		b.size(400, 900)
		b.run(chromedp.Navigate(site + path))
		if wide := b.eval("document.documentElement.scrollWidth"); wide != "400" {
			t.Errorf("%s is %s pixels wide in a window of 400", path, wide)
		}
		return nil
	})
	if err != nil || pages < 50 {
		t.Fatalf("%d pages: %v", pages, err)
	}

	b.size(1300, 900)
	b.run(chromedp.Navigate(site+"index.html"), chromedp.SendKeys("[data-md-component=search-query]", "arena", chromedp.ByQuery))
	b.wait("document.querySelectorAll('.md-search-result__item').length > 5")
	b.shot("site-search")

	b.visit(site + "site/docs/app/index.html")
	if said := b.choose(filepath.Join(dir, "site", "docs", "samples", "blazeface-int8.tflite")); said != "blazeface-int8.tflite is planned." {
		t.Error(said)
	}
	b.wait("document.querySelectorAll('#main svg, #main canvas').length > 0")
	b.shot("site-application")
}
