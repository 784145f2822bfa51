package flexnn

import (
	"errors"
	"io"
	"strings"

	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/lifetime"
)

// ReadProfiles reads a network from a memory profile and a time profile. An error is an [*Error].
func ReadProfiles(memory, times []byte) (*network.Network, error) {
	net := &network.Network{}
	var err error
	if net.Layers, err = readTimes(times); err != nil {
		return nil, err
	}
	if net.Tensors, err = readMemory(memory, len(net.Layers)); err != nil {
		return nil, err
	}
	if err := net.Check(); err != nil {
		return nil, &Error{File: "memory and time profile", Problem: err.Error()}
	}
	return net, nil
}

func readTimes(data []byte) ([]network.Layer, error) {
	t, err := openTable(TimeProfile, data, "layer_index", "loading_duration", "computing_duration")
	if err != nil {
		return nil, err
	}
	var layers []network.Layer
	for {
		if err := t.next(); err != nil {
			if !errors.Is(err, io.EOF) {
				return nil, err
			}
			break
		}
		index, err := t.number("layer_index", 0, 1<<31)
		if err != nil {
			return nil, err
		}
		if index != int64(len(layers)) {
			return nil, t.wrong("layer_index", "layer %d stands where layer %d belongs: there is one row for each layer, in order", index, len(layers))
		}
		var l network.Layer
		if l.Load, err = t.duration("loading_duration"); err != nil {
			return nil, err
		}
		if l.Compute, err = t.duration("computing_duration"); err != nil {
			return nil, err
		}
		layers = append(layers, l)
	}
	if len(layers) == 0 {
		return nil, &Error{File: t.file, Problem: "there are no layers"}
	}
	return layers, nil
}

// A block is allocated memory.
type block struct{ tensor, line int }

// events follows the events of a memory profile.
type events struct {
	*table
	layers, layer int
	tensors       []network.Tensor
	open          map[string]block
	bytes         int64
}

func readMemory(data []byte, layers int) ([]network.Tensor, error) {
	t, err := openTable(MemoryProfile, data, "layer_index", "memory_type", "event_type", "ptr", "size")
	if err != nil {
		return nil, err
	}
	e := &events{table: t, layers: layers, open: map[string]block{}}
	for {
		if err := t.next(); err != nil {
			if !errors.Is(err, io.EOF) {
				return nil, err
			}
			break
		}
		if err := e.event(); err != nil {
			return nil, err
		}
	}
	return e.tensors, e.end()
}

func (e *events) event() error {
	layer, err := e.number("layer_index", 0, int64(e.layers-1))
	if err != nil {
		return err
	}
	if int(layer) < e.layer {
		return e.wrong("layer_index", "layer %d comes after layer %d: layers are to be in order", layer, e.layer)
	}
	e.layer = int(layer)
	kind, err := e.number("memory_type", 0, 2)
	if err != nil {
		return err
	}
	event, err := e.number("event_type", 0, 1)
	if err != nil {
		return err
	}
	if event == 1 {
		return e.malloc(network.Kind(kind))
	}
	return e.free(network.Kind(kind))
}

func (e *events) malloc(kind network.Kind) error {
	size, err := e.number("size", 0, lifetime.MaxTotal)
	if err != nil {
		return err
	}
	e.bytes += size
	if e.bytes > lifetime.MaxTotal {
		return e.wrong("size", "the sum of all sizes is above %d bytes", lifetime.MaxTotal)
	}
	if kind == network.Weight && e.layer == 0 {
		return e.wrong("memory_type", "layer 0 is the input and has no weights")
	}
	if b, taken := e.open[e.key()]; taken {
		return e.wrong("ptr", "%s was taken in row %d and is not free again", e.cell("ptr"), b.line)
	}
	e.open[e.key()] = block{len(e.tensors), e.line}
	e.tensors = append(e.tensors, network.Tensor{Kind: kind, First: e.layer, Last: e.layer, Size: size})
	return nil
}

func (e *events) free(kind network.Kind) error {
	b, ok := e.open[e.key()]
	if !ok {
		return e.wrong("ptr", "%s is freed, but no malloc before has it", e.cell("ptr"))
	}
	t := &e.tensors[b.tensor]
	if t.Kind != kind {
		return e.wrong("memory_type", "type %d frees what row %d took as type %d", kind, b.line, t.Kind)
	}
	if kind == network.Weight && e.layer != t.First {
		return e.wrong("layer_index", "layer %d frees a weight of layer %d: a weight belongs to one layer", e.layer, t.First)
	}
	t.Last = e.layer
	delete(e.open, e.key())
	return nil
}

// end returns an error about the first malloc that is never freed.
func (e *events) end() error {
	first := block{line: -1}
	for _, b := range e.open {
		if first.line < 0 || b.line < first.line {
			first = b
		}
	}
	if first.line < 0 {
		return nil
	}
	return &Error{File: e.file, Line: first.line, Problem: "what this row takes is never freed"}
}

// key returns the normalised pointer of the row.
func (e *events) key() string {
	return strings.TrimLeft(strings.TrimPrefix(strings.ToLower(e.cell("ptr")), "0x"), "0")
}
