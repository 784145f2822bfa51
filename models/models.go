package models

import (
	"fmt"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
)

// A Group is what a network is built in for.
type Group string

const (
	// Tables are the networks of the papers' tables.
	Tables Group = "tables"
	// Irregular are networks with branches that can run in many orders, so that the
	// order of their operators decides how much memory they take.
	Irregular Group = "irregular"
)

// A Network is one of the networks that [Build] knows.
type Network struct {
	// Name is what [Build] calls the network, such as "mobilenet-v1".
	Name string
	// Title is what the papers' tables call it, such as "MobileNet v1".
	Title string
	// Group says why the network is built in.
	Group Group
	// Source is the paper that published the network, the variant of it, and what
	// is not as published.
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

// descriptions has the networks of the papers' tables in their order, then the
// irregular ones by the year of their papers.
var descriptions = []description{
	mobilenetV1, mobilenetV2, deeplabV3, inceptionV3, posenet, blazeface,
	nasnetMobile, darts, dartsCIFAR, randwire, swiftnet,
}

// List returns the networks of the given groups, or all networks where no group is given:
// those of the papers' tables first, in the order of the tables.
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

// Build returns the bytes of the model file of a network: the same bytes for the same name
// and options, on every platform. The error for an unknown name lists the known names.
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
