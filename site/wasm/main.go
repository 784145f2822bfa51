//go:build js && wasm

// Command wasm is the planner of the application in WebAssembly. It runs in a worker of the page,
// which hands it requests and gets replies; it has no command line.
package main

import (
	"context"
	"encoding/json"
	"syscall/js"

	"github.com/tflarena/tflarena/internal/planner"
)

// A desk takes the requests of a page, and works on one at a time.
type desk struct {
	planner *planner.Planner
	post    js.Value
	// stop ends the work; it does nothing where there is none.
	stop context.CancelFunc
}

func main() {
	d := &desk{post: js.Global().Get("reply"), stop: func() {}}
	d.planner = planner.New(d.reply)
	js.Global().Set("ask", js.FuncOf(d.ask))
	js.Global().Set("stop", js.FuncOf(func(js.Value, []js.Value) any {
		d.stop()
		return nil
	}))
	d.post.Invoke(`{"kind":"ready"}`, nil, nil)
	select {}
}

// ask is ask(request, bytes): it returns at once, and the answer is a reply.
func (d *desk) ask(_ js.Value, args []js.Value) any {
	request := args[0].String()
	var data []byte
	if !args[1].IsNull() {
		data = make([]byte, args[1].Length())
		js.CopyBytesToGo(data, args[1])
	}
	ctx, cancel := context.WithCancel(context.Background())
	d.stop = cancel
	go func() {
		defer cancel()
		d.reply(d.planner.Answer(ctx, request, data))
	}()
	return nil
}

// reply hands a reply to the page, with its bytes.
func (d *desk) reply(r planner.Reply) {
	text, err := json.Marshal(r)
	if err != nil {
		panic(err) // a reply has numbers and texts alone
	}
	d.post.Invoke(string(text), bytesOf(r.Data), bytesOf(r.Report))
}

// bytesOf returns bytes as the page has them, null for none.
func bytesOf(data []byte) js.Value {
	if data == nil {
		return js.Null()
	}
	array := js.Global().Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(array, data)
	return array
}
