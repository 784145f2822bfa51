package rewrite

import (
	"testing"

	"github.com/tflarena/tflarena/tflite"
)

// Plans whose vectors overlap may not add up to more than the file.
func TestOverlappingPlans(t *testing.T) {
	const count, plans = 1000, 100
	data := make([]byte, planBytes(count)+4*plans)
	for i := range len(data) / 4 {
		le.PutUint32(data[4*i:], count)
	}
	m := &tflite.Model{Data: data}
	for i := range plans {
		m.Buffers = append(m.Buffers, tflite.Buffer{Data: data[4*i:], Present: true, Offset: int64(4 * i)})
		m.Metadata = append(m.Metadata, tflite.Metadata{Name: PlanName, Buffer: i}, tflite.Metadata{Name: PlanName, Buffer: 0})
	}
	if got, err := ReadPlans(m); err == nil {
		t.Errorf("%d plans were read from %d B", len(got), len(data))
	}
	for i := range m.Metadata {
		m.Metadata[i].Buffer = 0
	}
	if got, err := ReadPlans(m); err != nil || len(got) != 2*plans {
		t.Errorf("%d plans of the same bytes, error %v", len(got), err)
	}
}
