package problem

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/alloc/late"
)

func TestShapes(t *testing.T) {
	for text, want := range map[string]string{
		"id,lower,upper,width,height\na,0,1,2,3\nb,1,2,4,1\n":                      "[[2 3] [4 1]] 1 6 4",
		"id,lower,upper,size,width,height,depth\na,0,1,48,2,3,2\nb,1,2,16,4,1,1\n": "[[2 3 2] [4 1 1]] 4 48 16",
	} {
		p, err := Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(p.Shapes, p.ElementBytes, p.Records[0].Size, p.Records[1].Size); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	for text, want := range map[string]string{
		"id,lower,upper,width\n":                                       "no column size (or width and height)",
		"id,lower,upper,width,height\na,0,1,2,0\n":                     `column "height": 0 is not between 1 and`,
		"id,lower,upper,width,height,size\na,0,1,2,2,5\n":              "5 bytes are not a multiple of the 4 elements",
		"id,lower,upper,width,height,size\na,0,1,2,2,8\nb,0,1,2,2,4\n": "row 2 (line 3), column \"size\": 4 bytes are 1 for each element, and the first row has 2",
		"id,lower,upper,width,height,depth\na,0,1,2097152,2,2\n":       "2097152 is not between",
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestKnownAt(t *testing.T) {
	p, err := Parse([]byte("id,lower,upper,size,known_at\na,0,1,2,\nb,5,7,2,-3\n"))
	if err != nil || fmt.Sprint(p.KnownAt) != fmt.Sprint([]int{late.FromStart, -3}) {
		t.Error(p, err)
	}
	if p, err := Parse([]byte("id,lower,upper,size\na,0,1,2\n")); err != nil || p.KnownAt != nil || p.Shapes != nil {
		t.Error(p, err)
	}
}
