# The usual commands. None needs the shared models; TFLARENA_SHARED names their folder where there is one.

.PHONY: all quick test lint page site bench release

# all builds the command as ./tflarena.
all:
	go build -o tflarena ./cmd/tflarena

# quick is the inner loop: vet, and the tests that take seconds.
SLOW = /(cmd/tflarena|benchmarks|models|rewrite|rewrite/(shrink|split|pin|reorder|verify)|tflite/op|alloc|alloc/(stream|mip|inplace|replay|replay/trace|tiles/tiling|internal/(coloring|packing|exact))|lifetime/(order|rules)|internal/(testkit/(docs|layers|oneop)|webapp|planner|firmware))$$
quick:
	go vet ./...
	go test -short $$(go list ./... | grep -vE '$(SLOW)')

test:
	go test -timeout 30m ./...

# lint checks the format, and looks for mistakes and for code that nothing calls.
lint:
	.ci/lint

# page rebuilds the report page and the application of serve, and tests both in a browser.
page:
	.ci/page

# site builds the documentation site in .cache/site, and checks its links and all pages in a browser.
site:
	.ci/site

bench:
	go test -run '^$$' -bench . -benchmem ./...

# release builds everything that users install, in dist.
release:
	go run ./internal/release
