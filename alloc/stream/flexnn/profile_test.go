package flexnn_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/flexnn"
	"github.com/tflarena/tflarena/alloc/stream/network"
)

const (
	memoryHeader = "layer_index,memory_type,event_type,ptr,size,time\n"
	timesHeader  = "layer_index,loading_begin,loading_end,loading_duration,computing_begin,computing_end,computing_duration\n"
	twoLayers    = timesHeader + "0,0,0,0,0,0,0\n1,0,2,2,2,5,3\n"
	input        = memoryHeader + "0,1,1,0x1,64,0\n"
)

// TestProfileErrors wants errors that say where and what.
func TestProfileErrors(t *testing.T) {
	for _, c := range []struct{ memory, times, want string }{
		{"", twoLayers, "memory profile: the file is empty: it needs a header row with layer_index, memory_type, event_type, ptr, size"},
		{"a,b\n", twoLayers, "memory profile, row 1: the header has no column layer_index"},
		{"size,size\n", twoLayers, "memory profile, row 1, column 2 (size): two columns have this name"},
		{memoryHeader + "0,1,1\n", twoLayers, "memory profile, row 2: 3 cells, but the header has 6"},
		{input + "1,1,0,0x2,0,0\n", twoLayers, "memory profile, row 3, column 4 (ptr): 0x2 is freed, but no malloc before has it"},
		{input + "1,1,1,0x01,64,0\n", twoLayers, "memory profile, row 3, column 4 (ptr): 0x01 was taken in row 2 and is not free again"},
		{input + "1,0,1,0x2,64,0\n0,1,0,0x1,0,0\n", twoLayers, "memory profile, row 4, column 1 (layer_index): layer 0 comes after layer 1: layers are to be in order"},
		{input, twoLayers, "memory profile, row 2: what this row takes is never freed"},
		{input + "1,0,0,0x1,0,0\n", twoLayers, "memory profile, row 3, column 2 (memory_type): type 0 frees what row 2 took as type 1"},
		{memoryHeader + "0,0,1,0x1,64,0\n", twoLayers, "memory profile, row 2, column 2 (memory_type): layer 0 is the input and has no weights"},
		{memoryHeader + "0,3,1,0x1,64,0\n", twoLayers, "memory profile, row 2, column 2 (memory_type): 3 is more than 2"},
		{memoryHeader + "0,1,2,0x1,64,0\n", twoLayers, "memory profile, row 2, column 3 (event_type): 2 is more than 1"},
		{memoryHeader + "2,1,1,0x1,64,0\n", twoLayers, "memory profile, row 2, column 1 (layer_index): 2 is more than 1"},
		{memoryHeader + "0,1,1,0x1,-64,0\n", twoLayers, "memory profile, row 2, column 5 (size): -64 is less than 0"},
		{memoryHeader + "0,1,1,0x1,99999999999999999999,0\n", twoLayers, "memory profile, row 2, column 5 (size): 99999999999999999999 is too large"},
		{memoryHeader + "0,1,1,0x1,1152921504606846976,0\n0,1,1,0x2,1,0\n", twoLayers, "memory profile, row 3, column 5 (size): the sum of all sizes is above 1152921504606846976 bytes"},
		{memoryHeader + "0,1,1,0x1,many,0\n", twoLayers, `memory profile, row 2, column 5 (size): "many" is not an integer`},
		{memoryHeader + "1,0,1,0x1,64,0\n2,0,0,0x1,0,0\n", twoLayers + "2,0,0,0,0,0,0\n", "memory profile, row 3, column 1 (layer_index): layer 2 frees a weight of layer 1: a weight belongs to one layer"},
		{input, timesHeader, "time profile: there are no layers"},
		{input, timesHeader + "1,0,0,0,0,0,0\n", "time profile, row 2, column 1 (layer_index): layer 1 stands where layer 0 belongs: there is one row for each layer, in order"},
		{input, timesHeader + "0,0,0,-1,0,0,0\n", "time profile, row 2, column 4 (loading_duration): -1 is negative"},
		{input, timesHeader + "0,0,0,1e300,0,0,0\n", "time profile, row 2, column 4 (loading_duration): 1e300 is too large"},
		{input, timesHeader + "0,0,0,NaN,0,0,0\n", `time profile, row 2, column 4 (loading_duration): "NaN" is not a number of milliseconds`},
		{input, timesHeader + "0,0,0,0,0,0,x\n", `time profile, row 2, column 7 (computing_duration): "x" is not a number of milliseconds`},
		{input, timesHeader + "0,0,0,4e9,0,0,0\n", "time profile, row 2, column 4 (loading_duration): 4e9 is too large"},
		{input + "1,1,0,0x1,0,0\n", timesHeader + "0,0,0,3e9,0,0,3e9\n1,0,0,0,0,0,0\n", "memory and time profile: layer 0 brings the sum of all durations above 1000h0m0s"},
	} {
		_, err := flexnn.ReadProfiles([]byte(c.memory), []byte(c.times))
		if file := (*flexnn.Error)(nil); err == nil || err.Error() != c.want || !errors.As(err, &file) {
			t.Errorf("%q: %v, want %s", c.memory, err, c.want)
		}
	}
}

