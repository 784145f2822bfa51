package models

import (
	"fmt"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
)

// A Network is one of the networks that [Build] knows.
type Network struct {
	// Name is what [Build] calls the network, such as "mobilenet-v1".
	Name string
	// Title is what the papers' tables call it, such as "MobileNet v1".
	Title string
	// Source is the paper that published the network, and the variant of it.
	Source string
	// Input is the shape of its input: batch, height, width, channels.
	Input []int32
}

// Options say how a network is written. The zero value writes external weights.
type Options struct {
	// Weights is the kind of weights; empty means [External].
	Weights Weights
	// Seed gives other random weights; the other kinds ignore it.
	Seed uint64
}

// A description is a network with the function that adds its layers.
type description struct {
	Network
	layers func(g *graph, input value) (outputs []value)
}

// descriptions has the networks in the order of the papers' tables.
var descriptions = []description{mobilenetV1, mobilenetV2, deeplabV3, inceptionV3, posenet, blazeface}

// List returns the networks in the order of the papers' tables.
func List() []Network {
	list := make([]Network, len(descriptions))
	for i, d := range descriptions {
		list[i] = d.Network
		list[i].Input = slices.Clone(d.Input)
	}
	return list
}

// Build returns the bytes of the model file of a network: the same bytes for the
// same name and options, on every platform. An error names what is known.
func Build(name string, o Options) ([]byte, error) {
	i := slices.IndexFunc(descriptions, func(d description) bool { return d.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("no network is called %q; there are %s", name, strings.Join(names(), ", "))
	}
	m, err := descriptions[i].model(o)
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

func (d description) model(o Options) (encode.Model, error) {
	var g graph
	input := g.input("input", d.Input...)
	g.output(d.layers(&g, input)...)
	if g.err != nil {
		return encode.Model{}, fmt.Errorf("%s: %w", d.Name, g.err)
	}
	m := encode.Model{Description: d.Title, Buffers: g.buffers}
	if err := g.fill(&m, d.Name+".weights", o); err != nil {
		return encode.Model{}, err
	}
	g.sub.Name = "main"
	m.Subgraphs = []encode.Subgraph{g.sub}
	return m, nil
}
