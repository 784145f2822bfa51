package webapp

import (
	"fmt"
	"io"
	"net/netip"
	"strings"
	"time"
)

// A Listener accepts connections of browsers. Its methods may be called from several goroutines.
type Listener interface {
	// Accept returns the next connection. Its error is [os.ErrClosed] after Close.
	Accept() (Conn, error)
	// Addr returns the address and the port.
	Addr() netip.AddrPort
	Close() error
}

// A Conn is a connection with a browser.
type Conn interface {
	io.ReadWriteCloser
	SetReadDeadline(time.Time) error
	SetWriteDeadline(time.Time) error
}

// ParseAddress reads an address and a port such as "127.0.0.1:8080", "[::1]:0" or "localhost:8080".
// Other host names are an error, and so is an address with a zone.
func ParseAddress(text string) (netip.AddrPort, error) {
	if port, ok := strings.CutPrefix(text, "localhost:"); ok {
		text = "127.0.0.1:" + port
	}
	at, err := netip.ParseAddrPort(text)
	if err == nil && at.Addr().Zone() != "" {
		err = fmt.Errorf("%s has a zone", text)
	}
	return at, err
}
