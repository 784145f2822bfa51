//go:build !unix

package webapp

import (
	"errors"
	"net"
	"net/netip"
	"os"
)

type listener struct{ net.Listener }

// Listen returns a listener at an address; port 0 is any free one.
func Listen(at netip.AddrPort) (Listener, error) {
	l, err := net.Listen("tcp", at.String())
	return listener{l}, err
}

func (l listener) Accept() (Conn, error) {
	c, err := l.Listener.Accept()
	if errors.Is(err, net.ErrClosed) {
		err = os.ErrClosed
	}
	return c, err
}

func (l listener) Addr() netip.AddrPort {
	at, _ := netip.ParseAddrPort(l.Listener.Addr().String()) // in its own format
	return at
}
