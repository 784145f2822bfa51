package models

import (
	"fmt"

	"github.com/tflarena/tflarena/schema"
)

var seq2seq = description{
	Network: Network{
		Name:  "seq2seq",
		Title: "seq2seq",
		Group: Papers,
		Source: "Sutskever and others, Sequence to Sequence Learning with Neural Networks, 2014; as in the examples of Chainer: an encoder " +
			"and a decoder of three LSTM layers with 1024 units, 40002 words in each language, no attention; unrolled for a " +
			"sentence of 10 words and a translation of 10, each word the likeliest; the two biases of a gate are one",
		Input: []int32{1, 10},
	},
	tokens: true,
	layers: func(g *graph, x value) []value {
		const units, words, length = 1024, 40002, 10
		encoder, decoder := g.newLSTM("encoder", units), g.newLSTM("decoder", units)
		zero := g.floats("zeros", []int32{1, units}, make([]float32, units)...)
		state := lstmState{zero, zero, zero, zero, zero, zero}
		source := g.rows("embed_x", g.weight("embed_x/W", 1, words, units), x)
		for i, word := range g.unpack("words", source, 1) {
			g.step(fmt.Sprintf("encoder_%d", i), encoder, &state, word)
		}
		embedding := g.weight("embed_y/W", 1, words, units)
		weights, bias := g.weight("W/weights", units, words, units), g.weight("W/bias", units, words)
		word := g.ints("end_of_sentence", []int32{1}, 0)
		var translated []value
		for i := range length {
			name := fmt.Sprintf("decoder_%d", i)
			y := g.step(name, decoder, &state, g.rows(name+"/embed_y", embedding, word))
			y = g.linear(name+"/W", y, weights, bias, schema.ActivationFunctionTypeNONE)
			word = g.argMax(name+"/word", y)
			translated = append(translated, word)
		}
		return []value{g.concat("translation", 0, translated...)}
	},
}

const lstmLayers = 3

// An lstm holds the weights of layers of LSTM cells. Each cell has four gates side by side,
// over the concatenation of the input and the last output.
type lstm [lstmLayers]struct{ weights, bias value }

// A lstmState holds the output and the memory of each layer, layer by layer.
type lstmState [2 * lstmLayers]value

func (g *graph) newLSTM(name string, units int32) (l lstm) {
	for i := range l {
		label := fmt.Sprintf("%s/lstm_%d", name, i)
		l[i].weights = g.weight(label+"/weights", 2*units, 4*units, 2*units)
		l[i].bias = g.weight(label+"/bias", 2*units, 4*units)
	}
	return l
}

// step adds one time step of all layers and returns the output of the last layer.
func (g *graph) step(name string, l lstm, s *lstmState, x value) value {
	for i, layer := range l {
		label := fmt.Sprintf("%s/lstm_%d", name, i)
		output, memory := &s[2*i], &s[2*i+1]
		joined := g.concat(label+"/concat", 1, x, *output)
		gates := g.split(label+"/split", g.linear(label+"/gates", joined, layer.weights, layer.bias, schema.ActivationFunctionTypeNONE), 4)
		candidate := g.tanh(label+"/candidate", gates[0])
		input, forget := g.logistic(label+"/input", gates[1]), g.logistic(label+"/forget", gates[2])
		kept, added := g.mul(label+"/kept", forget, *memory), g.mul(label+"/added", input, candidate)
		*memory = g.add(label+"/memory", kept, added, schema.ActivationFunctionTypeNONE)
		*output = g.mul(label+"/output", g.logistic(label+"/show", gates[3]), g.tanh(label+"/tanh", *memory))
		x = *output
	}
	return x
}