// TestComments reads what spreadsheets and people make of a file.
func TestComments(t *testing.T) {
	memory := "\xef\xbb\xbf# by hand\n" + strings.ReplaceAll(input, "\n", "\r\n") + "# the end\n1,1,0, 0x1,0,0\n"
	net, err := flexnn.ReadProfiles([]byte(memory), []byte(twoLayers))
	if err != nil || len(net.Tensors) != 1 || net.Tensors[0] != (network.Tensor{Kind: network.Activation, Last: 1, Size: 64}) {
		t.Errorf("%+v, %v", net, err)
	}
}

// FuzzReadProfiles wants a network that can be planned, or an error of a file.
func FuzzReadProfiles(f *testing.F) {
	f.Add([]byte(input+"1,0,1,0x2,64,0\n1,1,0,0x1,0,0\n1,0,0,0x2,0,0\n"), []byte(twoLayers))
	f.Add([]byte(input), []byte(timesHeader))
	f.Fuzz(func(t *testing.T, memory, times []byte) {
		net, err := flexnn.ReadProfiles(memory, times)
		if file := (*flexnn.Error)(nil); err != nil && !errors.As(err, &file) {
			t.Fatalf("%v is no error of a file", err)
		}
		if err != nil || len(net.Layers) > 100 {
			return
		}
		plan, err := stream.Solve(t.Context(), net, 1<<40, stream.Options{Quick: true})
		if infeasible := (*stream.InfeasibleError)(nil); errors.As(err, &infeasible) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := flexnn.Read(net, flexnn.Write(net, plan.Placement)); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzRead wants an error of a file or a placement of the network from any three files.
func FuzzRead(f *testing.F) {
	memory := input + "1,0,1,0x2,64,0\n1,1,0,0x1,0,0\n1,0,0,0x2,0,0\n"
	net, err := flexnn.ReadProfiles([]byte(memory), []byte(twoLayers))
	if err != nil {
		f.Fatal(err)
	}
	plan, err := stream.Solve(f.Context(), net, 128, stream.Options{Quick: true})
	if err != nil {
		f.Fatal(err)
	}
	files := flexnn.Write(net, plan.Placement)
	f.Add(files.Malloc, files.Dependency, files.Layout)
	f.Fuzz(func(t *testing.T, malloc, dependency, layout []byte) {
		place, err := flexnn.Read(net, &flexnn.Files{Malloc: malloc, Dependency: dependency, Layout: layout})
		if file := (*flexnn.Error)(nil); err != nil && !errors.As(err, &file) {
			t.Fatalf("%v is no error of a file", err)
		}
		if err == nil && len(place.Offsets) != len(net.Tensors) {
			t.Fatalf("%d offsets for %d tensors", len(place.Offsets), len(net.Tensors))
		}
	})
}
