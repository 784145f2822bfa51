package webapp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/planner"
	"github.com/tflarena/tflarena/internal/testkit/builtin"
	"github.com/tflarena/tflarena/internal/testkit/lean"
	"github.com/tflarena/tflarena/internal/testkit/network"
)

// TestMain limits searches to one round: what is sent does not depend on their effort.
func TestMain(m *testing.M) {
	app.Rounds = 1
	lean.Main(m)
}

// name returns the name of a planner.
func name(i int) string { return fmt.Sprintf("%032x", i) }

// post sends a request of a page.
func post(ctx context.Context, t *testing.T, address, target string, body []byte) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address+target, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Origin", address)
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { got.Body.Close() })
	return got
}

// body returns the body of a request to a planner.
func body(t *testing.T, r planner.Request, data []byte) []byte {
	t.Helper()
	return append([]byte(plain(t, r)+"\n"), data...)
}

// next returns the next reply.
func next(t *testing.T, r *bufio.Reader) planner.Reply {
	t.Helper()
	line, err := r.ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	var reply struct {
		planner.Reply
		DataBytes   int `json:"data_bytes"`
		ReportBytes int `json:"report_bytes"`
	}
	if err := json.Unmarshal(line, &reply); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	for _, part := range []struct {
		to *[]byte
		n  int
	}{{&reply.Data, reply.DataBytes}, {&reply.Report, reply.ReportBytes}} {
		if part.n == 0 {
			continue
		}
		*part.to = make([]byte, part.n)
		if _, err := io.ReadFull(r, *part.to); err != nil {
			t.Fatal(err)
		}
	}
	return reply.Reply
}

// ask returns the answer to a request, which is all but progress, and nothing comes after it.
func ask(t *testing.T, address, name string, request planner.Request, data []byte) planner.Reply {
	t.Helper()
	got := post(t.Context(), t, address, "/ask?"+name, body(t, request, data))
	r := bufio.NewReader(got.Body)
	reply := next(t, r)
	for reply.Kind == "progress" {
		reply = next(t, r)
	}
	if rest, err := io.ReadAll(r); err != nil || len(rest) > 0 {
		t.Errorf("%d bytes after the answer, %v", len(rest), err)
	}
	return reply
}

var open = planner.Request{Do: "open", Name: "m.tflite", Kernels: "reference", Alias: "off"}

// TestAsk: pages at the same time get what planners of their own answer.
func TestAsk(t *testing.T) {
	address := served(t)
	for i, seed := range []uint64{3, 5, 9} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			data := network.Convolutions(seed, 8)
			own := planner.New(func(planner.Reply) {})
			for _, r := range []planner.Request{{Do: "facts"}, {Do: "judge", Arena: "1K"}, open, {Do: "rewrite"}, {Do: "fit"}, {Do: "judge", Arena: "1G"}, {Do: "dance"}} {
				var model []byte
				if r.Do == "open" {
					model = data
				}
				text := plain(t, r)
				want := own.Answer(t.Context(), text, model)
				got := ask(t, address, name(i), r, model)
				if plain(t, got) != plain(t, want) || !bytes.Equal(got.Data, want.Data) || !bytes.Equal(got.Report, want.Report) {
					t.Errorf("%s: %s, not %s", text, plain(t, got), plain(t, want))
				}
			}
		})
	}
}

