package webapp

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Limits of a connection: the time and the size of the head of a request, and the time of each part of a
// body in either direction.
const (
	headTime  = 10 * time.Second
	headBytes = 32 << 10
	partTime  = time.Minute
	partBytes = 1 << 20
)

// A request is an HTTP request. Its body is not read yet.
type request struct {
	method, path, query string
	// hosts and origins are the values of these headers. A host in the target of the request counts, too.
	hosts, origins []string
	// length is the size of the body in bytes, -1 if it is not known.
	length int64
	body   io.Reader
}

// A refusal is an error response.
type refusal struct{ status, text string }

func (r *refusal) Error() string { return r.text }

var errNoLength = &refusal{"411 Length Required", "a body requires a Content-Length"}

// readRequest reads the head of a request.
func readRequest(c Conn) (*request, error) {
	_ = c.SetReadDeadline(time.Now().Add(headTime))
	limited := &io.LimitedReader{R: c, N: headBytes}
	text := bufio.NewReader(limited)
	line, err := lineOf(text)
	if err != nil {
		return nil, err
	}
	words := strings.Split(line, " ")
	if len(words) != 3 || !strings.HasPrefix(words[2], "HTTP/1.") {
		return nil, fmt.Errorf("%q is not a request", line)
	}
	target, err := url.ParseRequestURI(words[1])
	if err != nil {
		return nil, err
	}
	r := &request{method: words[0], path: target.Path, query: target.RawQuery, length: -1}
	for {
		header, err := lineOf(text)
		if header == "" && err == nil {
			break
		}
		name, value, ok := strings.Cut(header, ":")
		if err != nil || !ok {
			return nil, fmt.Errorf("%q is not a header: %w", header, cmp.Or(err, errors.ErrUnsupported))
		}
		if err := r.header(name, strings.TrimSpace(value)); err != nil {
			return nil, err
		}
	}
	if target.Host != "" {
		r.hosts = append(r.hosts, target.Host)
	}
	// Part of the body may have been read with the head.
	limited.N = max(r.length-int64(text.Buffered()), 0)
	limited.R = patient{c}
	r.body = io.LimitReader(text, max(r.length, 0))
	return r, nil
}

// header reads a header.
func (r *request) header(name, value string) error {
	switch strings.ToLower(name) {
	case "host":
		r.hosts = append(r.hosts, value)
	case "origin":
		r.origins = append(r.origins, value)
	case "transfer-encoding":
		return errNoLength
	case "content-length":
		n, err := strconv.ParseUint(value, 10, 63)
		if err != nil || r.length >= 0 {
			return fmt.Errorf("Content-Length %q", value)
		}
		r.length = int64(n)
	}
	return nil
}

// lineOf returns the next line, without its end.
func lineOf(r *bufio.Reader) (string, error) {
	line, err := r.ReadString('\n')
	return strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"), err
}

// patient is a connection that limits the time of each read and write, but not of all together.
type patient struct{ Conn }

func (p patient) Read(data []byte) (int, error) {
	_ = p.SetReadDeadline(time.Now().Add(partTime))
	return p.Conn.Read(data)
}

func (p patient) Write(data []byte) (n int, err error) {
	for part := range slices.Chunk(data, partBytes) {
		_ = p.SetWriteDeadline(time.Now().Add(partTime))
		m, err := p.Conn.Write(part)
		if n += m; err != nil {
			return n, err
		}
	}
	return n, nil
}

// isOwnHost reports whether a host of a request, with or without a port, is this machine or the listening
// address: any address if the server listens on all of them, but no name. Otherwise a page of another
// origin could read files by a name that resolves to this machine.
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

// isFromOwnPage reports whether a page of the requested host made the request: browsers name the origin of
// the page in every POST.
func (r *request) isFromOwnPage() bool {
	return len(r.hosts) > 0 && len(r.origins) == 1 && !slices.ContainsFunc(r.hosts, func(host string) bool {
		return !strings.EqualFold(r.origins[0], "http://"+host)
	})
}

// reply writes the head of a response with a body of so many bytes. If bytes is negative, the body ends with
// the connection.
func reply(w io.Writer, status, kind string, bytes int) error {
	var b strings.Builder
	fmt.Fprintf(&b, "HTTP/1.1 %s\r\n", status)
	for _, header := range [][2]string{
		{"Content-Type", kind},
		{"Content-Security-Policy", policy + "; frame-ancestors 'none'"},
		{"X-Content-Type-Options", "nosniff"},
		{"Referrer-Policy", "no-referrer"},
		{"Cross-Origin-Opener-Policy", "same-origin"},
		{"Cross-Origin-Resource-Policy", "same-origin"},
		{"Cache-Control", "no-cache"},
		{"Connection", "close"},
	} {
		fmt.Fprintf(&b, "%s: %s\r\n", header[0], header[1])
	}
	if bytes >= 0 {
		fmt.Fprintf(&b, "Content-Length: %d\r\n", bytes)
	}
	_, err := io.WriteString(w, b.String()+"\r\n")
	return err
}
