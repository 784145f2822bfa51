package firmware

import (
	"fmt"
	"io"
	"strings"

	"github.com/tflarena/tflarena/internal/csource"
	"github.com/tflarena/tflarena/internal/units"
)

// Folder is the format of a folder with a library that runs the model: for CMake, ESP-IDF, PlatformIO and
// Arduino. Names in it end in _tflm, so that none is that of a header of C, such as string.h.
const Folder = "firmware"

// Readme is the file that identifies the model of a folder, by its [Marker].
const Readme = "README.md"

// ModelSource returns the path of the model in its folder.
func ModelSource(name string) string { return in("src/{{lower}}_model.cpp", name) }

// HoldsModel reports whether a file or folder contains the whole model.
func HoldsModel(name string) bool {
	return name == Array || name == Folder || strings.HasSuffix(name, "_model.cpp")
}

// HoldsResolver reports whether a file or folder contains the resolver.
func HoldsResolver(name string) bool {
	return name == Resolver || name == Folder || strings.HasSuffix(name, "_ops.h")
}

// folder returns the files of a model's folder. Sources end in .cpp, since older Arduino builders omit .cc.
func folder(name string) []Format {
	return []Format{
		{Name: Readme, write: writeReadme},
		{Name: "CMakeLists.txt", write: filled(cmake)},
		{Name: "idf_component.yml", write: filled(component)},
		{Name: "library.json", write: filled(platformIO)},
		{Name: "library.properties", write: filled(arduino)},
		{Name: ModelSource(name), write: writeArraySource},
		{Name: in("src/{{lower}}_model.h", name), write: writeArrayHeader},
		{Name: in("src/{{lower}}_ops.h", name), write: writeResolver},
		{Name: in("src/{{lower}}_tflm.cpp", name), write: writeRunner},
		{Name: in("src/{{lower}}_tflm.h", name), write: writeRunnerHeader},
	}
}

// Files returns the paths of the files of a model's folder, with slashes.
func Files(name string) (paths []string) {
	for _, f := range folder(name) {
		paths = append(paths, f.Name)
	}
	return paths
}

// Marker returns the beginning of the [Readme] of a model's folder.
func Marker(name string) string { return in("<!-- {{lower}}_tflm, made by tflarena.", name) }

// in fills the name of a model into a text.
func in(text, name string) string {
	return strings.ReplaceAll(text, "{{lower}}", csource.Identifier(name, strings.ToLower))
}

// filled returns a function that writes a text with the names of the program.
func filled(t string) func(io.Writer, *Program) error {
	return func(w io.Writer, p *Program) error {
		_, err := io.WriteString(w, p.fill(t))
		return err
	}
}

const cmake = `# {{title}} in TensorFlow Lite Micro, made by tflarena: a component of ESP-IDF, or a library.
set(sources src/{{lower}}_tflm.cpp src/{{lower}}_model.cpp)
if(ESP_PLATFORM)
  idf_component_register(SRCS ${sources} INCLUDE_DIRS src)
else()
  add_library({{lower}}_tflm STATIC ${sources})
  target_compile_features({{lower}}_tflm PUBLIC cxx_std_17)
  target_include_directories({{lower}}_tflm PUBLIC src)
  target_link_libraries({{lower}}_tflm PUBLIC tflite-micro)
endif()
`

const component = `dependencies:
  espressif/esp-tflite-micro: "*"
`

const platformIO = `{
  "name": "{{lower}}_tflm",
  "version": "1.0.0",
  "description": "A model for TensorFlow Lite Micro, made by tflarena",
  "frameworks": "*",
  "platforms": "*"
}
`

const arduino = `name={{lower}}_tflm
version=1.0.0
author=tflarena
maintainer=tflarena
sentence=A model for TensorFlow Lite Micro
paragraph=
category=Data Processing
url=https://github.com/tflarena/tflarena
architectures=*
includes={{lower}}_tflm.h
`

// writeReadme writes the figures, and how to add the folder to a project of each build system.
func writeReadme(w io.Writer, p *Program) error {
	arena := p.fill("not known, since it depends on kernels of the application: define `{{upper}}_ARENA_BYTES`")
	if p.Required > 0 {
		arena = fmt.Sprintf("%s (%s; %s)", units.ExactBytes(p.Required), csource.Comment(p.Target), p.Kernels)
	}
	custom, check := "", ""
	if o := Of(p.Model); len(o.Custom) > 0 {
		custom = p.fill("\nThe application defines `"+customHook+"`, which adds\nthese custom operators with `AddCustom`: ") + csource.Comment(strings.Join(o.Custom, ", ")) + ".\n"
	}
	if p.Check != "" {
		check = "\nThis command fails as soon as a newer model requires a larger arena:\n\n    " + p.Check + "\n"
	}
	_, err := io.WriteString(w, Marker(p.Name)+p.fill(readme, "{{required}}", arena, "{{flash}}", units.ExactBytes(len(p.Model.Data)), "{{custom}}", custom, "{{check}}", check))
	return err
}

const readme = ` Do not edit: the next run replaces these files. -->
# {{lower}}_tflm

{{title}} in TensorFlow Lite Micro.

- required arena: {{required}}
- flash: {{flash}} for the model

| build system | how |
|---|---|
| ESP-IDF | copy this folder to ` + "`components/{{lower}}_tflm`" + `; TensorFlow Lite Micro comes from the component registry |
| CMake | ` + "`add_subdirectory({{lower}}_tflm)`, `target_link_libraries(app PRIVATE {{lower}}_tflm)`" + `; your project defines the target ` + "`tflite-micro`" + ` |
| PlatformIO | copy this folder to ` + "`lib/{{lower}}_tflm`" + `, and add a library of TensorFlow Lite Micro to ` + "`lib_deps`" + ` |
| Arduino | copy this folder to ` + "`libraries`" + `; in the sketch, first include the header of a library of TensorFlow Lite Micro |

` + "```c" + `
#include "{{lower}}_tflm.h"

if (!{{lower}}_setup()) return;  /* once */
/* Write the inputs: {{lower}}_input_0() */
if ({{lower}}_invoke() != 0) return;
/* Read the outputs: {{lower}}_output_0() */
` + "```\n{{custom}}{{check}}"
