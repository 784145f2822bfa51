package slim_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/slim"
)

// TestRefused lists the reasons not to copy a file.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"external constant", encode.Encode(sample.Change(sample.Chain(), func(m *encode.Model) {
			m.External = []encode.ExternalBuffer{{Group: "weights", Length: 16}}
			m.Subgraphs[0].Tensors[1] = encode.Tensor{Shape: []int32{1, 4}, External: 1}
		})), "external"},
		{"constant outside", sample.Behind(func(at uint64) encode.Model {
			m := sample.Chain()
			m.Buffers[0] = encode.Buffer{Offset: at, Size: 16}
			return m
		}, make([]byte, 16)), "buffers[1]"},
		{"options outside", sample.LargeOptions(64), "options"},
		{"compressed tensors", encode.Encode(withMetadata(sample.Chain(), "COMPRESSION_METADATA")), "COMPRESSION_METADATA"},
		{"vendor's data", encode.Encode(withMetadata(sample.Chain(), "NPU_BYTE_CODE")), "NPU_BYTE_CODE"},
	} {
		_, err := slim.Slim(modelfile.Parse(t, c.data), rewrite.Options{Force: true})
		if refused := (*rewrite.RefusedError)(nil); !errors.As(err, &refused) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestForced: bytes after the flatbuffer whose position a custom operator may know move only if
// forced.
func TestForced(t *testing.T) {
	source := sample.Custom()
	source.Tail = []byte("somewhere")
	m := modelfile.Build(t, source)
	_, err := slim.Slim(m, rewrite.Options{})
	if refused := (*rewrite.RefusedError)(nil); !errors.As(err, &refused) || !refused.Force {
		t.Fatal(err)
	}
	if r, err := slim.Slim(m, rewrite.Options{Force: true}); err != nil || len(r.Forced) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}
