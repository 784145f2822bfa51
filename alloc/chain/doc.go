// Package chain plans tensors that share memory link by link: a model is cut where a single
// tensor is handed on, and each part in between is planned by itself, with its own choice of
// what shares memory, the tensor that comes in at one end of the arena and the tensor that
// goes out at an end.
//
// Small problems are easy where the whole is not: a plan of all at once has to choose one way
// of sharing memory for everything, and a search has to get every part right at the same
// time. Cut where one tensor is alive, parts agree as soon as they agree on its place.
package chain
