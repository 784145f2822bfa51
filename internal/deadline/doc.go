// Package deadline asks whether a context has ended, and shares out the time until its deadline. In WebAssembly,
// where one thread does everything, asking also lets the browser's event loop run.
//
// There a goroutine that computes keeps all others waiting, timers included, and so no message of
// the page arrives that could stop it, and no deadline passes. Searches ask their context through
// this package, once in a while, and that is when the others run. Elsewhere the system sees to that
// and asking costs nothing.
package deadline
