package models

import (
	"fmt"

	"github.com/tflarena/tflarena/schema"
)

var (
	fsrcnn = superResolution("fsrcnn", "FSRCNN", fsrcnnSize{features: 56, shrunk: 12, depth: 4}, "FSRCNN(56,12,4)")
	// The PReLUs of the smaller network, expanded into separate operators, produce the three 8
	// MiB tensors (at int8) that add up to the tile-aware paper's 24 MiB.
	fsrcnnSmall = superResolution("fsrcnn-s", "FSRCNN-s", fsrcnnSize{features: 32, shrunk: 5, depth: 1, resolved: true},
		"FSRCNN-s, which is FSRCNN(32,5,1); each PReLU in operators that are older, max(x, 0) + slope*min(x, 0), which "+
			"gives the 25,165,824 bytes that Kvochko and others (2024) print for eight bits")
)

// A fsrcnnSize holds the paper's d, s and m. If resolved is set, each PReLU is expanded into
// operators older than PRELU.
type fsrcnnSize struct {
	features, shrunk int32
	depth            int
	resolved         bool
}

// superResolution describes a network that enlarges a greyscale image three times.
func superResolution(name, title string, size fsrcnnSize, variant string) description {
	return description{
		Network: Network{
			Name:  name,
			Title: title,
			Group: Papers,
			Source: "Dong and others, Accelerating the Super-Resolution Convolutional Neural Network, 2016; 512x512, three times " +
				"enlarged; " + variant,
			Input: []int32{1, 512, 512, 1},
		},
		layers: func(g *graph, x value) []value {
			layer := func(name string, channels int32, kernel int32) {
				x = g.conv(name, x, channels, same(kernel, kernel))
				if size.resolved {
					x = g.preluResolved(name+"/prelu", x)
				} else {
					x = g.prelu(name+"/prelu", x)
				}
			}
			layer("feature", size.features, 5)
			layer("shrink", size.shrunk, 1)
			for i := range size.depth {
				layer(fmt.Sprintf("map%d", i+1), size.shrunk, 3)
			}
			layer("expand", size.features, 1)
			return []value{g.transposeConv("deconv", x, 1, same(9, 9).by(3))}
		},
	}
}

// preluResolved adds max(x, 0) + slope*min(x, 0), with a learned slope per channel.
func (g *graph) preluResolved(name string, x value) value {
	_, _, _, channels := g.image(name, x)
	slopes := g.weight(name+"/alpha", channels, channels)
	positive := g.relu(name+"/relu", x)
	negative := g.minimum(name+"/minimum", x, g.floats(name+"/zero", []int32{}, 0))
	return g.add(name, positive, g.mul(name+"/mul", negative, slopes), schema.ActivationFunctionTypeNONE)
}
