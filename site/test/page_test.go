package test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// blazeface is a page of one model, in which outputs lie over inputs.
func blazeface(t *testing.T) string { return report(t, "builtin:blazeface", "--alias", "diagonal") }

// place returns the middle of an element on the screen, which it is scrolled to.
func (b *tab) place(selector string) (x, y float64) {
	b.Helper()
	b.run(chromedp.ScrollIntoView(selector, chromedp.ByQuery))
	box := func(field string) float64 {
		return b.number("document.querySelector(" + strconv.Quote(selector) + ").getBoundingClientRect()." + field)
	}
	return box("left") + box("width")/2, box("top") + box("height")/2
}

// mapAt returns a place on the first map, by the parts of its width and its height.
func (b *tab) mapAt(across, up float64) (x, y float64) {
	b.Helper()
	b.run(chromedp.ScrollIntoView(".map", chromedp.ByQuery))
	box := func(field string) float64 {
		return b.number("document.querySelector('.map canvas').getBoundingClientRect()." + field)
	}
	return box("left") + 84 + across*(box("width")-98), box("bottom") - 4 - up*(box("height")-18)
}

// TestMouse does all that a mouse can.
func TestMouse(t *testing.T) {
	b := open(t, blazeface(t), "")
	x, y := b.mapAt(0.01, 0.2)
	b.run(chromedp.MouseEvent(input.MouseMoved, x, y))
	b.wait("!document.querySelector('.tip').hidden && document.querySelector('.tip').textContent.includes('An input of the model')")
	b.run(chromedp.MouseClickXY(x, y))
	b.wait("document.getElementById('details').textContent.includes('0:0 input') && location.hash.includes('t=0%3A0')")
	b.wait("document.querySelector('#tensors tr.picked th').textContent === '0:0'")

	// The wheel zooms, and dragging moves; the view goes into the address.
	b.run(input.DispatchMouseEvent(input.MouseWheel, x, y).WithDeltaX(0).WithDeltaY(-400))
	b.wait("/[#&]z=/.test(location.hash)")
	before := b.eval("location.hash")
	b.run(chromedp.MouseEvent(input.MousePressed, x+200, y, chromedp.ButtonLeft), chromedp.MouseEvent(input.MouseMoved, x+120, y, chromedp.ButtonLeft),
		chromedp.MouseEvent(input.MouseReleased, x+120, y, chromedp.ButtonLeft))
	b.wait("location.hash !== " + strconv.Quote(before))
	b.run(chromedp.Click("#whole", chromedp.ByQuery))
	b.wait("!/[#&]z=/.test(location.hash)")
	b.run(chromedp.Click("#zoom-in", chromedp.ByQuery))
	b.wait("/[#&]z=1.5/.test(location.hash)")
	b.run(chromedp.Click("#zoom-out", chromedp.ByQuery))
	b.wait("!/[#&]z=/.test(location.hash)")

	// A click on the curve picks an operator, one on a link a tensor, and one on a row of a table too.
	cx, cy := b.place(".map canvas:nth-of-type(2)")
	b.run(chromedp.MouseClickXY(cx, cy))
	b.wait("document.getElementById('details').textContent.includes('MACs') && /[#&]p=/.test(location.hash)")
	b.run(chromedp.Click("#details ul button", chromedp.ByQuery))
	b.wait("document.getElementById('details').textContent.includes('made by')")
	b.run(chromedp.Click("#operators tbody tr:nth-child(3) td button", chromedp.ByQuery))
	b.run(chromedp.Click("#operators tbody tr:nth-child(3) th button", chromedp.ByQuery))
	b.wait("document.getElementById('details').textContent.includes('position2')")
	b.run(chromedp.Click("#details .buttons button:last-child", chromedp.ByQuery))
	b.wait("!/[#&][tp]=/.test(location.hash)")

	// Columns sort, the search filters.
	b.run(chromedp.Click("#tensors thead th:nth-child(6) button", chromedp.ByQuery))
	b.wait("document.querySelector('#tensors thead th:nth-child(6)').getAttribute('aria-sort') === 'descending' && document.querySelector('#tensors tbody th').textContent === '0:0'")
	b.run(chromedp.SendKeys("#search", "box_enc.*", chromedp.ByQuery))
	b.wait("document.querySelector('#found').textContent === '1 tensor' && document.querySelectorAll('#tensors tbody tr').length === 1")
}

// TestOverlaps: bytes that two tensors share are said to be shared, and why that is right.
func TestOverlaps(t *testing.T) {
	b := open(t, blazeface(t), "#a=rewritten&t=0:3")
	b.wait("document.getElementById('details').textContent.includes('shares')")
	b.wait("/DEPTHWISE_CONV_2D/.test(document.getElementById('details').textContent)")
	b.wait("document.querySelectorAll('.map').length === 1")
}

