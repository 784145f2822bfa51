package webapp

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tflarena/tflarena/internal/page"
)

// served serves the application until the test ends, and returns the address.
func served(t *testing.T) string {
	t.Helper()
	l, err := Listen(netip.MustParseAddrPort("127.0.0.1:0"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		ended <- Serve(ctx, l)
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return "http://" + l.Addr().String()
}

// The files are there, under a policy that forbids all others, and nothing else is.
func TestServe(t *testing.T) {
	address := served(t)
	want := files("server", policy, page.Licences())
	for _, c := range []struct {
		method, path, file string
		code               int
		kind               string
	}{
		{"GET", "/", Index, 200, "text/html; charset=utf-8"},
		{"GET", "/index.html?x=1", Index, 200, "text/html; charset=utf-8"},
		{"HEAD", "/", "", 200, "text/html; charset=utf-8"},
		{"GET", "/application.js", "application.js", 200, "text/javascript; charset=utf-8"},
		{"GET", "/application.css", "application.css", 200, "text/css; charset=utf-8"},
		{"GET", "/planner.wasm.gz", "", 404, "text/plain; charset=utf-8"},
		{"GET", "/../index.html", "", 404, "text/plain; charset=utf-8"},
		{"GET", "/%2e%2e/etc/passwd", "", 404, "text/plain; charset=utf-8"},
		{"POST", "/", "", 403, "text/plain; charset=utf-8"},
		{"PUT", "/", "", 405, "text/plain; charset=utf-8"},
	} {
		r, err := http.NewRequestWithContext(t.Context(), c.method, address+c.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(got.Body)
		got.Body.Close()
		if err != nil || got.StatusCode != c.code || c.file != "" && !bytes.Equal(body, want[c.file]) {
			t.Errorf("%s %s: %v, %s, %d bytes", c.method, c.path, err, got.Status, len(body))
		}
		h := got.Header
		if strings.Contains(h.Get("Content-Security-Policy"), "wasm") {
			t.Errorf("%s %s: %v", c.method, c.path, h)
		}
		if h.Get("Content-Type") != c.kind || h.Get("X-Content-Type-Options") != "nosniff" || !strings.HasPrefix(h.Get("Content-Security-Policy"), "default-src 'none'; ") {
			t.Errorf("%s %s: %v", c.method, c.path, h)
		}
	}
}

// A connection that comes when all is over is closed.
func TestServeEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	late := &lateListener{end: cancel}
	if err := Serve(ctx, late); err != nil || late.conn.closed.Load() == 0 {
		t.Errorf("%v, closed %d times", err, late.conn.closed.Load())
	}
}

// A lateListener has one connection, with which the serving ends.
type lateListener struct {
	Listener
	end  func()
	conn lateConn
}

func (l *lateListener) Accept() (Conn, error) {
	l.end()
	return &l.conn, nil
}

func (l *lateListener) Close() error { return nil }

type lateConn struct {
	Conn
	closed atomic.Int32
}

func (c *lateConn) Close() error {
	c.closed.Add(1)
	return nil
}

// An invalid request gets an answer, and does not block others.
func TestServeNonsense(t *testing.T) {
	address := strings.TrimPrefix(served(t), "http://")
	silent, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	for _, text := range []string{"\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/1.1\r\nno header\r\n\r\n", "GET  / HTTP/1.1\r\n\r\n", "GET / SMTP\r\n\r\n", "GET \x00 HTTP/1.1\r\n\r\n", strings.Repeat("G", 1<<16)} {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(c, text) // which may be more than is read
		got, _ := io.ReadAll(c)
		c.Close()
		if !strings.HasPrefix(string(got), "HTTP/1.1 400 Bad Request\r\n") && len(text) < 1<<16 {
			t.Errorf("%.20q: %q", text, got)
		}
	}
	got, err := http.Get("http://" + address + "/")
	if err != nil {
		t.Fatal(err)
	}
	got.Body.Close()
	if got.StatusCode != http.StatusOK {
		t.Error(got.Status)
	}
}

// A client that asks for the head alone gets no body, which net/http would not show.
func TestServeHead(t *testing.T) {
	c, err := net.Dial("tcp", strings.TrimPrefix(served(t), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprint(c, "HEAD / HTTP/1.1\r\n\r\n")
	got, err := io.ReadAll(c)
	if err != nil || !strings.HasPrefix(string(got), "HTTP/1.1 200 OK\r\n") || !strings.HasSuffix(string(got), "\r\n\r\n") {
		t.Errorf("%q, %v", got, err)
	}
}

// TestServeHosts: a request for another host is not answered with a file, as a page of another origin may have
// made its own name lead here.
func TestServeHosts(t *testing.T) {
	address := served(t)
	for host, code := range map[string]int{
		"": 200, "localhost": 200, "LOCALHOST:1": 200, "127.0.0.1": 200, "127.0.0.1:8080": 200, "127.1.2.3": 200, "[::1]": 200, "[::1]:80": 200,
		"evil.com": 421, "evil.com:80": 421, "localhost.evil.com": 421, "127.0.0.1.evil.com": 421, "192.0.2.1": 421, "192.0.2.1:80": 421, "[2001:db8::1]": 421, "0.0.0.0": 421, "evil.com:127.0.0.1": 421,
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		got, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		got.Body.Close()
		if got.StatusCode != code {
			t.Errorf("host %q: %s", host, got.Status)
		}
	}
	for _, c := range []struct {
		host, listened string
		want           bool
	}{
		{"192.0.2.1:80", "192.0.2.1", true}, {"192.0.2.2:80", "192.0.2.1", false}, {"192.0.2.1", "0.0.0.0", true}, {"[2001:db8::1]:8", "::", true}, {"evil.com", "0.0.0.0", false}, {"", "127.0.0.1", false},
	} {
		if got := isOwnHost(c.host, netip.MustParseAddr(c.listened)); got != c.want {
			t.Errorf("host %q at %s: %v", c.host, c.listened, got)
		}
	}
}

// TestServeTargets: a host in the target of a request counts like a header, and one without any is served.
func TestServeTargets(t *testing.T) {
	for text, status := range map[string]string{
		"GET http://evil.com/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n": "421", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nhost: evil.com\r\n\r\n": "421",
		"GET / HTTP/1.1\r\nHost: evil.com\r\nHost: 127.0.0.1\r\n\r\n": "421", "GET / HTTP/1.0\r\n\r\n": "200", "GET http://127.0.0.1/ HTTP/1.1\r\n\r\n": "200",
	} {
		c, err := net.Dial("tcp", strings.TrimPrefix(served(t), "http://"))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(c, text)
		got, err := io.ReadAll(c)
		c.Close()
		if err != nil || !strings.HasPrefix(string(got), "HTTP/1.1 "+status+" ") {
			t.Errorf("%q: %v, %.30q", text, err, got)
		}
	}
}
