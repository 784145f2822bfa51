package test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	ours "github.com/tflarena/tflarena/internal/page"
)

// terms checks that every dotted word has an explanation, and that all explanations of a model are also listed.
func (b *tab) terms() {
	b.Helper()
	b.wait("document.querySelectorAll('.term').length > 0")
	if without := b.eval(`[...document.querySelectorAll('body *')].filter((e) => getComputedStyle(e).textDecorationLine === 'underline' && getComputedStyle(e).textDecorationStyle === 'dotted' && !e.title).map((e) => e.outerHTML).join()`); without != "" {
		b.Errorf("these have no explanation: %s", without)
	}
	if unlisted := b.eval(`[...document.querySelectorAll(document.getElementById('terms') ? '.term' : 'nothing')].filter((e) => ![...document.querySelectorAll('#terms dd')].some((d) => d.textContent === e.title)).map((e) => e.textContent).join()`); unlisted != "" {
		b.Errorf("these are not listed: %s", unlisted)
	}
}

// TestTerms: the words of the page are explained, whatever is picked.
func TestTerms(t *testing.T) {
	for _, view := range []string{"", "#t=0%3A3", "#p=4"} {
		b := open(t, blazeface(t), view)
		b.terms()
		b.wait("document.getElementById('intro').textContent.includes('From left to right') && document.getElementById('intro').textContent.includes('From bottom to top')")
	}
}

// playing checks that the scrubber, the words beside it, the map's mark in the address and the details are about the same
// operator.
func (b *tab) playing(position int) {
	b.Helper()
	b.wait(fmt.Sprintf(`location.hash.includes('p=%[1]d') && document.getElementById('scrubber').value === '%[1]d'
		&& document.querySelector('#details dd').textContent.split(',')[0] === '%[1]d'
		&& document.getElementById('now').textContent.startsWith('%[1]d ' + document.querySelector('#details h2').textContent.split(' ').slice(1).join(' ') + ':')`, position))
	b.wait(fmt.Sprintf("document.querySelector('#operators tr.picked th').textContent === '%d'", position))
}

// TestPlayback goes through a run by the scrubber, the keys and the button.
func TestPlayback(t *testing.T) {
	b := open(t, blazeface(t), "")
	last := int(b.number("document.getElementById('scrubber').max"))
	for _, position := range []int{1, 7, last} {
		b.set("scrubber", strconv.Itoa(position), "input")
		b.playing(position)
	}
	b.run(chromedp.Focus(".map", chromedp.ByQuery), chromedp.KeyEvent(","))
	b.playing(last - 1)
	b.run(chromedp.KeyEvent("."))
	b.playing(last)
	b.run(chromedp.KeyEvent(".")) // there is no more
	b.playing(last)

	// At the end, the button begins again. No operator is left out, and it stops at the end.
	b.run(chromedp.Evaluate(`window.seen = []; new MutationObserver(() => window.seen.push(Number(document.getElementById('scrubber').value))).observe(document.getElementById('now'), { childList: true }); 0`, nil))
	seen := func(first, number int) {
		t.Helper()
		if b.eval(fmt.Sprintf("((all) => all.size >= %d && [...all].every((p, i) => p === %d + i))(new Set(window.seen))", number, first)) != "true" {
			t.Errorf("from %d on, it went through %s", first, b.eval("window.seen"))
		}
		b.run(chromedp.Evaluate("window.seen = []", nil))
	}
	b.run(chromedp.KeyEvent(" "))
	b.wait("Number(document.getElementById('scrubber').value) > 2 && document.getElementById('scrubber').value !== document.getElementById('scrubber').max")
	b.run(chromedp.Click("#play", chromedp.ByQuery))
	b.wait("document.getElementById('play').textContent.includes('Play')")
	b.playing(int(b.number("document.getElementById('scrubber').value")))
	seen(0, 3)
	b.set("scrubber", strconv.Itoa(last-4), "input")
	b.run(chromedp.Click("#play", chromedp.ByQuery))
	b.wait("document.getElementById('scrubber').value === document.getElementById('scrubber').max && document.getElementById('play').textContent.includes('Play')")
	b.playing(last)
	seen(last-4, 5)
	b.axe()

	// Whoever wants no motion goes on by hand.
	b = open(t, blazeface(t), "#p=3")
	b.run(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}))
	for i := range 3 {
		b.run(chromedp.Click("#play", chromedp.ByQuery))
		b.playing(4 + i)
	}
}

