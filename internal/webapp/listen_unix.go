//go:build unix

package webapp

import (
	"errors"
	"net/netip"
	"os"

	"golang.org/x/sys/unix"
)

// backlog is the number of connections that may wait for Accept.
const backlog = 128

// A socket is a Listener with direct system calls: package net is linked with the C library if there is
// a C compiler, and the command would no longer be a static binary.
type socket struct {
	file *os.File
	at   netip.AddrPort
}

// Listen returns a listener at an address; port 0 is any free one.
func Listen(at netip.AddrPort) (Listener, error) {
	fd, err := bound(at)
	if err != nil {
		return nil, err
	}
	name, err := unix.Getsockname(fd)
	if err != nil {
		return nil, errors.Join(os.NewSyscallError("getsockname", err), unix.Close(fd))
	}
	port := at.Port()
	switch name := name.(type) {
	case *unix.SockaddrInet4:
		port = uint16(name.Port)
	case *unix.SockaddrInet6:
		port = uint16(name.Port)
	}
	return &socket{os.NewFile(uintptr(fd), "listener"), netip.AddrPortFrom(at.Addr(), port)}, nil
}

// bound returns a listening socket.
func bound(at netip.AddrPort) (fd int, err error) {
	family, address := unix.AF_INET6, unix.Sockaddr(&unix.SockaddrInet6{Port: int(at.Port()), Addr: at.Addr().As16()})
	if at.Addr().Is4() {
		family, address = unix.AF_INET, &unix.SockaddrInet4{Port: int(at.Port()), Addr: at.Addr().As4()}
	}
	fd, err = unix.Socket(family, unix.SOCK_STREAM, 0)
	if err != nil {
		return -1, os.NewSyscallError("socket", err)
	}
	unix.CloseOnExec(fd)
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"setsockopt", func() error { return unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_REUSEADDR, 1) }},
		{"bind", func() error { return unix.Bind(fd, address) }},
		{"listen", func() error { return unix.Listen(fd, backlog) }},
		{"setnonblock", func() error { return unix.SetNonblock(fd, true) }},
	} {
		if err := step.do(); err != nil {
			return -1, errors.Join(os.NewSyscallError(step.name, err), unix.Close(fd))
		}
	}
	return fd, nil
}

// Accept waits through the runtime's poller, since the socket does not block.
func (s *socket) Accept() (Conn, error) {
	raw, err := s.file.SyscallConn()
	if err != nil {
		return nil, err
	}
	fd, failed := -1, error(nil)
	err = raw.Read(func(listening uintptr) bool {
		fd, _, failed = unix.Accept(int(listening))
		return failed != unix.EAGAIN
	})
	if err != nil {
		return nil, os.ErrClosed // nothing else ends the wait
	}
	if failed != nil {
		return nil, os.NewSyscallError("accept", failed)
	}
	unix.CloseOnExec(fd)
	if err := unix.SetNonblock(fd, true); err != nil {
		return nil, errors.Join(os.NewSyscallError("setnonblock", err), unix.Close(fd))
	}
	return os.NewFile(uintptr(fd), "connection"), nil
}

func (s *socket) Addr() netip.AddrPort { return s.at }

func (s *socket) Close() error { return s.file.Close() }
