package export

import (
	"encoding/json"
	"io"
	"strconv"

	"github.com/tflarena/tflarena/lifetime"
)

// Node data of Google's Model Explorer: for each graph a number for each node, and colours for ranges
// of it. A threshold colours values up to its own and above the previous one.
type (
	nodeData struct {
		Results    map[string]nodeValue `json:"results"`
		Thresholds []nodeThreshold      `json:"thresholds"`
	}
	nodeValue struct {
		Value int64 `json:"value"`
	}
	nodeThreshold struct {
		Value  int64  `json:"value"`
		Colour string `json:"bgColor"`
	}
)

// heat is the colour of a node whose bytes are at most percent of the peak.
var heat = []struct {
	percent int64
	colour  string
}{{25, "#e3f1e5"}, {50, "#b9dfc0"}, {75, "#fbe7a2"}, {90, "#f6b26b"}, {99, "#e8804f"}, {100, "#c62f2d"}}

// writeExplorer writes the bytes alive at each operator of a model, the maximum if it runs several
// times. A graph has the name of its subgraph, and a node the number of its operator, as in Model
// Explorer's own view of .tflite files.
func writeExplorer(w io.Writer, p *Plan) error {
	alive := map[int]int64{}
	for _, s := range lifetime.Sections(p.Records) {
		for at := s.First; at <= s.Last && at < len(p.Model.Nodes); at++ {
			alive[at] = s.Breadth
		}
	}
	peak := lifetime.Peak(p.Records).Breadth
	graphs := map[string]*nodeData{}
	for at, n := range p.Model.Nodes {
		if n.Operator < 0 {
			continue
		}
		g := graphs[n.Graph]
		if g == nil {
			g = &nodeData{Results: map[string]nodeValue{}, Thresholds: thresholds(peak)}
			graphs[n.Graph] = g
		}
		key := strconv.Itoa(n.Operator)
		g.Results[key] = nodeValue{max(alive[at], g.Results[key].Value)}
	}
	data, err := json.MarshalIndent(graphs, "", " ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(data, '\n'))
	return err
}

// thresholds returns the colours for bytes up to a peak.
func thresholds(peak int64) (list []nodeThreshold) {
	for _, h := range heat {
		value := peak/100*h.percent + peak%100*h.percent/100
		if n := len(list); n > 0 && list[n-1].Value == value {
			list = list[:n-1]
		}
		list = append(list, nodeThreshold{value, h.colour})
	}
	return list
}
