package firmware

import (
	"encoding/csv"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/oracle/cmsisnn"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// TestProbeOfCMSISNN: a probe that is linked with CMSIS-NN's own functions prints what is counted for each
// build of it, for the operators of all models of the corpus.
func TestProbeOfCMSISNN(t *testing.T) {
	cc := tool(t, "cc")
	var models []*tflite.Model
	for _, f := range corpus.Accepted(t) {
		data, err := os.ReadFile(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		m, err := tflite.Parse(data, f.Name)
		if err != nil {
			t.Fatal(err)
		}
		models = append(models, m)
	}
	models = append(models, rare(t)...)
	all := map[string]bool{}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "arm_nnfunctions.h"), cmsisnn.Header, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range rules.KernelLibraries() {
		device, err := rules.UsualDevice(name)
		if err != nil {
			t.Fatal(err)
		}
		family, variant, _ := device.Library()
		if family != "cmsis-nn" {
			continue
		}
		// All models are one for the probe: subgraphs are numbered through.
		p := &Probe{Name: "models", Family: family, Variant: variant, Library: device.Kernels}
		var want []rules.Request
		first := 0
		for _, m := range models {
			for _, r := range device.Requests(m) {
				r.Subgraph += first
				want = append(want, r)
			}
			for _, r := range device.SizeRequests(m) {
				r.Subgraph += first
				p.Requests = append(p.Requests, r)
				if r.Call != nil {
					all[r.Call.Function] = true
				}
			}
			first += len(m.Subgraphs)
		}
		object := filepath.Join(dir, name+".so")
		build := exec.Command(cc, "-O1", "-w", "-shared", "-fPIC", "-I", dir, "-o", object, "-x", "c", "-")
		build.Stdin = strings.NewReader(string(p.Source()))
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		if diff := cmp.Diff(want, requested(t, cmsisnn.Run(t, object))); diff != "" {
			t.Errorf("%s (-counted +printed):\n%s", name, diff)
		}
		t.Logf("%s: %d requests", name, len(want))
	}
	for function := range armProbe.functions {
		if !all[function] {
			t.Errorf("no operator calls %s", function)
		}
	}
}

// rare are models of one operator, for what no model of the corpus has: data of 16 bits, and weights of 4.
func rare(t *testing.T) (models []*tflite.Model) {
	t.Helper()
	const i4, i8, i16 = schema.TensorTypeINT4, schema.TensorTypeINT8, schema.TensorTypeINT16
	tensor := func(kind schema.TensorType, shape ...int32) encode.Tensor {
		return encode.Tensor{Type: kind, Shape: shape}
	}
	for _, o := range []struct {
		tensors []encode.Tensor
		op      encode.Operator
	}{
		{
			[]encode.Tensor{tensor(i16, 1, 9, 7, 5), tensor(i8, 6, 3, 3, 5), tensor(i16, 1, 9, 7, 6)},
			encode.Operator{Builtin: schema.BuiltinOperatorCONV_2D, OptionsType: schema.BuiltinOptionsConv2DOptions, Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
				schema.Conv2DOptionsStart(b)
				schema.Conv2DOptionsAddStrideH(b, 1)
				schema.Conv2DOptionsAddStrideW(b, 1)
				return schema.Conv2DOptionsEnd(b)
			}},
		},
		{
			[]encode.Tensor{tensor(i8, 1, 9, 7, 8), tensor(i4, 1, 5, 3, 8), tensor(i8, 1, 9, 7, 8)},
			encode.Operator{Builtin: schema.BuiltinOperatorDEPTHWISE_CONV_2D, OptionsType: schema.BuiltinOptionsDepthwiseConv2DOptions, Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
				schema.DepthwiseConv2DOptionsStart(b)
				schema.DepthwiseConv2DOptionsAddStrideH(b, 1)
				schema.DepthwiseConv2DOptionsAddStrideW(b, 1)
				schema.DepthwiseConv2DOptionsAddDepthMultiplier(b, 1)
				return schema.DepthwiseConv2DOptionsEnd(b)
			}},
		},
		{
			[]encode.Tensor{tensor(i16, 1, 40), tensor(i8, 12, 40), tensor(i16, 1, 12)},
			encode.Operator{Builtin: schema.BuiltinOperatorFULLY_CONNECTED},
		},
		{
			[]encode.Tensor{tensor(i16, 1, 8, 8, 24), tensor(i16, 1, 4, 4, 24)},
			encode.Operator{Builtin: schema.BuiltinOperatorAVERAGE_POOL_2D, OptionsType: schema.BuiltinOptionsPool2DOptions, Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
				schema.Pool2DOptionsStart(b)
				schema.Pool2DOptionsAddStrideH(b, 2)
				schema.Pool2DOptionsAddStrideW(b, 2)
				schema.Pool2DOptionsAddFilterHeight(b, 2)
				schema.Pool2DOptionsAddFilterWidth(b, 2)
				return schema.Pool2DOptionsEnd(b)
			}},
		},
	} {
		last := len(o.tensors) - 1
		for i := range last {
			o.op.Inputs = append(o.op.Inputs, i)
		}
		o.op.Outputs = []int{last}
		m, err := tflite.Parse(encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{{
			Tensors: o.tensors, Inputs: o.op.Inputs, Outputs: o.op.Outputs, Operators: []encode.Operator{o.op},
		}}}), "rare")
		if err != nil {
			t.Fatal(err)
		}
		models = append(models, m)
	}
	return models
}

// requested reads the CSV of a probe.
func requested(t *testing.T, data []byte) (list []rules.Request) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(string(data))).ReadAll()
	if err != nil || len(rows) == 0 || !slices.Equal(rows[0], []string{"subgraph", "operator", "bytes"}) {
		t.Fatalf("%v: %q", err, data[:min(len(data), 100)])
	}
	for _, row := range rows[1:] {
		list = append(list, rules.Request{Subgraph: int(number64(t, row[0])), Operator: int(number64(t, row[1])), Bytes: number64(t, row[2])})
	}
	return list
}

func number64(t *testing.T, text string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
