package parts

import (
	"cmp"
	"sort"

	"github.com/tflarena/tflarena/rewrite/blocks"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/rewrite/split"
)

// Edit returns the model's new list of operators for a path with some tiled stages, with a record of new and
// existing tiled blocks. The error is the reason why a stage cannot be computed.
func (r *Row) Edit(stages []split.Stage) (e edit.Edit, err error) {
	list, err := r.parts(stages)
	if err != nil {
		return edit.Edit{}, err
	}
	record := blocks.Of(r.model)
	before := len(record.Blocks)
	for i := range list {
		f, err := r.fragment(&list[i], r.base()+len(e.Tensors))
		if err != nil {
			return edit.Edit{}, err
		}
		e.Tensors = append(e.Tensors, f.Tensors...)
		e.Operators = append(e.Operators, f.Operators...)
		if b := f.Block(); b != nil {
			record.Blocks = append(record.Blocks, *b)
		}
	}
	if len(record.Blocks) == before {
		return e, nil
	}
	sort.Slice(record.Blocks, func(i, j int) bool {
		a, b := &record.Blocks[i], &record.Blocks[j]
		return cmp.Or(cmp.Compare(a.Subgraph, b.Subgraph), cmp.Compare(a.First, b.First)) < 0
	})
	data, err := record.Encode()
	e.Metadata = &edit.Metadata{Name: blocks.Name, Data: data}
	return e, err
}
