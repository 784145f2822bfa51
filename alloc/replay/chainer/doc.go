// Package chainer makes traces of published networks, with their memory requests in the order in which
// Chainer 3 makes them.
//
// The networks are those of Sekiyama et al. 2018, Profile-guided memory optimization for deep neural
// networks. The traces of the paper are not published. Those here are rebuilt from the networks: the output of
// each function, a workspace of 8 MiB for each convolution while it runs, gradients, masks, and the
// pictures and their labels. A tensor is released when nobody needs it. Parameters, which stay in memory,
// are left out, as in the paper.
package chainer
