package pickle

import (
	"errors"
	"strings"
	"testing"
)

// TestFold takes dicts with a key "n" out of the tree and keeps the others.
func TestFold(t *testing.T) {
	sum, folded := 0, 0
	fold := func(t *Tree, dict Value) (int, bool, error) {
		v, ok := t.Get(dict, "n")
		n, _ := t.Int(v)
		if n > 200 {
			return 0, false, errors.New("too large")
		}
		if ok {
			sum, folded = sum+int(n), folded+1
		}
		return folded - 1, ok, nil
	}
	entry := "}\x94(\x8c\x01nK\x02\x8c\x01mNu"
	data := "\x80\x04]\x94(" + strings.Repeat(entry, 5000) + "h\x02}(\x8c\x01xNueh\x05\x86."
	tree, err := Decode([]byte(data), fold)
	if err != nil {
		t.Fatal(err)
	}
	list := tree.Items(tree.Items(tree.Root)[0])
	if folded != 5000 || sum != 10000 || len(list) != 5002 {
		t.Fatalf("%d dicts folded, sum %d, %d items", folded, sum, len(list))
	}
	if token, ok := tree.Token(list[5000]); !ok || token != 1 || list[5001].Kind() != Dict {
		t.Errorf("the dict that was folded before: token %d, %v; then %s", token, ok, list[5001].Kind())
	}
	if token, ok := tree.Token(tree.Items(tree.Root)[1]); !ok || token != 4 || tree.Len(tree.Items(tree.Root)[1]) != 0 {
		t.Errorf("the dict of the memo: token %d, %v", token, ok)
	}
	if pieces := len(tree.cells); pieces > 4+20 {
		t.Errorf("%d pieces: the memory of folded dicts is not used again", pieces)
	}
	if _, err := Decode([]byte("]}q\x00\x8c\x01nK\x02sah\x00NNs."), fold); err == nil || !strings.Contains(err.Error(), "changes after") {
		t.Errorf("a folded dict changed: %v", err)
	}
	if _, err := Decode([]byte("]}\x8c\x01nK\xffsa."), fold); err == nil || err.Error() != "too large" {
		t.Errorf("the fold's own error: %v", err)
	}
}

// TestTrim trims a tree of which nearly everything is folded: the rest is unchanged.
func TestTrim(t *testing.T) {
	fold := func(t *Tree, dict Value) (int, bool, error) {
		_, ok := t.Get(dict, "n")
		return 7, ok, nil
	}
	data := "\x80\x04}(\x8c\x05stack](K\x01K\x02e\x8c\x06events](" + strings.Repeat("}\x94\x8c\x01nK\x02s", 3*pieceLen) + "e\x8c\x05again\x68\x64\x8c\x05mixed](K\x05}\x8c\x01xNseu."
	tree, err := Decode([]byte(data), fold)
	if err != nil {
		t.Fatal(err)
	}
	get := func(key string) Value {
		v, ok := tree.Get(tree.Root, key)
		if !ok {
			t.Fatalf("there is no %s", key)
		}
		return v
	}
	if n := tree.Len(get("events")); n != 3*pieceLen {
		t.Fatal(n)
	}
	before := tree.headers.pieces[1]
	tree.Trim()
	if &tree.headers.pieces[1][0] == &before[0] || tree.Len(get("events")) != 0 {
		t.Error("the memory of folded dicts is kept")
	}
	if mixed := tree.Items(get("mixed")); len(mixed) != 2 || tree.Len(mixed[1]) != 1 || len(tree.Items(get("stack"))) != 2 {
		t.Error("something else is gone")
	}
	if tree.Len(get("again")) != 0 || tree.Pairs(get("again")) != nil {
		t.Error("a folded dict has pairs")
	}
}
