// Package planner serves the requests of the application's page: it reads a model, makes the report
// that the page draws, checks it against a budget, and makes smaller models. It does not depend on a
// browser, so that tests can compare it with the command.
package planner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/notes"
	"github.com/tflarena/tflarena/internal/shell"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// A Request is a request of the page.
type Request struct {
	// Do is one of "facts", "look", "open", "judge", "rewrite" and "fit".
	Do string `json:"do"`
	// Name is the name of the file that is opened, or "builtin:" and a network, which comes without data. Its
	// figures are for a kernel library, and outputs share memory with inputs as far as Alias permits it.
	Name    string `json:"name"`
	Kernels string `json:"kernels"`
	Alias   string `json:"alias"`
	// Arena is a budget for the required arena as people write it, such as "128K". Without it, "fit"
	// looks for the least head.
	Arena string `json:"arena"`
	// Reorder lets "rewrite" put the operators into another order.
	Reorder bool `json:"reorder"`
}

// A Reply is an answer or a progress report.
type Reply struct {
	// Kind is "progress", "failed", or what was asked for: "facts", "plausible", "report",
	// "verdict" and "model".
	Kind string `json:"kind"`
	// Message is a sentence for people.
	Message string `json:"message,omitempty"`
	// Stopped says, of what failed, that the page asked for it.
	Stopped bool     `json:"stopped,omitempty"`
	Facts   *Facts   `json:"facts,omitempty"`
	Verdict *Verdict `json:"verdict,omitempty"`
	Model   *Made    `json:"model,omitempty"`
	// Data is the JSON of a report, or the bytes of a model. A model that was fitted also has a new
	// Report.
	Data   []byte `json:"-"`
	Report []byte `json:"-"`
}

// ModelBytes is the size of the largest model that a page opens. In a browser, WebAssembly has 4 GiB of
// memory at most, of which a model takes several times its size.
const ModelBytes = 512 << 20

// Facts are the choices and limits of the page.
type Facts struct {
	ModelBytes int64    `json:"model_bytes_max"`
	Kernels    []string `json:"kernels"`
	// Usual names the kernels that the figures are for unless somebody chooses others.
	Usual   string   `json:"kernels_usual"`
	Aliases []string `json:"aliases"`
	Samples []Sample `json:"samples"`
}

// A Sample is a built-in network for people without a model at hand.
type Sample struct {
	Name  string `json:"name"`
	Title string `json:"title"`
}

// samples are small, and each gains by another button: by a plan, by another order, and by tiling.
var samples = []string{"blazeface", "swiftnet", "mobilenet-v1"}

// A Planner answers the requests of a page, one after the other.
type Planner struct {
	// say reports progress.
	say     func(Reply)
	subject *subject
}

// New returns a planner that reports progress to say.
func New(say func(Reply)) *Planner { return &Planner{say: say} }

// Answer returns the answer to a request in JSON; some requests come with data. When ctx ends, it
// returns the best answer so far, or reports that the work was stopped.
func (p *Planner) Answer(ctx context.Context, request string, data []byte) (reply Reply) {
	defer func() {
		if cause := recover(); cause != nil {
			p.subject = nil
			reply = failed(ctx, &rewrite.FaultError{Err: fmt.Errorf("%v at %s", cause, debug.Stack())})
		}
	}()
	var r Request
	if err := json.Unmarshal([]byte(request), &r); err != nil {
		return failed(ctx, err)
	}
	reply, err := p.answer(ctx, &r, data)
	if err != nil {
		return failed(ctx, err)
	}
	return reply
}

// errNoModel is the error of a request that requires an open model.
var errNoModel = errors.New("no model is open: choose a .tflite file first")

func (p *Planner) answer(ctx context.Context, r *Request, data []byte) (Reply, error) {
	switch r.Do {
	case "facts":
		f := &Facts{ModelBytes: ModelBytes, Kernels: rules.KernelLibraries(), Usual: notes.Reference}
		for _, a := range rules.Aliases() {
			f.Aliases = append(f.Aliases, string(a))
		}
		for _, n := range models.List() {
			if slices.Contains(samples, n.Name) {
				f.Samples = append(f.Samples, Sample{shell.Builtin + n.Name + models.Int8, n.Title})
			}
		}
		return Reply{Kind: "facts", Facts: f}, nil
	case "look":
		// The beginning of a file shows whether it can be a model.
		return Reply{Kind: "plausible"}, tflite.Plausible(data)
	case "open":
		p.subject = nil // frees its memory
		s, err := p.open(ctx, r, data)
		if err != nil {
			return Reply{}, err
		}
		p.subject = s
		return s.document()
	}
	if p.subject == nil {
		return Reply{}, errNoModel
	}
	switch r.Do {
	case "judge":
		return p.subject.judge(r)
	case "rewrite":
		return p.subject.rewrite(ctx, r)
	case "fit":
		return p.subject.fit(ctx, r)
	}
	return Reply{}, fmt.Errorf("the planner cannot %q", r.Do)
}

func failed(ctx context.Context, err error) Reply {
	reply := Reply{Kind: "failed", Message: err.Error()}
	var fault *rewrite.FaultError
	switch {
	case errors.As(err, &fault):
		reply.Message = fmt.Sprintf("this is a fault in tflarena, please report it: %v", fault.Err)
	case ctx.Err() != nil:
		reply.Message, reply.Stopped = "stopped before there was anything to show", true
	}
	return reply
}
