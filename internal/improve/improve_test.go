package improve

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/expiry"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

func network(t *testing.T, name string) *tflite.Model {
	t.Helper()
	data, err := models.Build(name, models.Options{Weights: models.Zero})
	if err != nil {
		t.Fatal(err)
	}
	return modelfile.Parse(t, data)
}

// found returns a model of the shared test data on which an earlier version went wrong.
func found(t *testing.T, name string) *tflite.Model {
	t.Helper()
	m, err := tflite.Open(filepath.Join(corpus.Dir(t), "found", name+".tflite"))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// row is a model of operators that read these tensors, and make each the one behind it.
func row(t *testing.T, reads ...int) *tflite.Model {
	t.Helper()
	s := encode.Subgraph{Name: "main", Inputs: []int{0}, Outputs: []int{len(reads)}}
	for i := range len(reads) + 1 {
		s.Tensors = append(s.Tensors, encode.Tensor{Type: schema.TensorTypeINT8, Shape: []int32{int32(100 * (i + 1))}})
	}
	for _, in := range reads {
		s.Operators = append(s.Operators, encode.Operator{Builtin: schema.BuiltinOperatorRELU, Inputs: []int{in}, Outputs: []int{in + 1}})
	}
	return modelfile.Build(t, encode.Model{Subgraphs: []encode.Subgraph{s}})
}

func improved(t *testing.T, m *tflite.Model, g Goal) *Outcome {
	t.Helper()
	o, err := Improve(context.Background(), m, g)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// unchanged checks that the model was handed back.
func unchanged(t *testing.T, o *Outcome, m *tflite.Model, a Action, k Kind) {
	t.Helper()
	if !bytes.Equal(o.Data, m.Data) || o.Method != rewrite.Unchanged || len(o.Changes) > 0 {
		t.Errorf("the model was changed: %s, %q", o.Method, o.Changes)
	}
	if o.Action != a || o.Reason.Kind != k || k != Asked && o.Reason.Text == "" {
		t.Errorf("action %v, reason %+v; want %v, %v", o.Action, o.Reason, a, k)
	}
	if !reflect.DeepEqual(o.Before, o.After) || o.Saved != 0 {
		t.Errorf("figures %+v became %+v, saved %d", o.Before, o.After, o.Saved)
	}
}

// foreign returns a built-in network with a plan whose header is another tool's.
func foreign(t *testing.T, name string) *tflite.Model {
	t.Helper()
	m := modelfile.Parse(t, improved(t, network(t, name), Goal{Pin: pin.All}).Data)
	plans, err := rewrite.ReadPlans(m)
	if err != nil || len(plans) != 1 {
		t.Fatal(plans, err)
	}
	data := bytes.Clone(m.Data)
	binary.LittleEndian.PutUint32(data[plans[0].At:], 7)
	return modelfile.Parse(t, data)
}

// kinds returns what notes are about.
func kinds(notes []Note) (list []Kind) {
	for _, n := range notes {
		list = append(list, n.Kind)
	}
	return list
}

func TestNothingToGain(t *testing.T) {
	m := row(t, 0, 1, 2)
	unchanged(t, improved(t, m, Goal{}), m, Copied, AtBound)
	unchanged(t, improved(t, m, Goal{Reorder: true}), m, Copied, AtBound)
	unchanged(t, improved(t, m, Goal{Remove: true}), m, Copied, NoPlan)
}

func TestForeignPlan(t *testing.T) {
	m := foreign(t, "blazeface")
	for _, g := range []Goal{{}, {Reorder: true}, {Pin: pin.All}} {
		o := improved(t, m, g)
		unchanged(t, o, m, Kept, ForeignStays)
		if len(o.Warnings) > 0 {
			t.Errorf("%+v: warnings %+v", g, o.Warnings)
		}
	}
	o := improved(t, m, Goal{Force: true})
	if o.Action != Embedded || !slices.Equal(kinds(o.Warnings), []Kind{ForeignLost}) {
		t.Errorf("forced: %v, %+v", o.Action, o.Warnings)
	}
	if o := improved(t, foreign(t, "swiftnet"), Goal{Force: true, Reorder: true}); o.Moved == 0 || !slices.Equal(kinds(o.Warnings), []Kind{ForeignLost}) {
		t.Errorf("forced, in another order: %d moved, %+v", o.Moved, o.Warnings)
	}
	var refused *rewrite.RefusedError
	if _, err := Improve(context.Background(), m, Goal{Remove: true}); !errors.As(err, &refused) || !refused.Force {
		t.Errorf("taken out for nothing: %v", err)
	}
	if o := improved(t, m, Goal{Remove: true, Force: true}); o.Action != Removed || o.After.Head != o.Online {
		t.Errorf("taken out: %+v", o)
	}
}

// Whenever the context ends there is a model: the one that there was, or a better one.
func TestEndedContext(t *testing.T) {
	m := network(t, "blazeface")
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	late, stop := context.WithTimeout(context.Background(), -time.Second)
	defer stop()
	for _, ctx := range []context.Context{canceled, late, expiry.New(0), expiry.Interrupted(0)} {
		for _, g := range []Goal{{}, {Reorder: true}} {
			o, err := Improve(ctx, m, g)
			if err != nil {
				t.Fatal(err)
			}
			unchanged(t, o, m, Copied, OutOfTime)
			if !o.Interrupted {
				t.Error("the outcome does not say that it was interrupted")
			}
		}
	}
	if o, err := Improve(late, m, Goal{Remove: true}); err != nil || o.Interrupted || o.Reason.Kind != NoPlan {
		t.Errorf("what needs no search was not done at a deadline: %+v, %v", o, err)
	}
}

func TestEndsAnywhere(t *testing.T) {
	m := found(t, "attention.f32")
	whole := improved(t, m, Goal{Reorder: true})
	seen := map[Action]int{}
	for looks := 0; looks < 200; looks += 7 {
		o, err := Improve(expiry.New(looks), m, Goal{Reorder: true})
		if err != nil {
			t.Fatalf("after %d looks: %v", looks, err)
		}
		seen[o.Action]++
		if o.After.Required > o.Before.Required || o.After.Required < whole.After.Required {
			t.Errorf("after %d looks: a required arena of %d B, before %d B, at last %d B", looks, o.After.Required, o.Before.Required, whole.After.Required)
		}
		if changed := !bytes.Equal(o.Data, m.Data); changed != (o.Action == Embedded || o.Action == Reordered) {
			t.Errorf("after %d looks: action %v, and the file is changed: %v", looks, o.Action, changed)
		}
	}
	if seen[Copied] == 0 || whole.Action != Reordered {
		t.Errorf("actions %v, at last %v", seen, whole.Action)
	}
}

// TestOrderLeft: a rejected order leaves nothing but its notes and search results.
func TestOrderLeft(t *testing.T) {
	m := found(t, "lstm_unrolled.int8")
	plain, tried := improved(t, m, Goal{}), improved(t, m, Goal{Reorder: true})
	if !slices.Contains(kinds(tried.Notes), OrderNoSmaller) || tried.Ordering == nil {
		t.Fatalf("no order was tried and left: %+v", tried.Notes)
	}
	if tried.Moved != 0 || tried.WrittenPeak != 0 || tried.Data == nil {
		t.Errorf("moved %d, peak %d", tried.Moved, tried.WrittenPeak)
	}
	if tried.Action == Embedded && !bytes.Equal(plain.Data, tried.Data) || tried.Action == Copied && !bytes.Equal(m.Data, tried.Data) {
		t.Errorf("%v, and the file is another", tried.Action)
	}
}

func TestToposort(t *testing.T) {
	m := row(t, 1, 0)
	var disorder *DisorderError
	if _, err := Improve(context.Background(), m, Goal{Reorder: true}); !errors.As(err, &disorder) {
		t.Errorf("in no valid order: %v", err)
	}
	o := improved(t, m, Goal{Toposort: true})
	if o.Action != Reordered || o.Reason.Kind != OrderAlone || !slices.Equal(kinds(o.Warnings), []Kind{Mended}) {
		t.Errorf("mended: %v, %+v, %+v", o.Action, o.Reason, o.Warnings)
	}
	unchanged(t, improved(t, modelfile.Parse(t, o.Data), Goal{Toposort: true}), modelfile.Parse(t, o.Data), Copied, AtBound)
}

func TestRemoved(t *testing.T) {
	m := network(t, "blazeface")
	planned := improved(t, m, Goal{})
	o := improved(t, modelfile.Parse(t, planned.Data), Goal{Remove: true})
	if o.Action != Removed || !bytes.Equal(o.Data, m.Data) || o.Reason.Kind != Asked || o.Saved != planned.After.Head-planned.Before.Head {
		t.Errorf("taken out: %v, %+v, saved %d", o.Action, o.Reason, o.Saved)
	}
}

// TestBlazeface: one fixed tensor reaches the lower bound, and a model that has the plan already stays as it is.
func TestBlazeface(t *testing.T) {
	m := network(t, "blazeface")
	o := improved(t, m, Goal{Reorder: true})
	if o.Action != Embedded || o.Before.Head != 688_128 || o.After.Head != 516_096 || o.Bound != o.After.Head ||
		o.Before.Required != 720_544 || o.After.Required != 548_512 ||
		o.After.Fixed != 1 || o.Planned != 79 || o.Strategy != alloc.GreedyBySize {
		t.Errorf("%+v to %+v, %d tensors fixed of %d by %s, bound %d", o.Before, o.After, o.After.Fixed, o.Planned, o.Strategy, o.Bound)
	}
	again := improved(t, modelfile.Parse(t, o.Data), Goal{})
	if o.Saved != 172_032 || again.Saved != 0 || again.Reason != (Note{SamePlan, "the model has this plan already"}) {
		t.Errorf("saved %d, then %d: %+v", o.Saved, again.Saved, again.Reason)
	}
}
