package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/speed"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

const calibrateFlag = "calibrate"

func timeFlag() cli.Flag {
	return &cli.StringFlag{Name: calibrateFlag, Category: groupRules, Usage: "estimate the time from measurements in a CSV `FILE`"}
}

// time estimates the time of one run of a subgraph, or of a variant of it with so many MACs unless they
// are 0. The cost of a MAC is that of the user's measurements, or else of the published ones for the
// target. Without an estimate it returns nil.
func (t *target) time(p *program, m *tflite.Model, subgraph int, macs int64) (*results.Time, error) {
	if len(m.Subgraphs) == 0 {
		return nil, nil
	}
	work, source, clock := speed.Of(m, max(subgraph, 0)), t.measurements, 0
	var r *speed.Rate
	switch {
	case source != "":
		var err error
		if r, err = p.calibration(source); err != nil {
			return nil, err
		}
	case t.chip != nil && t.board.Unmodelled == "" && work.Int8:
		library, _, _ := strings.Cut(t.device.Kernels, "@")
		r, source, clock = speed.Published(t.chip.Core, library), t.chip.Core+", "+library, t.chip.Clock
	}
	if r == nil {
		return nil, nil
	}
	cost, err := r.Cost(work)
	if err != nil {
		if t.measurements != "" {
			p.say(m.Name, "note", fmt.Sprintf("no estimate of the time by %s: %v", source, err))
		}
		return nil, nil
	}
	if own := op.RunMACs(m, max(subgraph, 0)); macs > 0 && own > 0 {
		cost *= float64(macs) / float64(own)
	}
	return results.NewTime(cost, clock, t.measurements != "", r.Bound, r.Measurements, source), nil
}

// calibration reads the user's measurements, once for each file.
func (p *program) calibration(path string) (*speed.Rate, error) {
	if r := p.calibrations[path]; r != nil {
		return r, nil
	}
	data, err := readFile(p.ctx, path, acceptText)
	if err != nil {
		return nil, err
	}
	r, err := speed.Calibrate(data, func(model string) (*tflite.Model, error) {
		if !filepath.IsAbs(model) && !isBuiltin(model) {
			model = filepath.Join(filepath.Dir(path), model)
		}
		return p.loadModel(model)
	})
	if err != nil {
		return nil, named(path, err)
	}
	if p.calibrations == nil {
		p.calibrations = map[string]*speed.Rate{}
	}
	p.calibrations[path] = r
	return r, nil
}
