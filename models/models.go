package models

import (
	"fmt"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// A Group is the purpose for which a network is built in.
type Group string

const (
	// Tables holds the networks of the papers' tables.
	Tables Group = "tables"
	// Irregular holds networks with branches that can run in many orders, so that the order of
	// their operators decides their memory.
	Irregular Group = "irregular"
	// Papers holds networks measured by other papers on memory: Kvochko and others (2024), Li
	// and others (2024) and Sekiyama and others (2018).
	Papers Group = "papers"
)

// Int8 is the suffix of a network's name for its form with 8-bit activations and weights, as
// converters write them in full integer quantisation: "vgg19-int8" is the int8 form of "vgg19".
const Int8 = "-int8"

// A Network is one of the networks that [Build] knows.
type Network struct {
	// Name is the argument of [Build], such as "mobilenet-v1".
	Name string
	// Title is the name in the papers' tables, such as "MobileNet v1".
	Title string
	Group Group
	// Source names the paper that published the network, its variant, and the differences from
	// the published network.
	Source string
	// Input is the shape of the input: batch, height, width, channels; or batch and number of
	// words.
	Input []int32
}

// Options control how a network is written. The zero value writes external weights.
type Options struct {
	// Weights is the kind of weights; empty means [External].
	Weights Weights
	// Seed selects the random weights; the other kinds ignore it.
	Seed uint64
}

// A description is a network with the function that adds its layers.
type description struct {
	Network
	tokens bool // the input is word indexes
	layers func(g *graph, input value) (outputs []value)
}

// descriptions lists the networks of the papers' tables in table order, then the irregular ones
// by year of publication, then the networks from other papers, paper by paper.
var descriptions = []description{
	mobilenetV1, mobilenetV2, deeplabV3, inceptionV3, posenet, blazeface,
	nasnetMobile, darts, dartsCIFAR, randwire, swiftnet,
	inceptionV4, resnetV2101, squeezenet10, squeezenet11, mnasnet13, fsrcnn, fsrcnnSmall,
	vgg16, vgg19, resnet50, resnet152, vitB16, gpt2,
	alexnet, googlenet, inceptionResnetV2, seq2seq,
}

// List returns the networks of the given groups, or all networks if no group is given: first
// the networks of the papers' tables, in table order.
func List(groups ...Group) []Network {
	var list []Network
	for _, d := range descriptions {
		if len(groups) > 0 && !slices.Contains(groups, d.Group) {
			continue
		}
		n := d.Network
		n.Input = slices.Clone(n.Input)
		list = append(list, n)
	}
	return list
}

// Build returns a network's model file: the same bytes for the same name and options, on every
// platform. The suffix [Int8] selects the int8 form. The error for an unknown name lists the
// known names.
func Build(name string, o Options) ([]byte, error) {
	float, quantized := strings.CutSuffix(name, Int8)
	i := slices.IndexFunc(descriptions, func(d description) bool { return d.Name == float })
	if i < 0 {
		return nil, fmt.Errorf("no network is called %q; there are %s, each also with %s behind its name",
			name, strings.Join(names(), ", "), Int8)
	}
	m, err := descriptions[i].model(o, quantized)
	if err != nil {
		return nil, err
	}
	return encode.Encode(m), nil
}

func names() []string {
	var names []string
	for _, d := range descriptions {
		names = append(names, d.Name)
	}
	return names
}

func (d description) model(o Options, quantized bool) (encode.Model, error) {
	var g graph
	input := g.input("input", d.Input...)
	if d.tokens {
		g.sub.Tensors[input].Type = schema.TensorTypeINT32
	}
	g.output(d.layers(&g, input)...)
	if g.err != nil {
		return encode.Model{}, fmt.Errorf("%s: %w", d.Name, g.err)
	}
	title, file := d.Title, d.Name
	if quantized {
		g.quantize()
		title, file = title+", int8", file+Int8
	}
	m := encode.Model{Description: title, Buffers: g.buffers}
	g.embed(&m)
	if err := g.fill(&m, file+".weights", o); err != nil {
		return encode.Model{}, err
	}
	g.sub.Name = "main"
	m.Subgraphs = []encode.Subgraph{g.sub}
	return m, nil
}
