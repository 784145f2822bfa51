package webapp

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/page"
)

// acceptPause is the pause after a failed connection.
const acceptPause = 50 * time.Millisecond

// A server answers requests for files, and requests of pages to their planners.
type server struct {
	files    Files
	planners planners
}

// Serve answers the requests of browsers until ctx ends. It implements the required part of HTTP, with
// one request for each connection. Package net/http would make the command a quarter larger.
func Serve(ctx context.Context, l Listener) error {
	s := &server{files: files("server", policy, page.Licences())}
	stop := context.AfterFunc(ctx, func() { l.Close() })
	defer stop()
	var open sync.WaitGroup
	defer open.Wait()
	for {
		c, err := l.Accept()
		if ctx.Err() != nil {
			if err == nil {
				c.Close() // it came just before the end
			}
			return nil
		}
		if errors.Is(err, os.ErrClosed) {
			return err
		}
		if err != nil {
			select { // the connection was reset, or there are too many
			case <-ctx.Done():
			case <-time.After(acceptPause):
			}
			continue
		}
		open.Go(func() {
			defer c.Close()
			defer context.AfterFunc(ctx, func() { c.Close() })()
			s.connection(ctx, c, l)
		})
	}
}

// connection reads a request and answers it. Errors of a connection are left to the browser.
func (s *server) connection(ctx context.Context, c Conn, l Listener) {
	r, err := readRequest(c)
	w := patient{c}
	if err == nil {
		err = s.answer(ctx, r, w, l)
	}
	if err == nil {
		return
	}
	refused := &refusal{"400 Bad Request", "bad request"}
	_ = errors.As(err, &refused)
	text := refused.text + "\n"
	if reply(w, refused.status, "text/plain; charset=utf-8", len(text)) == nil && (r == nil || r.method != "HEAD") {
		_, _ = io.WriteString(w, text)
	}
}

// answer answers a request. It returns an error only if it has written nothing.
func (s *server) answer(ctx context.Context, r *request, w patient, l Listener) error {
	if slices.ContainsFunc(r.hosts, func(host string) bool { return !isOwnHost(host, l.Addr().Addr()) }) {
		return &refusal{"421 Misdirected Request", "this server does not answer for that host: use the address that serve printed"}
	}
	switch r.method {
	case "GET", "HEAD":
		return s.file(r, w)
	case "POST":
		if !r.isFromOwnPage() {
			return &refusal{"403 Forbidden", "only the page of this server may use its planner"}
		}
		switch r.path {
		case "/ask":
			return s.planners.ask(ctx, r, w)
		case "/stop":
			s.planners.stop(r.query)
			_ = reply(w, "204 No Content", "text/plain; charset=utf-8", -1)
			return nil
		}
		return &refusal{"404 Not Found", "the planner answers at /ask and /stop"}
	}
	return &refusal{"405 Method Not Allowed", "only GET, HEAD and POST are allowed"}
}

// file answers a request for a file.
func (s *server) file(r *request, w io.Writer) error {
	name := strings.TrimPrefix(r.path, "/")
	if name == "" {
		name = Index
	}
	data, ok := s.files[name]
	if !ok {
		return &refusal{"404 Not Found", "no such file"}
	}
	// An error means that the browser closed the connection.
	if reply(w, "200 OK", contentType(name), len(data)) == nil && r.method == "GET" {
		_, _ = w.Write(data)
	}
	return nil
}
