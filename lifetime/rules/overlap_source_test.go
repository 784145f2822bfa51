package rules_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/lifetime/rules"
)

// A geometry is an 8-bit convolution or pool over one image.
type geometry struct {
	kernel                           string
	height, width, channels, made    int
	filterHeight, filterWidth, pad   int
	stride, outHeight, outWidth, top int
	left                             int
}

// drawGeometry draws one with a square filter of at most 3 elements per side.
func drawGeometry(t *rapid.T, kernel string) geometry {
	filter := rapid.SampledFrom([]int{1, 2, 3}).Draw(t, "filter")
	g := geometry{
		kernel: kernel, filterHeight: filter, filterWidth: filter,
		height: rapid.IntRange(filter, 7).Draw(t, "height"), width: rapid.IntRange(filter, 7).Draw(t, "width"),
		channels: rapid.SampledFrom([]int{1, 3, 4, 8, 16, 20}).Draw(t, "channels"),
		stride:   rapid.IntRange(1, 2).Draw(t, "stride"),
	}
	g.made = g.channels
	switch kernel {
	case "conv":
		g.made = rapid.IntRange(1, 20).Draw(t, "made")
	case "depthwise":
		g.made *= rapid.SampledFrom([]int{1, 1, 2}).Draw(t, "multiplier")
	}
	if filter == 3 && rapid.Bool().Draw(t, "padded") {
		g.pad = 1
	}
	along := func(in int) (out, before int) {
		out = (in+2*g.pad-filter)/g.stride + 1
		return out, g.pad * max((out-1)*g.stride+filter-in, 0) / 2
	}
	g.outHeight, g.top = along(g.height)
	g.outWidth, g.left = along(g.width)
	return g
}

// row is the geometry as a row of the table of measured distances.
func (g *geometry) row() map[string]string {
	row := map[string]string{"kernel": g.kernel}
	for column, n := range map[string]int{
		"in_h": g.height, "in_w": g.width, "in_c": g.channels, "filter_h": g.filterHeight, "filter_w": g.filterWidth,
		"out_c": g.made, "stride": g.stride, "pad": g.pad,
	} {
		row[column] = strconv.Itoa(n)
	}
	return row
}

// window calls f with the input bytes of some channels that an output pixel depends on.
func (g *geometry) window(pixel, from, to int, f func(at int)) {
	y, x := pixel/g.outWidth*g.stride-g.top, pixel%g.outWidth*g.stride-g.left
	for i := max(y, 0); i < min(y+g.filterHeight, g.height); i++ {
		for j := max(x, 0); j < min(x+g.filterWidth, g.width); j++ {
			for c := from; c < to; c++ {
				f((i*g.width+j)*g.channels + c)
			}
		}
	}
}

// A run is one run of a kernel whose output begins the given bytes before its input.
type run struct {
	*geometry
	distance int
	written  map[int]bool // overwritten bytes of the input
	wrong    bool
}

func (r *run) read(pixel, from, to int) {
	r.window(pixel, from, to, func(at int) { r.wrong = r.wrong || r.written[at] })
}

func (r *run) write(pixel, from, to int) {
	for c := from; c < to; c++ {
		r.written[pixel*r.made+c-r.distance] = true
	}
}

// copiedFirst reads the windows of some pixels, and then writes all their channels.
func copiedFirst(size int) func(r *run) {
	return func(r *run) {
		pixels := r.outHeight * r.outWidth
		for from := 0; from < pixels; from += size {
			for p := from; p < min(from+size, pixels); p++ {
				r.read(p, 0, r.channels)
			}
			for p := from; p < min(from+size, pixels); p++ {
				r.write(p, 0, r.made)
			}
		}
	}
}

// direct computes some pixels at a time, one output channel after another, and reads the
// windows of all these pixels for each.
func direct(size int) func(r *run) {
	return func(r *run) {
		pixels := r.outHeight * r.outWidth
		for from := 0; from < pixels; from += size {
			for c := range r.made {
				for p := from; p < min(from+size, pixels); p++ {
					r.read(p, 0, r.channels)
				}
				for p := from; p < min(from+size, pixels); p++ {
					r.write(p, c, c+1)
				}
			}
		}
	}
}

