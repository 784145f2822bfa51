// Package improve reduces a model's required arena in TensorFlow Lite Micro: it decides between
// the embedded memory plan, a new one, another order of the operators, and none of them.
//
// [Improve] is the entry point. It tries what a [Goal] permits with packages pin and reorder,
// writes useful changes with package rewrite, and checks the new file like any other before
// returning it. The result is an [Outcome]: a file, the change with its reason, and the figures
// before. Nothing is written without a gain.
package improve
