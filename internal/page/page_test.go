package page

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

// element finds the document in a page.
var element = regexp.MustCompile(`(?s)<script type="application/json" id="data">(.*?)</script>`)

// Names in any script, and names that try to end their element or comment, are the same in the page,
// and leave the page unchanged.
func TestNames(t *testing.T) {
	plain, err := HTML("plain", []byte(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"</script><script>alert(1)</script>", "<!-- <script>", "]]>", "{{program}}", "{{data}}", "\u2028\u2029", "名前/тензор/ชื่อ/اسم", "😀\x00\x7f", `"'&\`, "$1 $&",
	} {
		document, err := json.MarshalIndent(map[string]string{"name": name}, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		page, err := HTML(name, document)
		if err != nil {
			t.Fatal(err)
		}
		found := element.FindSubmatch(page)
		if found == nil {
			t.Fatalf("%q: no document", name)
		}
		if strings.ContainsAny(string(found[1]), "<>") {
			t.Errorf("%q: the document has %s", name, found[1])
		}
		var got map[string]string
		if err := json.Unmarshal(found[1], &got); err != nil || got["name"] != name {
			t.Errorf("%q: %v, %q", name, err, got)
		}
		for _, tag := range []string{"<script", "</script", "<!--", "<title"} {
			if n, want := strings.Count(string(page), tag), strings.Count(string(plain), tag); n != want {
				t.Errorf("%q: %d times %s, not %d", name, n, tag, want)
			}
		}
	}
}

// The page holds nothing that a browser would have to fetch, and its policy forbids it to.
func TestSelfContained(t *testing.T) {
	page, err := HTML("page", []byte(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	text := string(page)
	if !strings.Contains(text, `content="default-src 'none'; script-src 'sha256-`) {
		t.Error("no policy")
	}
	for _, fetched := range []string{" src=", " href=", "@import", "url(http", "fetch(", "XMLHttpRequest", "import("} {
		if strings.Contains(strings.Replace(text, Licences(), "", 1), fetched) {
			t.Errorf("the page has %q", fetched)
		}
	}
	const most = 300 << 10
	if len(page) > most {
		t.Errorf("the page without data has %d bytes, more than %d", len(page), most)
	}
}

func TestNoDocument(t *testing.T) {
	if _, err := HTML("page", []byte(`{"name": `)); err == nil {
		t.Error("half a document made a page")
	}
}
