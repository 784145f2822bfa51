package results

import "github.com/tflarena/tflarena/models"

// A Network is what the command "models list" prints of a built-in network.
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
	Source   string `json:"source"`
	Notes    []Note `json:"notes"`
	Warnings []Note `json:"warnings"`
}

// NewNetwork returns a network as a result, with what commands take for its two forms.
func NewNetwork(input, int8Input string, n models.Network) *Network {
	return &Network{
		Input: input, Int8Input: int8Input, Name: n.Name, Title: n.Title, InputShape: present(n.Input), Group: n.Group, Source: n.Source,
		Notes: []Note{}, Warnings: []Note{},
	}
}
