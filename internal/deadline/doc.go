// Package deadline polls contexts, and divides the time until a deadline. In WebAssembly, which has one
// thread, polling also lets the browser's event loop run.
//
// There a computing goroutine blocks all others, including timers, so that no message of the page
// arrives that could stop it, and no deadline passes. Searches poll their context through this package
// at times, which is when the others run. Elsewhere the system schedules goroutines and polling costs
// nothing.
package deadline