// lines returns the heights of the lines of a drawing's first map, by their classes.
func lines(t *testing.T, drawing string) map[string]float64 {
	t.Helper()
	list := map[string]float64{}
	for _, m := range regexp.MustCompile(`<path class="(\w+)" d="M\d+ ([0-9.]+)H`).FindAllStringSubmatch(drawing, -1) {
		if _, ok := list[m[1]]; ok {
			continue
		}
		var err error
		if list[m[1]], err = strconv.ParseFloat(m[2], 64); err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// edited is the page of a model with a document that was changed.
func edited(t *testing.T, name string, change func(model map[string]any)) string {
	t.Helper()
	from := filepath.Join(made, name+".json")
	command(filepath.Join(made, "tflarena"), "report", "builtin:blazeface-int8", "-q", "-o", from)
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	var document map[string]any
	if err := json.Unmarshal(data, &document); err != nil {
		t.Fatal(err)
	}
	change(document["models"].([]any)[0].(map[string]any))
	if data, err = json.Marshal(document); err != nil {
		t.Fatal(err)
	}
	if data, err = ours.HTML(name, data); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(made, name+".html")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestDrawing: a saved drawing has a legend and names on its lines. They lie at their bytes: the head, the lower bound
// below it if one is known, and the required arena, below which the tail ends.
func TestDrawing(t *testing.T) {
	for _, known := range []bool{true, false} {
		var head, bound, required, tail float64
		path := edited(t, fmt.Sprint("drawing-", known), func(model map[string]any) {
			for _, p := range model["plans"].([]any) {
				plan := p.(map[string]any)
				if !known {
					plan["lower_bound_bytes"], plan["proven_optimal"] = 0.0, false
				}
				if plan["name"] == "file" {
					head, bound = plan["head_bytes"].(float64), plan["lower_bound_bytes"].(float64)
					required, tail = plan["required_bytes"].(float64), plan["tail_bytes"].(float64)
				}
			}
		})
		b := open(t, path, "#a=file&b=")
		drawing := string(b.download("#get-svg", "svg"))
		at := lines(t, drawing)
		each := (at["peak"] - at["text"]) / (required - head) // pixels of a byte
		if _, has := at["bound"]; has != known {
			t.Errorf("a line of the lower bound: %v, known: %v", has, known)
		}
		if known && math.Abs(at["bound"]-at["peak"]-(head-bound)*each) > 0.1 {
			t.Errorf("the lines lie at %v", at)
		}
		m := regexp.MustCompile(`y="([0-9.]+)" width="[0-9.]+" height="([0-9.]+)" fill="[^"]*"><title>tail`).FindStringSubmatch(drawing)
		if m == nil {
			t.Fatal("there is no tail")
		}
		top, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		high, err := strconv.ParseFloat(m[2], 64)
		if err != nil || math.Abs(top-at["text"]) > 0.1 || math.Abs(high-tail*each) > 0.1 {
			t.Errorf("the tail begins at %g and is %g high: %v", top, high, at)
		}
		if n, want := strings.Count(drawing, `class="swatch"`), int(b.number("document.querySelectorAll('.legend li').length")); n != want || n < 4 {
			t.Errorf("%d colours of %d have a legend", n, want)
		}
		for words, want := range map[string]bool{"required arena ": true, "head ": true, "tail": true, "lower bound ": known} {
			if strings.Contains(drawing, ">"+words) != want {
				t.Errorf("the drawing says %q: %v", words, !want)
			}
		}
	}
}

// TestTip: the card beside the pointer is gone when keys or the search are used, and is there again when it moves.
func TestTip(t *testing.T) {
	b := open(t, blazeface(t), "")
	const shown, hidden = "!document.querySelector('.tip').hidden", "[...document.querySelectorAll('.tip')].every((e) => e.hidden)"
	x, y := b.mapAt(0.01, 0.2)
	point := func() {
		t.Helper()
		b.run(chromedp.MouseEvent(input.MouseMoved, x+1, y), chromedp.MouseEvent(input.MouseMoved, x, y))
		b.wait(shown)
	}
	point()
	b.run(chromedp.Focus("#search", chromedp.ByQuery), chromedp.KeyEvent("a"))
	b.wait(hidden)
	point()
	b.set("search", "stride", "input") // pasted
	b.wait(hidden)
	point()
	b.run(chromedp.Focus(".map", chromedp.ByQuery), chromedp.KeyEvent(kb.ArrowRight))
	b.wait(hidden)
	x, y = b.mapAt(0.5, 0.9) // the tail is explained as well
	point()
	b.wait("document.querySelector('.tip').textContent.startsWith('tail ')")
}

// TestLongNames: long names are cut in tables, and their tooltips have all of them.
func TestLongNames(t *testing.T) {
	name := "model/" + strings.Repeat("very_long_block/", 20) + "Conv2D"
	b := open(t, edited(t, "long", func(model map[string]any) {
		for _, g := range model["graphs"].([]any) {
			g.(map[string]any)["tensors"].([]any)[0].(map[string]any)["name"] = name
		}
	}), "")
	b.wait("document.querySelector('#tensors tbody td').textContent.length < 50 && document.querySelector('#tensors tbody td').textContent.endsWith('Conv2D')")
	b.wait("document.querySelector('#tensors tbody td span').title === " + strconv.Quote(name))
	b.size(400, 800)
	b.wait("document.documentElement.scrollWidth <= window.innerWidth")
}