// plain returns the JSON of a request or a reply.
func plain(t *testing.T, r any) string {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestAskRefuses: only a page of this server gets an answer, to a request of a limited size.
func TestAskRefuses(t *testing.T) {
	address := served(t)
	host := strings.TrimPrefix(address, "http://")
	own := "Origin: " + address + "\r\n"
	target := "/ask?" + name(1)
	for _, c := range []struct {
		what, head, status string
	}{
		{"no origin", "POST " + target + " HTTP/1.1\r\nHost: " + host + "\r\nContent-Length: 2\r\n\r\n{}", "403"},
		{"another site", "POST " + target + " HTTP/1.1\r\nHost: " + host + "\r\nOrigin: https://evil.com\r\nContent-Length: 2\r\n\r\n{}", "403"},
		{"another server of this machine", "POST " + target + " HTTP/1.1\r\nHost: " + host + "\r\nOrigin: http://127.0.0.1:1\r\nContent-Length: 2\r\n\r\n{}", "403"},
		{"no origin that may be told", "POST " + target + " HTTP/1.1\r\nHost: " + host + "\r\nOrigin: null\r\nContent-Length: 2\r\n\r\n{}", "403"},
		{"two origins", "POST " + target + " HTTP/1.1\r\nHost: " + host + "\r\n" + own + "Origin: https://evil.com\r\nContent-Length: 2\r\n\r\n{}", "403"},
		{"a name that leads here", "POST " + target + " HTTP/1.1\r\nHost: evil.com\r\nOrigin: http://evil.com\r\nContent-Length: 2\r\n\r\n{}", "421"},
		{"no host", "POST " + target + " HTTP/1.1\r\n" + own + "Content-Length: 2\r\n\r\n{}", "403"},
		{"stop from another site", "POST /stop?" + name(1) + " HTTP/1.1\r\nHost: " + host + "\r\nOrigin: https://evil.com\r\n\r\n", "403"},
		{"a stranger's method", "OPTIONS " + target + " HTTP/1.1\r\nHost: " + host + "\r\n" + own + "\r\n", "405"},
		{"no planner", "POST /ask HTTP/1.1\r\nHost: " + host + "\r\n" + own + "Content-Length: 2\r\n\r\n{}", "400"},
		{"no length", "POST " + target + " HTTP/1.1\r\nHost: " + host + "\r\n" + own + "\r\n", "411"},
		{"chunks", "POST " + target + " HTTP/1.1\r\nHost: " + host + "\r\n" + own + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", "411"},
		{"too much", "POST " + target + " HTTP/1.1\r\nHost: " + host + "\r\n" + own + "Content-Length: 600000000\r\n\r\n{}", "413"},
		{"far too much", "POST " + target + " HTTP/1.1\r\nHost: " + host + "\r\n" + own + "Content-Length: 9000000000000000000\r\n\r\n{}", "413"},
		{"no number", "POST " + target + " HTTP/1.1\r\nHost: " + host + "\r\n" + own + "Content-Length: -1\r\n\r\n{}", "400"},
		{"two lengths", "POST " + target + " HTTP/1.1\r\nHost: " + host + "\r\n" + own + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", "400"},
		{"elsewhere", "POST /tell HTTP/1.1\r\nHost: " + host + "\r\n" + own + "Content-Length: 0\r\n\r\n", "404"},
		{"a page", "POST " + target + " HTTP/1.1\r\nHost: " + host + "\r\n" + own + "Content-Length: 2\r\n\r\n{}", "200"},
		{"a page by another name", "POST /ask?" + name(2) + " HTTP/1.1\r\nHost: localhost:80\r\nOrigin: http://LOCALHOST:80\r\nContent-Length: 2\r\n\r\n{}", "200"},
	} {
		conn, err := net.Dial("tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(conn, c.head)
		got, err := bufio.NewReader(conn).ReadString('\n')
		conn.Close()
		if err != nil || !strings.HasPrefix(got, "HTTP/1.1 "+c.status+" ") {
			t.Errorf("%s: %q, %v", c.what, got, err)
		}
	}
}

// searching has a page begin a search that does not end by itself for long, and returns its replies.
func searching(ctx context.Context, t *testing.T, address, name string) *bufio.Reader {
	t.Helper()
	if got := ask(t, address, name, open, builtin.Model(t, "mobilenet-v2").Data); got.Kind != "report" {
		t.Fatalf("%+v", got)
	}
	got := post(ctx, t, address, "/ask?"+name, body(t, planner.Request{Do: "fit"}, nil))
	r := bufio.NewReader(got.Body)
	if reply := next(t, r); reply.Kind != "progress" {
		t.Fatalf("%+v", reply)
	}
	return r
}

// TestStop: a search ends by a request, with an answer; meanwhile, its page gets no other.
func TestStop(t *testing.T) {
	address := served(t)
	r := searching(t.Context(), t, address, name(1))
	if got := post(t.Context(), t, address, "/ask?"+name(1), body(t, planner.Request{Do: "facts"}, nil)); got.StatusCode != http.StatusConflict {
		t.Error(got.Status)
	}
	for _, who := range []int{2, 1} { // another page stops nothing
		if got := post(t.Context(), t, address, "/stop?"+name(who), nil); got.StatusCode != http.StatusNoContent {
			t.Error(got.Status)
		}
	}
	reply := next(t, r)
	for reply.Kind == "progress" {
		reply = next(t, r)
	}
	if !strings.Contains(reply.Message, "stopped") {
		t.Errorf("%+v", reply)
	}
	if got := ask(t, address, name(1), planner.Request{Do: "judge", Arena: "1G"}, nil); got.Kind != "verdict" {
		t.Errorf("%+v", got)
	}
}

// TestGone: the search of a page that is gone ends, and so does one when the server ends, which the end of the test waits for.
func TestGone(t *testing.T) {
	address := served(t)
	ctx, leave := context.WithCancel(t.Context())
	searching(ctx, t, address, name(1))
	leave()
	for {
		got := post(t.Context(), t, address, "/ask?"+name(1), body(t, planner.Request{Do: "facts"}, nil))
		if got.StatusCode == http.StatusOK {
			break // or the test runs out of time
		}
		got.Body.Close()
	}
	searching(t.Context(), t, address, name(2))
}

// TestPlannersMax: the planners of pages that ask nothing make room, in the order of their last requests.
func TestPlannersMax(t *testing.T) {
	var p planners
	claim := func(i int) (*desk, error) { return p.claim(name(i), func() {}) }
	var desks []*desk
	for i := range plannersMax {
		d, err := claim(i)
		if err != nil {
			t.Fatal(err)
		}
		desks = append(desks, d)
	}
	if _, err := claim(plannersMax); err == nil {
		t.Error("more planners than there may be")
	}
	for _, i := range []int{3, 1, 2} {
		p.release(desks[i])
	}
	again, err := claim(1)
	if err != nil || again.Planner != desks[1].Planner {
		t.Error(err, "another planner")
	}
	p.release(again)
	for _, i := range []int{100, 101} { // in the place of 2 and 3
		if _, err := claim(i); err != nil {
			t.Error(err)
		}
	}
	if again, err = claim(1); err != nil || again.Planner != desks[1].Planner {
		t.Error(err, "another planner")
	}
	if _, err := claim(2); err == nil || len(p.recent) != plannersMax {
		t.Errorf("%v, %d planners", err, len(p.recent))
	}
}
