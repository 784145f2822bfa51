// Package pool simulates the allocators with which programs share the memory of a GPU at run
// time: the caching allocator of PyTorch and the memory pool of Chainer. It moves no memory, and
// says what they would have reserved.
//
// The rules are those that the two projects document and publish: PyTorch's notes on CUDA memory
// management and c10/cuda/CUDACachingAllocator.cpp (release 2.4), and the pool of CuPy 2, which
// Chainer 3 uses. What depends on a machine is not simulated: addresses of segments grow in the
// order in which segments are made, and memory is enough unless a limit is set.
package pool
