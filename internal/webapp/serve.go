package webapp

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/exp/slices"
)

// Time limits of a browser for a request, and for reading the answer.
const (
	requestTime  = 10 * time.Second
	replyTime    = time.Minute
	requestBytes = 32 << 10
	// acceptPause is the pause after a failed connection.
	acceptPause = 50 * time.Millisecond
)

// Serve answers requests for the files of the application until ctx ends. It implements the required
// part of HTTP: GET and HEAD of a few files, one for each connection. Package net/http would make the
// command a quarter larger.
func (f Files) Serve(ctx context.Context, l Listener) error {
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
			select { // a connection that ended before it began, or too many of them
			case <-ctx.Done():
			case <-time.After(acceptPause):
			}
			continue
		}
		open.Go(func() {
			defer c.Close()
			defer context.AfterFunc(ctx, func() { c.Close() })()
			f.answer(c, l.Addr().Addr())
		})
	}
}

// answer reads one request to an address and answers it. Errors of a connection are left to the
// browser.
func (f Files) answer(c Conn, at netip.Addr) {
	_ = c.SetReadDeadline(time.Now().Add(requestTime))
	method, target, hosts, err := request(c)
	_ = c.SetWriteDeadline(time.Now().Add(replyTime))
	w := bufio.NewWriter(c)
	defer w.Flush()
	switch {
	case err != nil:
		reply(w, "400 Bad Request", "text/plain; charset=utf-8", []byte("bad request\n"), true)
		return
	case slices.ContainsFunc(hosts, func(host string) bool { return !isOwnHost(host, at) }):
		reply(w, "421 Misdirected Request", "text/plain; charset=utf-8", []byte("this server is not of that name: use the address that serve has printed\n"), true)
		return
	case method != "GET" && method != "HEAD":
		reply(w, "405 Method Not Allowed", "text/plain; charset=utf-8", []byte("only GET and HEAD are allowed\n"), true)
		return
	}
	name := strings.TrimPrefix(target, "/")
	if name == "" {
		name = Index
	}
	data, ok := f[name]
	if !ok {
		reply(w, "404 Not Found", "text/plain; charset=utf-8", []byte("there is no such file\n"), method == "GET")
		return
	}
	reply(w, "200 OK", contentType(name), data, method == "GET")
}

// isOwnHost reports whether a request may be for a host, with a port or without: the listening
// address, or this machine. This keeps a page of another origin whose name resolves to this machine
// from reading anything. If all addresses are listened on, it is any address, but no name.
func isOwnHost(host string, at netip.Addr) bool {
	if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.HasSuffix(host, "]") {
		host = host[:i]
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"))
	addr, at = addr.Unmap(), at.Unmap()
	return err == nil && (addr.IsLoopback() || addr == at || at.IsUnspecified())
}

// request returns the method, the path and the hosts of a request.
func request(r io.Reader) (method, path string, hosts []string, err error) {
	text := bufio.NewReader(io.LimitReader(r, requestBytes))
	line, err := lineOf(text)
	if err != nil {
		return "", "", nil, err
	}
	words := strings.Split(line, " ")
	if len(words) != 3 || !strings.HasPrefix(words[2], "HTTP/1.") {
		return "", "", nil, fmt.Errorf("%q is not a request", line)
	}
	for {
		header, err := lineOf(text)
		if header == "" && err == nil {
			break
		}
		if err != nil || !strings.Contains(header, ":") {
			return "", "", nil, fmt.Errorf("%q is not a header: %w", header, cmp.Or(err, errors.ErrUnsupported))
		}
		if name, value, _ := strings.Cut(header, ":"); strings.EqualFold(name, "Host") {
			hosts = append(hosts, strings.TrimSpace(value))
		}
	}
	target, err := url.ParseRequestURI(words[1])
	if err != nil {
		return "", "", nil, err
	}
	if target.Host != "" {
		hosts = append(hosts, target.Host)
	}
	return words[0], target.Path, hosts, nil
}

// lineOf returns the next line, without its end.
func lineOf(r *bufio.Reader) (string, error) {
	line, err := r.ReadString('\n')
	return strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"), err
}

// reply writes an answer, without the body for a request of only the head.
func reply(w io.Writer, status, kind string, body []byte, whole bool) {
	fmt.Fprintf(w, "HTTP/1.1 %s\r\n", status)
	for _, header := range [][2]string{
		{"Content-Type", kind},
		{"Content-Length", fmt.Sprint(len(body))},
		{"Content-Security-Policy", policy + "; frame-ancestors 'none'"},
		{"X-Content-Type-Options", "nosniff"},
		{"Referrer-Policy", "no-referrer"},
		{"Cross-Origin-Opener-Policy", "same-origin"},
		{"Cross-Origin-Resource-Policy", "same-origin"},
		{"Cache-Control", "no-cache"},
		{"Connection", "close"},
	} {
		fmt.Fprintf(w, "%s: %s\r\n", header[0], header[1])
	}
	fmt.Fprint(w, "\r\n")
	if whole {
		_, _ = w.Write(body) // an error means that the browser has gone
	}
}
