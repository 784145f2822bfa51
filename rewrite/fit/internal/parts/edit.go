package parts

import "github.com/tflarena/tflarena/rewrite/edit"

// Edit returns the model's new list of operators for a path. The error says which candidate
// cannot be written.
func (r *Row) Edit(p *Path) (e edit.Edit, err error) {
	for i := range p.Parts {
		f, err := p.Parts[i].By.Fragment(r.base() + len(e.Tensors))
		if err != nil {
			return edit.Edit{}, err
		}
		e.Tensors = append(e.Tensors, f.Tensors...)
		e.Operators = append(e.Operators, f.Operators...)
	}
	return e, nil
}
