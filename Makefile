# The usual commands. None needs the shared models; TFLARENA_SHARED names their folder where there is one.

.PHONY: all quick test lint page bench

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

tool = go tool -modfile=.ci/tools.mod

lint:
	@unformatted=$$($(tool) gofumpt -l $$(git ls-files '*.go' | grep -v _generated.go)); \
		[ -z "$$unformatted" ] || { echo "gofumpt would change: $$unformatted"; exit 1; }
	go mod tidy -diff
	go vet ./...
	$(tool) staticcheck ./...
	@dead=$$($(tool) deadcode -test ./...); [ -z "$$dead" ] || { echo "nothing calls these: $$dead"; exit 1; }
	$(tool) actionlint

# page rebuilds the report page and the application of serve, and tests both in a browser.
page:
	.ci/page

bench:
	go test -run '^$$' -bench . -benchmem ./...