// byChannels reads and then writes some channels at a time, pixel by pixel.
func byChannels(size int) func(r *run) {
	return func(r *run) {
		each := r.made / r.channels
		for p := range r.outHeight * r.outWidth {
			for c := 0; c < r.channels; c += size {
				end := min(c+size, r.channels)
				for k := range each {
					r.read(p, c, end)
					if size > 1 {
						continue
					}
					r.write(p, c*each+k, c*each+k+1)
				}
				if size > 1 {
					r.write(p, c*each, end*each)
				}
			}
		}
	}
}

// byTap writes all channels of a pixel with the first element of its window, and again with
// each other one.
func byTap(r *run) {
	for p := range r.outHeight * r.outWidth {
		var taps [][]int
		r.window(p, 0, r.channels, func(at int) {
			if at%r.channels == 0 {
				taps = append(taps, nil)
			}
			taps[len(taps)-1] = append(taps[len(taps)-1], at)
		})
		for _, tap := range taps {
			for _, at := range tap {
				r.wrong = r.wrong || r.written[at]
			}
			r.write(p, 0, r.made)
		}
	}
}

// rows writes one output row after another and reads the input until the row is complete.
func rows(r *run) { direct(r.outWidth)(r) }

// paths are, by library and kernel, the orders of the code paths that the kernel may take, from
// the source of the libraries (CMSIS-NN 99f736a, ESP-NN d45b843).
var paths = map[string]func(g *geometry) []func(r *run){
	"cmsis-nn-dsp conv": func(g *geometry) []func(r *run) {
		if g.filterHeight == 1 {
			return []func(r *run){rows}
		}
		return []func(r *run){copiedFirst(2)}
	},
	"cmsis-nn-dsp depthwise": func(g *geometry) []func(r *run) {
		if g.made != g.channels {
			return []func(r *run){byChannels(1)}
		}
		return []func(r *run){copiedFirst(1), byChannels(4), byChannels(1)}
	},
	"cmsis-nn-dsp avg pool": func(*geometry) []func(r *run) { return []func(r *run){copiedFirst(1)} },
	"cmsis-nn-dsp max pool": func(*geometry) []func(r *run) { return []func(r *run){byTap} },
	"cmsis-nn-mve conv": func(g *geometry) []func(r *run) {
		switch {
		case g.filterHeight == 1 && g.stride == 1:
			return []func(r *run){direct(4)}
		case g.filterHeight == 1:
			return []func(r *run){rows}
		}
		return []func(r *run){copiedFirst(4)}
	},
	"cmsis-nn-mve depthwise": func(g *geometry) []func(r *run) { return []func(r *run){copiedFirst(4), byChannels(1)} },
	"cmsis-nn-mve avg pool":  func(*geometry) []func(r *run) { return []func(r *run){byChannels(16)} },
	"cmsis-nn-mve max pool":  func(*geometry) []func(r *run) { return []func(r *run){byTap} },
	"esp-nn-s3@1.2.3 conv": func(g *geometry) []func(r *run) {
		if g.filterHeight == 1 && g.stride == 1 {
			return []func(r *run){copiedFirst(8), direct(8)}
		}
		return []func(r *run){copiedFirst(1), direct(1)}
	},
	"esp-nn-s3@1.2.3 depthwise": func(g *geometry) []func(r *run) {
		return []func(r *run){copiedFirst(g.outWidth), byChannels(16), byChannels(4), byChannels(1)}
	},
	"esp-nn-s3@1.2.3 avg pool": func(*geometry) []func(r *run) { return []func(r *run){direct(1), byChannels(1)} },
	"esp-nn-s3@1.2.3 max pool": func(*geometry) []func(r *run) { return []func(r *run){direct(1), byChannels(1)} },
	"esp-nn-p4@1.2.3 conv": func(g *geometry) []func(r *run) {
		if g.filterHeight == 1 && g.stride == 1 {
			return []func(r *run){copiedFirst(16), copiedFirst(1), direct(1)}
		}
		return []func(r *run){copiedFirst(1), copiedFirst(3 * g.outWidth), direct(1)}
	},
	"esp-nn-p4@1.2.3 depthwise": func(*geometry) []func(r *run) { return []func(r *run){byChannels(1)} },
	"esp-nn-p4@1.2.3 avg pool":  func(*geometry) []func(r *run) { return []func(r *run){direct(1), byChannels(1)} },
	"esp-nn-p4@1.2.3 max pool":  func(*geometry) []func(r *run) { return []func(r *run){direct(1), byChannels(1)} },
}

