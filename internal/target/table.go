package target

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules"
)

//go:embed targets.csv
var table []byte

// The columns of the table. A target inherits empty columns from the target that it is "of": a board
// from its chip, a chip from its core.
const (
	name = iota
	title
	of
	core
	abi
	kernels
	note
	regions
	source
	clock
	columns
)

// parse reads the table, whose first row names the columns.
func parse(data []byte) ([]*Target, error) {
	r := csv.NewReader(bytes.NewReader(data))
	r.FieldsPerRecord = columns
	rows, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	byName := map[string][]string{}
	var list []*Target
	for i, row := range rows {
		if i == 0 {
			continue
		}
		byName[row[name]] = row
	}
	if len(byName) != max(0, len(rows)-1) {
		return nil, fmt.Errorf("a name is in two rows")
	}
	for _, row := range byName {
		t, err := resolve(row, byName)
		if err != nil {
			return nil, fmt.Errorf("target %s: %w", row[name], err)
		}
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b *Target) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

// resolve returns the target of a row, with what it inherits.
func resolve(row []string, byName map[string][]string) (*Target, error) {
	t := &Target{Name: row[name], Title: row[title]}
	full, parent := slices.Clone(row), row[of]
	for depth := 0; parent != ""; depth++ {
		from, ok := byName[parent]
		if !ok || depth == len(byName) {
			return nil, fmt.Errorf("it is of %q, which is no target, or of itself", parent)
		}
		if from[regions] != "" && full[regions] == "" {
			t.Chip = parent
		}
		for c := core; c < columns; c++ {
			if full[c] == "" {
				full[c] = from[c]
			}
		}
		parent = from[of]
	}
	device, err := rules.DefaultDevice().WithABI(full[abi])
	if err != nil {
		return nil, err
	}
	t.Core, t.ABI, t.KernelsNote, t.Source = full[core], device.ABI, full[note], full[source]
	if full[kernels] != "" {
		if device, err = device.WithKernels(full[kernels]); err != nil {
			return nil, err
		}
		t.Kernels = device.Kernels
	}
	if t.Regions, err = parseRegions(full[regions]); err != nil || full[clock] == "" {
		return t, err
	}
	megahertz, from, _ := strings.Cut(full[clock], " ")
	t.ClockSource = from
	if t.Clock, err = strconv.Atoi(megahertz); err != nil || t.Clock <= 0 || from == "" {
		return nil, fmt.Errorf("clock %q is not MHZ SOURCE", full[clock])
	}
	return t, nil
}

// parseRegions reads regions such as "ccm 0x10000000+0x10000; sram1 to sram2 0x20000000+0x20000".
func parseRegions(text string) ([]Region, error) {
	if text == "" {
		return nil, nil
	}
	var list []Region
	for _, region := range strings.Split(text, "; ") {
		space := strings.LastIndexByte(region, ' ')
		start, size, ok := strings.Cut(region[space+1:], "+")
		if space < 1 || !ok {
			return nil, fmt.Errorf("region %q is not NAME START+BYTES", region)
		}
		first, err := strconv.ParseUint(start, 0, 32)
		if err != nil {
			return nil, fmt.Errorf("region %q: %w", region, err)
		}
		n, err := strconv.ParseInt(size, 0, 64)
		if err != nil {
			return nil, fmt.Errorf("region %q: %w", region, err)
		}
		list = append(list, Region{Name: region[:space], Start: first, Bytes: n})
	}
	return list, nil
}
