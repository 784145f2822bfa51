// Package pool simulates GPU memory allocators: the caching allocator of PyTorch and the memory pool of
// Chainer. It computes how much memory they reserve.
//
// The rules come from PyTorch's notes on CUDA memory management, from c10/cuda/CUDACachingAllocator.cpp
// (release 2.4), and from the pool of CuPy 2, which Chainer 3 uses. Segments have ascending addresses
// in order of creation, and memory is unlimited unless a limit is set.
package pool
