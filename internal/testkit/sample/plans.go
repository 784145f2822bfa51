package sample

import (
	"encoding/binary"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// Naive returns a plan that places all planned tensors end to end within an int32 and leaves
// the rest to the runtime.
func Naive(t TB, m *tflite.Model) []int32 {
	t.Helper()
	micro := rules.Micro()
	view, err := micro.View(m, -1)
	if err != nil {
		t.Fatal(err)
	}
	var offsets []int32
	end, records := int64(0), view.Records()
	for _, s := range view.Graph.Subgraphs {
		for _, tensor := range s.Tensors {
			offset := int32(runtimePlaces)
			if tensor.Planned {
				if next := end + records[0].Size; next <= 1<<31-1 {
					offset, end = int32(end), next
				}
				records = records[1:]
			}
			offsets = append(offsets, offset)
		}
	}
	return offsets
}

// Online returns a plan that leaves every tensor to the runtime.
func Online(m *tflite.Model) []int32 {
	offsets := make([]int32, tensors(m))
	for i := range offsets {
		offsets[i] = runtimePlaces
	}
	return offsets
}

// Names of a plan's and a marker's metadata, the offset that leaves a tensor to the runtime,
// and the alignment of offsets, defined independently of the rewriter.
const (
	planName      = "OfflineMemoryAllocation"
	markerName    = "tflarena_plan"
	runtimePlaces = -1
	planAlignment = 16
)

func ours(name string) bool { return name == planName || name == markerName }

// PlanData returns the bytes of a plan.
func PlanData(subgraphs int, offsets []int32) []byte {
	var data []byte
	for _, word := range append([]int32{1, int32(subgraphs), int32(len(offsets))}, offsets...) {
		data = binary.LittleEndian.AppendUint32(data, uint32(word))
	}
	return data
}

func tensors(m *tflite.Model) (n int) {
	for i := range m.Subgraphs {
		n += len(m.Subgraphs[i].Tensors)
	}
	return n
}
