//go:build !unix

package main

import "os"

var otherEndings []os.Signal
