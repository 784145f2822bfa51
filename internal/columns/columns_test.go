package columns_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/columns"
)

// Columns are found in any order and case, after a byte order mark and comments; missing ones are an error if they are
// required.
func TestOpen(t *testing.T) {
	for _, c := range []struct {
		text, err string
		at        []int
		row       []string
	}{
		{text: "\xef\xbb\xbf# made by hand\nother, B ,\"a\"\n# no row\n1, 2,3\n", at: []int{2, 1, -1}, row: []string{"1", "2", "3"}},
		{text: "A,c,b\n,,\n", at: []int{0, 2, 1}, row: []string{"", "", ""}},
		{text: "", err: "the file is empty: the header row is a,b"},
		{text: "# only a comment\n", err: "the file is empty: the header row is a,b"},
		{text: "# by hand\na,c\n", err: `line 2: no column "b": the header row is a,b`},
		{text: "a,\"b\n", err: `parse error on line 1, column 6: extraneous or missing " in quoted-field`},
	} {
		rows, at, err := columns.Open([]byte(c.text), 2, "a", "b", "c")
		if err != nil {
			if err.Error() != c.err {
				t.Errorf("%q: %v", c.text, err)
			}
			continue
		}
		row, err := rows.Read()
		if diff := cmp.Diff(c.at, at); diff != "" || c.err != "" || err != nil {
			t.Errorf("%q: %v, not %q (-want +got): %s", c.text, err, c.err, diff)
		}
		if diff := cmp.Diff(c.row, row); diff != "" {
			t.Errorf("%q (-want +got): %s", c.text, diff)
		}
	}
}
