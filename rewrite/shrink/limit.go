package shrink

import (
	"github.com/tflarena/tflarena/rewrite/blocks"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/rewrite/split"
)

// tiledRun is a tiled run of operators of a graph, at a level of in-place outputs.
type tiledRun struct {
	graph *graph
	stage split.Stage
}

// limiting returns the index of the tiled run whose tiles reach highest in the arena under a plan, out of the last n
// runs in the model's record, or -1 if there is none.
func limiting(o *pin.Outcome, record *blocks.Record, n int) int {
	var of *blocks.Block
	top := int64(-1)
	for i := range o.Planned {
		at := o.View.Usage.Places[i]
		if end := o.Offsets[i] + o.Records[i].Size; end > top {
			if b := record.Block(at.Subgraph, at.Tensor); b != nil {
				of, top = b, end
			}
		}
	}
	for k := range record.Blocks {
		if &record.Blocks[k] == of {
			return max(k+n-len(record.Blocks), -1)
		}
	}
	return -1
}

// learn remembers which tiled run limits a planned proposal. Other models with that run are likely to need as large
// a head, whatever else they change, so they come later in the queue. Their estimates do not show
// that: an estimate never falls below the live bytes at the ends of a run, although finer tiles make plans smaller.
func (s *Search) learn(p *proposal) {
	if !s.thorough {
		return
	}
	head := p.best.Head
	for i, stage := range p.path.Stages {
		r := tiledRun{p.graph, stage}
		if i == p.best.limiting {
			s.limits[r] = head
		} else if s.limits[r] > head {
			delete(s.limits, r) // something else limited that plan
		}
	}
	for _, q := range s.queue {
		if q.graph == p.graph && q.alias == p.alias {
			s.limit(q)
		}
	}
}

// limit sets the head that a proposal needs if its tiled runs limit its plan as they limited others.
func (s *Search) limit(p *proposal) {
	p.limit = 0
	for _, stage := range p.path.Stages {
		p.limit = max(p.limit, s.limits[tiledRun{p.graph, stage}])
	}
}
