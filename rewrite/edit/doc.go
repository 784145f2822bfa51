// Package edit replaces the operators of a subgraph and adds, restores or removes tensors.
//
// [Apply] writes new tables for that subgraph before the file, as package rewrite writes a
// plan; they reference the old tables for everything the two have in common. Data of added
// constants reuses the space of constants that nothing uses any more, so that tiled weights are
// not stored twice.
//
// Every result is parsed again and compared with the edit and with the original file before it
// is returned.
package edit
