package tflite

// An OutsideConstant is a constant whose data is not in the flatbuffer. LiteRT reads it;
// TensorFlow Lite Micro does not, and takes the tensor for an activation.
type OutsideConstant struct {
	// Subgraph and Tensor are the tensor's place.
	Subgraph, Tensor int
	// Bytes is the size of the data.
	Bytes int64
	// OtherFile is true when the data is in another file (Tensor.external_buffer), and false when
	// it lies behind the flatbuffer, at an absolute offset (Buffer.offset).
	OtherFile bool
	// Read is true when an operator or an output of the subgraph reads the tensor.
	Read bool
}

// OutsideConstants returns the constants that lie outside the flatbuffer, in the order of the
// file. Tensors that share their data each have an entry.
func (m *Model) OutsideConstants() []OutsideConstant {
	var list []OutsideConstant
	for s := range m.Subgraphs {
		for i := range m.Subgraphs[s].Tensors {
			t := &m.Subgraphs[s].Tensors[i]
			if !m.IsOutside(t) {
				continue
			}
			c := OutsideConstant{Subgraph: s, Tensor: i, Read: len(t.Consumers) > 0 || t.Output}
			c.Bytes, c.OtherFile = int64(len(m.Buffer(t).Data)), !m.Buffer(t).Outside
			if c.OtherFile {
				c.Bytes, _ = t.PackedBytes()
			}
			list = append(list, c)
		}
	}
	return list
}

// IsOutside reports whether a tensor is a constant whose data is outside the flatbuffer alone.
func (m *Model) IsOutside(t *Tensor) bool {
	b := m.Buffer(t)
	return b.Outside || t.ExternalBuffer != 0 && len(b.Data) == 0
}
