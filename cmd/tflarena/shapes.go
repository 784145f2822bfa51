package main

import (
	"errors"
	"sort"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

func shapeFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "shape", Category: groupRules, Usage: "set the shape of an input: `NAME=1,224,224,3`"}
}

// shapesOf reads --shape. An input that is named several times has several shapes, one after the other;
// other inputs keep theirs.
func shapesOf(c *cli.Context) (buckets []map[string][]int32, err error) {
	shapes := map[string][][]int32{}
	most := 0
	for _, text := range c.StringSlice("shape") {
		at := strings.LastIndexByte(text, '=')
		if at < 1 {
			return nil, usagef("--shape %s: write the name of an input, and its dimensions: NAME=1,224,224,3", text)
		}
		var shape []int32
		for word := range strings.SplitSeq(text[at+1:], ",") {
			n, err := strconv.ParseInt(strings.TrimSpace(word), 10, 32)
			if err != nil || n < 1 {
				return nil, usagef("--shape %s: %q is not a dimension: use whole numbers from 1", text, word)
			}
			shape = append(shape, int32(n))
		}
		shapes[text[:at]] = append(shapes[text[:at]], shape)
		most = max(most, len(shapes[text[:at]]))
	}
	for k := range most {
		bucket := map[string][]int32{}
		for name, list := range shapes {
			if len(list) != 1 && len(list) != most {
				return nil, usagef("--shape: input %s has %d shapes and another input has %d: give each input one shape, or as many as the others have", name, len(list), most)
			}
			bucket[name] = list[min(k, len(list)-1)]
		}
		buckets = append(buckets, bucket)
	}
	return buckets, nil
}

// oneShape reads --shape for commands that use a single set of shapes.
func (p *program) oneShape(c *cli.Context) error {
	buckets, err := shapesOf(c)
	if err == nil && len(buckets) > 1 {
		err = usagef("%s: an input has several shapes: 'tflarena plan' takes them", c.Command.Name)
	}
	if len(buckets) == 1 {
		p.shapes = buckets[0]
	}
	return err
}

// reshaped returns a model with the shapes of --shape, if any.
func (p *program) reshaped(m *tflite.Model) (*tflite.Model, error) {
	if p.shapes == nil {
		return m, nil
	}
	other, err := op.WithShapes(m, p.shapes)
	if err == nil { // an embedded plan is only for the model's own shapes
		other.Metadata = slices.DeleteFunc(slices.Clone(other.Metadata), func(md tflite.Metadata) bool { return md.Name == rewrite.PlanName })
	}
	if wrong := (*op.InputShapeError)(nil); errors.As(err, &wrong) {
		return nil, usagef("--shape: %s: %v", m.Name, err)
	}
	if err != nil {
		return nil, named(m.Name, invalidError{err})
	}
	return other, nil
}

// shapeNotes explain --shape in TensorFlow Lite Micro.
func (p *program) shapeNotes() []results.Note {
	if p.shapes == nil {
		return nil
	}
	return results.Notes(results.NoteShapes, []string{
		"TensorFlow Lite Micro cannot change the shapes of inputs: the figures are those of the model exported with these shapes",
	})
}

func inputShapes(shapes map[string][]int32) []results.InputShape {
	list := []results.InputShape{}
	for name, shape := range shapes {
		list = append(list, results.InputShape{Name: name, Shape: shape})
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list
}
