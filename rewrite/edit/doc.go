// Package edit gives a subgraph of a model file other operators and more tensors.
//
// They are written in front of the file, as package rewrite writes a plan: new tables of
// one subgraph, which refer to what they share with the old ones behind them. The data of
// constants that are added lies among the old bytes too, where that of constants was which
// nothing uses any more: weights in pieces are not stored twice.
//
// Every result was parsed again, and compared with the file that it was made from and with
// the edit, before it is returned.
package edit
