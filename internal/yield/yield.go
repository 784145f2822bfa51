// Package yield lets the rest of the program have its turn while a search goes on, where one
// thread does everything: WebAssembly in a browser.
//
// There a goroutine that computes keeps all others waiting, timers included, and so no message of
// the page arrives that could stop it, and no deadline passes. Searches ask their context through
// this package, once in a while, and that is when the others run. Elsewhere the system sees to that
// and asking costs nothing.
package yield
