package main

import (
	"path/filepath"
	"runtime"
)

const module = "github.com/tflarena/tflarena"

// toolchain builds a release, whatever version of Go is installed.
const toolchain = "go1.26.8"

// A platform is a system and a processor that releases are built for.
type platform struct {
	system, processor string
	// tags are the platform tags of its wheel.
	tags string
}

// platforms are all platforms of a release. The binaries are static, so any C library will do; Go 1.26 needs macOS 12.
var platforms = []platform{
	{"linux", "amd64", "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64"},
	{"linux", "arm64", "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64"},
	{"darwin", "amd64", "macosx_12_0_x86_64"},
	{"darwin", "arm64", "macosx_12_0_arm64"},
	{"windows", "amd64", "win_amd64"},
	{"windows", "arm64", "win_arm64"},
}

func (p platform) String() string { return p.system + "-" + p.processor }

// command is the name of the binary.
func (p platform) command() string {
	if p.system == "windows" {
		return "tflarena.exe"
	}
	return "tflarena"
}

// binary is the path of a platform's binary.
func (r *release) binary(p platform) string {
	return filepath.Join(r.dist, "bin", p.String(), p.command())
}

// build makes the binaries. The environment decides nothing about them but where Go keeps its caches.
func (r *release) build() error {
	for _, p := range platforms {
		env := []string{
			"GOOS=" + p.system, "GOARCH=" + p.processor, "CGO_ENABLED=0", "GOTOOLCHAIN=" + toolchain,
			"GOFLAGS=", "GOEXPERIMENT=", "GOAMD64=v1", "GOARM64=v8.0", "GOFIPS140=off", "GOWORK=off",
		}
		flags := "-s -w -X " + module + "/internal/results.revision=" + r.revision
		// Build information of a clone would depend on its tags.
		if _, err := outputIn(env, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", flags, "-o", r.binary(p), "./cmd/tflarena"); err != nil {
			return err
		}
	}
	return nil
}

// tool runs a program that is pinned in .ci/release.mod.
func tool(name string, args ...string) error {
	_, err := outputIn([]string{"GOFLAGS=-trimpath", "GOTOOLCHAIN=" + toolchain}, "go", append([]string{"tool", "-modfile=.ci/release.mod", name}, args...)...)
	return err
}

// native is the platform that this program runs on.
var native = platform{system: runtime.GOOS, processor: runtime.GOARCH}
