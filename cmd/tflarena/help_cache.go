package main

// cacheTopic describes "plan --cache".
const cacheTopic = `'plan --cache SIZE[,LINE[,WAYS]]' chooses among plans of the same total the one with the fewest cache misses that a search finds. The order of operators stays. Outputs move to lines that are still in the cache, because a dead tensor used them last.

The cache has SIZE bytes in lines of LINE bytes (64 by default), in sets of WAYS lines (8, or fewer if SIZE has fewer lines): 32K,64,8 is the first-level cache of many processors, 16K,32,4 that of a Cortex-M7. WAYS of SIZE/LINE is a fully associative cache. A set replaces its least recently used line, and a write loads its line first, as a read does.

The run begins with an empty cache. An operator reads its inputs one after the other, weights included, then writes and reads its scratch, then writes its outputs, each once from the first byte to the last. Weights follow the arena in the order of their first use; the arena begins at a multiple of the bytes of a way. Kernels that read an input several times, or read and write in turn, hit more often. In a CSV problem, a buffer is written at its first position and read at its last.

An access is to a line, not to a byte. "At first use" is the number of different lines, each of which misses once in any cache: if nothing else misses, the cache is large enough for the whole run. The search is bounded by work, not time, and usually ends within 2 s; --seed chooses other random numbers. --time-limit and Ctrl-C end it with the best so far.
`
