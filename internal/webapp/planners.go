package webapp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/planner"
)

const (
	// plannersMax is the largest number of planners, each of which keeps the model of its page.
	plannersMax = 8
	// lineBytes is the size limit of a request without its model.
	lineBytes = 64 << 10
	// nameBytes is the length of a planner's name, which its page draws at random.
	nameBytes = 32
)

// planners are the planners of the open pages.
type planners struct {
	mu sync.Mutex
	// recent is sorted from the least to the most recently used.
	recent []*desk
}

// A desk is the planner of a page. It answers one request at a time.
type desk struct {
	name string
	*planner.Planner
	// cancel ends the work on the request, and is nil between requests. The mutex of planners guards it.
	cancel context.CancelFunc
	// say receives the progress of the request.
	say func(planner.Reply)
}

// claim returns the planner of a page for a request, which cancel ends. The planner of a new page is new,
// and replaces the least recently used idle one if there are too many.
func (p *planners) claim(name string, cancel context.CancelFunc) (*desk, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.IndexFunc(p.recent, func(d *desk) bool { return d.name == name })
	if i >= 0 && p.recent[i].cancel != nil {
		return nil, &refusal{"409 Conflict", "the planner of this page is busy with another request"}
	}
	if i < 0 {
		if len(p.recent) == plannersMax {
			idle := slices.IndexFunc(p.recent, func(d *desk) bool { return d.cancel == nil })
			if idle < 0 {
				return nil, &refusal{"503 Service Unavailable", fmt.Sprintf("the planners of %d other pages are busy: wait for one of them, or stop it", plannersMax)}
			}
			p.recent = slices.Delete(p.recent, idle, idle+1)
		}
		d := &desk{name: name}
		d.Planner = planner.New(func(r planner.Reply) { d.say(r) })
		i, p.recent = len(p.recent), append(p.recent, d)
	}
	d := p.recent[i]
	p.recent = append(slices.Delete(p.recent, i, i+1), d)
	d.cancel = cancel
	return d, nil
}

// release frees a planner for the next request.
func (p *planners) release(d *desk) {
	p.mu.Lock()
	defer p.mu.Unlock()
	d.cancel = nil
}

// stop ends the work of the planner of a page, which answers with the best so far.
func (p *planners) stop(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, d := range p.recent {
		if d.name == name && d.cancel != nil {
			d.cancel()
		}
	}
}

// ask reads a request to the planner of a page and answers it. The work ends if the page is closed.
func (p *planners) ask(ctx context.Context, r *request, c patient) error {
	switch {
	case len(r.query) != nameBytes:
		return &refusal{"400 Bad Request", fmt.Sprintf("the name of a planner has %d characters", nameBytes)}
	case r.length < 0:
		return errNoLength
	case r.length > planner.ModelBytes+lineBytes:
		return &refusal{"413 Content Too Large", fmt.Sprintf("a model has at most %d bytes", planner.ModelBytes)}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	d, err := p.claim(r.query, cancel)
	if err != nil {
		return err
	}
	release := sync.OnceFunc(func() { p.release(d) })
	defer release()
	body := make([]byte, r.length)
	if _, err := io.ReadFull(r.body, body); err != nil {
		return err
	}
	text, data, _ := bytes.Cut(body, []byte("\n"))
	if err := reply(c, "200 OK", "application/octet-stream", -1); err != nil {
		return nil
	}
	go func() { // until c is closed, by either side
		_ = c.SetReadDeadline(time.Time{})
		_, _ = io.Copy(io.Discard, c.Conn)
		cancel()
	}()
	var mu sync.Mutex
	d.say = func(r planner.Reply) {
		mu.Lock()
		defer mu.Unlock()
		if write(c, r) != nil {
			cancel()
		}
	}
	answer := d.Answer(ctx, string(text), data)
	// The page may send its next request as soon as it has the answer.
	release()
	mu.Lock()
	defer mu.Unlock()
	_ = write(c, answer) // an error means that the page is closed
	return nil
}

// write writes a reply: a line of JSON, and the bytes that it counts.
func write(w io.Writer, r planner.Reply) error {
	line, err := json.Marshal(struct {
		planner.Reply
		DataBytes   int `json:"data_bytes,omitempty"`
		ReportBytes int `json:"report_bytes,omitempty"`
	}{r, len(r.Data), len(r.Report)})
	if err != nil {
		return err
	}
	for _, part := range [][]byte{append(line, '\n'), r.Data, r.Report} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}
