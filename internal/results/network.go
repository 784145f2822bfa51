package results

import "github.com/tflarena/tflarena/models"

// A Network is the output of "models list" for a built-in network.
type Network struct {
	Input string `json:"input"`
	// Name that commands take for the network quantised to eight bits.
	Int8Input string `json:"int8_input"`
	// Name of the network.
	Name  string `json:"name"`
	Title string `json:"title"`
	// Dimensions of the tensor that the network reads: batch, height, width, channels; or batch and words.
	InputShape []int32 `json:"input_shape"`
	// Why the network is built in.
	Group models.Group `json:"group"`
	// Paper that published the network, and any differences from it.
	Source string `json:"source"`
	// True if 'models trace' writes the memory requests of the network.
	HasTrace bool   `json:"has_trace"`
	Notes    []Note `json:"notes"`
	Warnings []Note `json:"warnings"`
}

// NewNetwork returns a network as a result, with the names of its two forms for commands.
func NewNetwork(input, int8Input string, n models.Network, hasTrace bool) *Network {
	return &Network{
		Input: input, Int8Input: int8Input, Name: n.Name, Title: n.Title, InputShape: present(n.Input), Group: n.Group, Source: n.Source, HasTrace: hasTrace,
		Notes: []Note{}, Warnings: []Note{},
	}
}
