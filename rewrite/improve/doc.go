// Package improve makes a model need a smaller arena in TensorFlow Lite Micro: it decides
// between the memory plan that the model carries, a new one, another order of the operators,
// and none of them.
//
// [Improve] is the door. It tries what a [Goal] permits with packages pin and reorder, writes
// what is worth writing with package rewrite, and looks at the new file as at any other before
// it hands it out. What it found is an [Outcome]: a file, what was done and why, and what
// there was before. Nothing is written where nothing is gained.
package improve
