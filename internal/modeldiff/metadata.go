package modeldiff

import (
	"archive/zip"
	"bytes"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// Metadata names the added, removed and changed metadata, without the memory plan and its marker.
type Metadata struct {
	Added   []string `json:"added"`
	Removed []string `json:"removed"`
	// Present in both models, but not the same.
	Changed []string `json:"changed"`
}

// Differs reports whether any metadata was added, removed or changed.
func (d *Metadata) Differs() bool { return len(d.Added)+len(d.Removed)+len(d.Changed) > 0 }

// metadata pairs entries by name, several of one name in their order.
func (m *matching) metadata() Metadata {
	d := Metadata{[]string{}, []string{}, []string{}}
	left := map[string][]tflite.Metadata{}
	for _, md := range m.b.Metadata {
		left[md.Name] = append(left[md.Name], md)
	}
	for _, md := range m.a.Metadata {
		list := left[md.Name]
		switch {
		case len(list) > 0:
			left[md.Name] = list[1:]
			if !planned(md) && !m.contents.same(bufferData(m.a, md), bufferData(m.b, list[0])) {
				d.Changed = append(d.Changed, md.Name)
			}
		case !planned(md):
			d.Removed = append(d.Removed, md.Name)
		}
	}
	for _, md := range m.b.Metadata {
		if list := left[md.Name]; len(list) > 0 && !planned(md) {
			d.Added = append(d.Added, md.Name)
			left[md.Name] = list[1:]
		}
	}
	return d
}

// planned reports whether metadata is a memory plan or its marker.
func planned(md tflite.Metadata) bool {
	return md.Name == rewrite.PlanName || md.Name == rewrite.MarkerName
}

// other names further parts that differ.
func (m *matching) other() []string {
	a, b := m.a, m.b
	var parts []string
	add := func(part string, same bool) {
		if !same {
			parts = append(parts, part)
		}
	}
	add("header", a.Identified == b.Identified && a.Version == b.Version)
	add("description", a.Description == b.Description)
	add("number of subgraphs", len(a.Subgraphs) == len(b.Subgraphs))
	for i, p := range m.tensors {
		if i >= len(a.Subgraphs) || i >= len(b.Subgraphs) {
			break
		}
		s, t := &a.Subgraphs[i], &b.Subgraphs[i]
		add(fmt.Sprintf("name of subgraph %d", i), s.Name == t.Name)
		add(fmt.Sprintf("inputs of subgraph %d", i), p.same(s.Inputs, t.Inputs))
		add(fmt.Sprintf("outputs of subgraph %d", i), p.same(s.Outputs, t.Outputs))
	}
	add("signatures", slices.EqualFunc(a.Signatures, b.Signatures, m.sameSignature))
	add("data behind the model", m.sameTrailing())
	return parts
}

func (m *matching) sameSignature(a, b tflite.Signature) bool {
	same := func(x, y tflite.SignatureTensor) bool {
		return x.Name == y.Name && m.tensors[a.Subgraph].same([]int{x.Tensor}, []int{y.Tensor})
	}
	return a.Key == b.Key && a.Subgraph == b.Subgraph &&
		slices.EqualFunc(a.Inputs, b.Inputs, same) && slices.EqualFunc(a.Outputs, b.Outputs, same)
}

// sameTrailing compares the bytes after the models: files in an archive, and unknown data.
func (m *matching) sameTrailing() bool {
	return slices.Equal(archived(m.a), archived(m.b)) &&
		slices.EqualFunc(unknownTrailing(m.a), unknownTrailing(m.b), m.contents.same)
}

// An archivedFile is a file in a zip archive. Its place there changes with the model.
type archivedFile struct {
	name string
	sum  uint32
	size uint64
}

func archived(m *tflite.Model) []archivedFile {
	if !slices.ContainsFunc(m.Trailing, func(r tflite.Range) bool { return r.Kind == "zip" }) {
		return nil
	}
	r, err := zip.NewReader(bytes.NewReader(m.Data), int64(len(m.Data)))
	if err != nil {
		return nil
	}
	var list []archivedFile
	for _, f := range r.File {
		list = append(list, archivedFile{f.Name, f.CRC32, f.UncompressedSize64})
	}
	return list
}

func unknownTrailing(m *tflite.Model) [][]byte {
	var list [][]byte
	for _, r := range m.Trailing {
		if r.Kind == "unknown" {
			list = append(list, m.Data[r.Start:r.End])
		}
	}
	return list
}