// TestPlans: any two plans stand side by side, and the back button leads back.
func TestPlans(t *testing.T) {
	b := open(t, report(t, "builtin:randwire"), "")
	b.wait("document.querySelectorAll('.map').length === 2 && document.getElementById('plan-b').value === 'reordered'")
	b.set("plan-b", "naive", "change")
	b.wait("document.querySelectorAll('figcaption')[1].textContent.includes('naive') && location.hash.includes('b=naive')")
	b.run(chromedp.NavigateBack())
	b.wait("document.getElementById('plan-b').value === 'reordered'")

	// A click on a bar of B picks the same operator in A, which is at another position.
	const orders = "JSON.parse(document.getElementById('data').textContent).models[0].graphs"
	last := b.number(orders + "[1].operators.length")
	for _, position := range []float64{20, 30, 40} {
		b.run(chromedp.ScrollIntoView("figure:nth-of-type(2) canvas:nth-of-type(2)", chromedp.ByQuery))
		box := func(field string) float64 {
			return b.number("document.querySelector('figure:nth-of-type(2) canvas:nth-of-type(2)').getBoundingClientRect()." + field)
		}
		b.run(chromedp.MouseClickXY(box("left")+84+(position+0.5)/last*(box("width")-98), box("top")+50))
		b.wait(fmt.Sprintf("%[1]s[0].operators[/p=(\\d+)/.exec(location.hash)?.[1]]?.outputs[0] === %[1]s[1].operators[%[2]g].outputs[0]", orders, position))
	}
	b.wait("document.getElementById('summary').textContent.includes('tflarena rewrite builtin:randwire --reorder')")
	b.wait("document.getElementById('arena').textContent.includes('required')")
}

// TestKeyboard does with keys alone what the mouse does.
func TestKeyboard(t *testing.T) {
	b := open(t, blazeface(t), "")
	b.run(chromedp.Focus(".map", chromedp.ByQuery))
	press := func(keys, then string) {
		t.Helper()
		b.run(chromedp.KeyEvent(keys))
		b.wait(then)
	}
	press(kb.ArrowRight, "location.hash.includes('t=0%3A0')")
	press(kb.ArrowRight, "location.hash.includes('t=0%3A3')")
	press(kb.ArrowDown, "location.hash.includes('t=') && !location.hash.includes('t=0%3A3')")
	press(kb.ArrowUp, "location.hash.includes('t=')")
	press(kb.ArrowLeft, "document.getElementById('live').textContent.includes('positions')")
	press("f", "/[#&]z=/.test(location.hash)")
	before := b.eval("location.hash")
	b.run(chromedp.KeyEvent(kb.ArrowRight, chromedp.KeyModifiers(input.ModifierShift)))
	b.wait("location.hash !== " + strconv.Quote(before))
	press("0", "!/[#&]z=/.test(location.hash)")
	press("+", "/[#&]z=1.5/.test(location.hash)")
	press("-", "!/[#&]z=/.test(location.hash)")
	press("p", "document.getElementById('details').textContent.includes('the peak')")
	press(kb.Escape, "!/[#&][tp]=/.test(location.hash)")
	b.run(input.DispatchKeyEvent(input.KeyDown).WithKey("/").WithText("/"), input.DispatchKeyEvent(input.KeyUp).WithKey("/"))
	b.wait("document.activeElement.id === 'search' && document.activeElement.value === ''")
	b.run(chromedp.KeyEvent("stride8"))
	b.wait("location.hash.includes('q=stride8')")
	b.run(chromedp.Focus(".map", chromedp.ByQuery))
	press("n", "document.querySelector('#details h2').textContent.includes('stride8')")
	const heading = "document.querySelector('#details h2').textContent"
	first := strconv.Quote(b.eval(heading))
	press("n", heading+" !== "+first)
	press("N", heading+" === "+first)
	press(kb.Enter, "document.activeElement.closest('tr')?.className === 'picked'")
	press(kb.Enter, "document.activeElement.closest('tr')?.className === 'picked'") // on a row, it keeps the focus

	// Every control is reached with the tab key, and shows that it is.
	b.run(chromedp.Focus("#theme", chromedp.ByQuery), chromedp.Evaluate("window.seen = new Set(['theme'])", nil))
	for range 16 {
		b.run(chromedp.KeyEvent(kb.Tab), chromedp.Evaluate("window.seen.add(document.activeElement.id || document.activeElement.className)", nil))
	}
	for _, id := range []string{"theme", "plan-a", "plan-b", "search", "zoom-in", "zoom-out", "whole", "get-svg", "get-png", "get-csv", "get-json", "map"} {
		if b.eval(fmt.Sprintf("window.seen.has(%q)", id)) != "true" {
			t.Errorf("the tab key does not lead to %s: %s", id, b.eval("[...window.seen].join(' ')"))
		}
	}
}

// TestAddress: an address leads to the view that it was taken from.
func TestAddress(t *testing.T) {
	b := open(t, blazeface(t), "#a=naive&b=exact&t=0%3A17&q=stride&z=4.00000,10.000,100000&theme=dark")
	b.wait("document.getElementById('plan-a').value === 'naive' && document.getElementById('plan-b').value === 'exact'")
	b.wait("document.getElementById('details').textContent.includes('0:17') && document.getElementById('search').value === 'stride'")
	b.wait("getComputedStyle(document.body).backgroundColor === 'rgb(20, 24, 29)'")
	b.run(chromedp.Focus(".map", chromedp.ByQuery), chromedp.KeyEvent("+"))
	b.wait("/z=6(.00000)?%2C/.test(location.hash)")
	nonsense := open(t, blazeface(t), "#a=nothing&b=%3Cb%3E&t=9%3A9&p=x&q=(&z=a,b,c&m=7")
	nonsense.wait("document.querySelectorAll('.map').length > 0")
}

// TestLiteRT: what there is as it is, is what LiteRT's own planner takes.
func TestLiteRT(t *testing.T) {
	b := open(t, report(t, "builtin:squeezenet-1.1-int8", "builtin:blazeface", "--runtime", "litert"), "")
	b.wait("document.querySelector('tbody tr .number').textContent === '1,172,544'")
}
