// Package edit gives a subgraph of a model file other operators and more tensors.
//
// [Apply] writes new tables for the one subgraph in front of the file, as package rewrite
// writes a plan; they refer to the old tables behind them for what the two have in common.
// Data of constants that are added goes to the place of constants that nothing uses any
// more, so that weights in pieces are not stored twice.
//
// Every result was parsed again, and compared with the edit and with the file that it was
// made from, before it is returned.
package edit
