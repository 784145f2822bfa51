package main

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/webapp"
)

const serveDescription = `Serves the report as a web app. Open the address that serve prints, and drop a .tflite file on the page, or click a built-in model, to see the map of its memory and whether it fits a budget. The page can rewrite the model and fit it, and save the result, which is the same as that of the commands, byte for byte.

The page sends the model to serve, which plans it and writes nothing to a disk. serve listens on this machine alone, unless --listen names another address, until Ctrl-C. It keeps the models of the 8 pages used last, of up to 512 MiB each.

-o DIR writes the files of the application into a folder instead. Any web server can serve them; nothing has to run on the server, and nothing is uploaded: the planner runs in the browser, as WebAssembly. The Go tool compiles it, so that -o requires Go and a copy of the sources of tflarena as the working folder.

Examples:
  tflarena serve
  tflarena serve --listen 127.0.0.1:8080
  tflarena serve -o public/`

// loopback is the default address of serve, with any free port.
const loopback = "127.0.0.1:0"

func (p *program) serveCommand() *cli.Command {
	return &cli.Command{
		Name:        "serve",
		Usage:       "serve the report as a web app: drop a model on it",
		UsageText:   "tflarena serve [flags]",
		Description: serveDescription,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "listen", Value: loopback, Category: groupOutput, Usage: "listen on `ADDRESS:PORT`; port 0 is any free port"},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: groupOutput, Usage: "write the app into the folder `DIR` instead"},
			quietFlag(),
		},
		Action: p.serve,
	}
}

// serveFlags are the options of "serve".
type serveFlags struct {
	// folder takes the files, or "" to serve them on listen, which at is.
	folder, listen string
	at             netip.AddrPort
}

func (p *program) serveFlags(c *cli.Context) (f *serveFlags, err error) {
	p.quiet = c.Bool("quiet")
	f = &serveFlags{folder: c.String("output"), listen: c.String("listen")}
	switch {
	case c.Args().Present():
		return nil, noArguments(c, "serve")
	case c.IsSet("output") && c.IsSet("listen"):
		return nil, usagef("-o writes files and --listen serves them: leave one of them out")
	case c.IsSet("output") && f.folder == "":
		return nil, usagef("-o: name a folder")
	case strings.HasPrefix(f.listen, ":"):
		return nil, usagef("--listen %s would listen on all networks: say 0.0.0.0 for that, or 127.0.0.1 for this machine", f.listen)
	}
	if f.at, err = webapp.ParseAddress(f.listen); err != nil {
		return nil, usagef("--listen %s: use an address and a port, such as 127.0.0.1:8080", f.listen)
	}
	return f, nil
}

func (p *program) serve(c *cli.Context) error {
	f, err := p.serveFlags(c)
	if err != nil {
		return err
	}
	if f.folder != "" {
		return p.writeApplication(f.folder)
	}
	l, err := webapp.Listen(f.at)
	if err != nil {
		return fmt.Errorf("--listen %s: %w", f.listen, err)
	}
	defer l.Close()
	if err := p.print(fmt.Appendf(nil, "http://%s/\n", l.Addr())); err != nil {
		return err
	}
	return webapp.Serve(p.ctx, l)
}

// writeApplication writes the files of the application into a folder.
func (p *program) writeApplication(dir string) error {
	if err := refuseForeign(dir, webapp.Index); err != nil {
		return err
	}
	files, err := webapp.Static(p.ctx, func() {
		if !p.quiet {
			p.tell("the Go tool compiles the planner to WebAssembly")
		}
	})
	if p.ctx.Err() != nil {
		return interruptedError{}
	}
	if err != nil {
		return err
	}
	var list []output.File
	for name, data := range files {
		if err := refuseForeign(dir, name); err != nil {
			return err
		}
		list = append(list, output.File{Path: filepath.Join(dir, name), Data: data})
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return plainError(err)
	}
	return p.write(list)
}

// refuseForeign returns an error if a folder has a file of this name that does not belong to the
// application. It belongs to the application only if the page in the folder is one of ours.
func refuseForeign(dir, name string) error {
	if isOwnPage(filepath.Join(dir, webapp.Index)) {
		return nil
	}
	if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
		return nil
	}
	return usagef("-o %s: the %s there does not belong to this application, and is not replaced: name another folder", dir, name)
}