// TestUnmeasuredOrders runs each path of a kernel with its output as near to its input as
// --alias unmeasured permits: no byte is read after it was overwritten. No other level permits
// an overlap.
func TestUnmeasuredOrders(t *testing.T) {
	for name, of := range paths {
		t.Run(name, func(t *testing.T) {
			library, kernel, _ := strings.Cut(name, " ")
			found := 0
			rapid.Check(t, func(t *rapid.T) {
				g := drawGeometry(t, kernel)
				m := measured(t, g.row())
				if list := overlapsAt(t, m, library, rules.DiagonalAlias); len(list) > 0 {
					t.Fatalf("%+v: %v with --alias diagonal", g, list)
				}
				for _, distance := range overlapsAt(t, m, library, rules.UnmeasuredAlias) {
					found++
					for i, path := range of(&g) {
						r := run{geometry: &g, distance: int(distance), written: map[int]bool{}}
						if path(&r); r.wrong {
							t.Errorf("%+v: path %d at a distance of %d reads what it has written", g, i, distance)
						}
					}
				}
			})
			if found == 0 {
				t.Error("no overlap")
			}
		})
	}
}

// TestOrdersThatForbid has kernels whose source shows that no overlap is possible.
func TestOrdersThatForbid(t *testing.T) {
	for _, c := range []struct {
		library string
		geometry
	}{
		{"cmsis-nn-dsp", geometry{kernel: "conv", height: 9, width: 9, channels: 16, made: 8, filterHeight: 1, filterWidth: 1, stride: 1}},
		{"cmsis-nn-mve", geometry{kernel: "depthwise", height: 9, width: 9, channels: 128, made: 128, filterHeight: 3, filterWidth: 3, stride: 1, pad: 1}},
		{"cmsis-nn-mve", geometry{kernel: "conv", height: 1, width: 64, channels: 16, made: 8, filterHeight: 1, filterWidth: 3, stride: 1}},
		{"cmsis-nn-mve", geometry{kernel: "conv 4 groups", height: 9, width: 9, channels: 16, made: 16, filterHeight: 3, filterWidth: 3, stride: 1, pad: 1}},
		{"nobodys", geometry{kernel: "conv", height: 9, width: 9, channels: 16, made: 8, filterHeight: 3, filterWidth: 3, stride: 1}},
	} {
		if list := overlapsAt(t, measured(t, c.row()), c.library, rules.UnmeasuredAlias); len(list) > 0 {
			t.Errorf("%s %+v: %v", c.library, c.geometry, list)
		}
	}
}

// TestUnmeasuredSays: the justification names the evidence for the order.
func TestUnmeasuredSays(t *testing.T) {
	g := geometry{kernel: "conv", height: 9, width: 9, channels: 16, made: 8, filterHeight: 3, filterWidth: 3, stride: 1}
	for library, want := range map[string]bool{"cmsis-nn-dsp": true, "cmsis-nn-scalar": false} {
		v, err := rules.Micro().OnLibrary(library).View(measured(t, g.row()), -1)
		if err != nil {
			t.Fatal(err)
		}
		list := v.Overlaps(rules.UnmeasuredAlias)
		if len(list) != 1 || strings.Contains(list[0].Why, "as their source says, which no run has confirmed") != want {
			t.Error(library, fmt.Sprint(list))
		}
	}
}
