package patch

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/tflite"
)

// schemaFields returns the fields of a table of the schema: id and type by name.
func schemaFields(t *testing.T, table string) map[string][2]string {
	t.Helper()
	text, err := os.ReadFile("../../../schema/tflite.fbs")
	if err != nil {
		t.Fatal(err)
	}
	body := regexp.MustCompile(`(?s)\btable ` + table + `\s*\{(.*?)\n\}`).FindSubmatch(text)
	if body == nil {
		t.Fatalf("the schema has no table %s", table)
	}
	fields := map[string][2]string{}
	for _, f := range regexp.MustCompile(`(\w+)\s*:\s*([\[\]\w]+)[^;]*\bid:\s*(\d+)`).FindAllStringSubmatch(string(body[1]), -1) {
		fields[f[1]] = [2]string{f[3], f[2]}
	}
	return fields
}

// The carried fields are those of the schema, and all but the version references.
func TestRootFields(t *testing.T) {
	fields := schemaFields(t, "Model")
	if len(fields) != rootFields {
		t.Errorf("the schema has %d fields, %d are carried over", len(fields), rootFields)
	}
	for name, f := range fields {
		scalar := !strings.HasPrefix(f[1], "[") && f[1] != "string"
		if scalar != (f[0] == "0") {
			t.Errorf("field %s is %s", name, f)
		}
	}
	for _, c := range []struct {
		table, field string
		id           int
	}{
		{"Model", "buffers", FieldBuffers},
		{"Model", "metadata", FieldMetadata},
		{"Model", "version", fieldVersion},
		{"Model", "metadata_buffer", FieldMetadataBuffer},
		{"Buffer", "offset", bufferOffset},
		{"Operator", "large_custom_options_offset", LargeOptionsOffset},
	} {
		if got := schemaFields(t, c.table)[c.field][0]; got != strconv.Itoa(c.id) {
			t.Errorf("%s.%s has id %q, want %d", c.table, c.field, got, c.id)
		}
	}
}

// Limits of the format, without files of that size.
func TestCheckSize(t *testing.T) {
	const limit = 1<<31 - 1
	for _, c := range []struct {
		flatbuffer, file, shift int64
		ok                      bool
	}{
		{limit - 64, limit - 64, 64, true},
		{limit - 63, limit - 63, 64, false},
		{1000, tflite.MaxSize - 64, 64, true},
		{1000, tflite.MaxSize - 63, 64, false},
	} {
		if err := CheckSize(c.flatbuffer, c.file, c.shift); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
