package flexnn

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"

	"github.com/tflarena/tflarena/alloc/stream/network"
)

// Read reads the three files of a plan of a network. Files that disagree with each other or with the
// network are an error: other counts, a tensor at two places, layers that wait for later ones. Read
// does not check whether the plan is right; package stream/check does. An error is an [*Error].
func Read(net *network.Network, files *Files) (*network.Placement, error) {
	offsets, kept, err := readMalloc(net, files.Malloc)
	if err != nil {
		return nil, err
	}
	rows, err := readLayout(net, files.Layout)
	if err != nil {
		return nil, err
	}
	place, err := join(net, rows, offsets, kept)
	if err != nil {
		return nil, err
	}
	return place, checkDependency(net, place, files.Dependency)
}

// lines returns the lines of a file that are neither empty nor comments, and their numbers.
func lines(data []byte) (texts []string, numbers []int) {
	number := 0
	for line := range strings.SplitSeq(string(data), "\n") {
		number++
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			texts, numbers = append(texts, line), append(numbers, number)
		}
	}
	return texts, numbers
}

// readMalloc returns the offsets by kind and the offsets of resident weights.
func readMalloc(net *network.Network, data []byte) (offsets [3][]int64, kept []int64, err error) {
	const file = "malloc file"
	texts, numbers := lines(data)
	if len(texts) == 0 {
		return offsets, nil, &Error{File: file, Problem: "the file is empty: it begins with the counts of weights, activations and intermediates"}
	}
	var counts [4]int
	fields := strings.Fields(texts[0])
	if len(fields) < 3 || len(fields) > 4 {
		return offsets, nil, &Error{File: file, Line: numbers[0], Problem: "the first line is to have three or four counts"}
	}
	for k, field := range fields {
		if counts[k], err = strconv.Atoi(field); err != nil || counts[k] < 0 || counts[k] > len(net.Tensors) {
			return offsets, nil, &Error{File: file, Line: numbers[0], Column: k + 1, Problem: fmt.Sprintf("%q is not a count of tensors of this network", field)}
		}
	}
	texts, numbers = texts[1:], numbers[1:]
	if want := counts[0] + counts[1] + counts[2] + counts[3]; len(texts) != want {
		return offsets, nil, &Error{File: file, Problem: fmt.Sprintf("there are %d offsets, but the first line counts %d", len(texts), want)}
	}
	for k, count := range counts {
		for i := range count {
			offset, err := strconv.ParseInt(texts[i], 10, 64)
			if err != nil || offset < 0 {
				return offsets, nil, &Error{File: file, Line: numbers[i], Problem: fmt.Sprintf("%q is not an offset", texts[i])}
			}
			if k < 3 {
				offsets[k] = append(offsets[k], offset)
			} else {
				kept = append(kept, offset)
			}
		}
		texts, numbers = texts[count:], numbers[count:]
	}
	return offsets, kept, nil
}

// readLayout returns the rows by kind, each kind in the order of its tensors.
func readLayout(net *network.Network, data []byte) (rows []row, err error) {
	const file = "layout"
	r := csv.NewReader(bytes.NewReader(data))
	r.Comment, r.FieldsPerRecord = '#', -1
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if parse := (*csv.ParseError)(nil); errors.As(err, &parse) {
			return nil, &Error{File: file, Line: parse.Line, Problem: parse.Err.Error()}
		}
		if err != nil {
			return nil, &Error{File: file, Problem: err.Error()}
		}
		line, _ := r.FieldPos(0)
		if len(cells) != 6 {
			return nil, &Error{File: file, Line: line, Problem: fmt.Sprintf("%d cells instead of six", len(cells))}
		}
		var v [6]int64
		for k, cell := range cells {
			if v[k], err = strconv.ParseInt(strings.TrimSpace(cell), 10, 64); err != nil {
				return nil, &Error{File: file, Line: line, Column: k + 1, Problem: fmt.Sprintf("%q is not an integer", cell)}
			}
		}
		if last := int64(len(net.Layers)); v[0] < 0 || v[0] > v[4] || v[4] > v[1] || v[1] >= last || v[5] < 0 || v[5] > 2 {
			return nil, &Error{File: file, Line: line, Problem: fmt.Sprintf("steps %d to %d, needed from %d, type %d: that is not a tensor of a network of %d layers", v[0], v[1], v[4], v[5], last)}
		}
		rows = append(rows, row{first: int(v[0]), last: int(v[1]), offset: v[2], size: v[3], needed: int(v[4]), kind: network.Kind(v[5])})
	}
	sort.SliceStable(rows, func(i, j int) bool {
		a, b := &rows[i], &rows[j]
		return a.kind < b.kind || a.kind == b.kind && a.needed < b.needed
	})
	return rows, nil
}
