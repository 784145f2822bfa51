package benchmarks

const offChipIntroduction = `# Memory off chip, tile by tile

Kvochko et al. 2024 count the memory off chip that the tensors of a network take where a processor loads and stores them in tiles
(table 1). Their networks, tiles and the size of their chip are not published. Here are the networks of package ` + "`models`" + ` with eight
bits, cut by ` + "`lifetime/tiling`" + ` and planned by ` + "`alloc/tiles`" + `. All of our plans but those in shared objects are proven to be the smallest.
In bytes; behind a plan in tiles is the difference from whole tensors. Repeat with
` + "`go test ./benchmarks -run OffChip -update`" + `; a test compares this document with what is computed. One network is
` + "`tflarena plan builtin:fsrcnn-s-int8 --tiles --on-chip 512K --tile rows=1 --cascade 1`" + `.

"Shared objects" is the best of the three strategies that the paper compares with, and "whole tensors" the smallest plan with
offsets. Then come tiles of one row where a step reads everything before it writes (` + "`--semantics atomic`" + `), of one row where it reads and
writes at the same time, of as many rows as fit in 512 KiB with the weights, and the same with cascades of up to 8 operators.

| network | paper: shared objects | paper: tiles | change | shared objects | whole tensors | one row, atomic | one row | 512 KiB | 512 KiB, cascades |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
`

const offChipRemarks = `
Where the figures differ. That the paper's networks are what is said here is derived from its bytes, and not stated in it:

- **FSRCNN.** Of the variants that were built, this one, with PRELU as four operators and a picture of 512 x 512, was chosen because
  its shared objects take the paper's 24 MiB: three tensors of 8 MiB. The paper's 16 MiB with tiles then come out as well, with
  atomic steps: two such tensors. With simultaneous ones a plan needs 32,768 B more, and none is smaller. The paper's worked
  example, though, counts a step's input and output as in use together. (It prints 1677216, which its own percentage corrects.)
- **Inception v4.** The paper's shared objects equal our smallest plan with *offsets* to the byte, 2,235,616, and not our shared
  objects. Its tiles save less than ours of 512 KiB. How large they are is not known.
- **ResNet v2 101.** 3,240,000 is 75 x 75 x (256 + 256 + 64), which is what the network takes whole if each ADD lies on one of its
  inputs. Here an ADD has an output of its own, so that three tensors of 256 channels are in use at once, 4,320,000; in tiles
  of one row with atomic steps they take as much as two.
- **MobileNet v1.** 301,056 is a quarter of ours, 112 x 112 x (8 + 16): the width of 0.25. What is left in tiles of one row with
  atomic steps is the larger of the two tensors.
- **MobileNet v2, MNASNet.** 100,352 and 200,704 are 112 x 112 x 8 and 112 x 112 x 16. The paper says of the first that a single
  large tensor dominates, which no tiles make smaller. In ours two tensors are in use at the peak, and of these the larger one
  is left.
- **SqueezeNet.** The shapes of the paper's table 3, 55 x 55 x 128 before and after 55 x 55 x 32, are in neither version of the network.
  In ours the first convolution makes 111 x 111 x 96, and with atomic rows that is the peak, 1,182,816.
- **Inception v3.** 901,600 is 35 x 35 x 736, so that the paper's peak would be in the blocks. Ours is in the stem, 147 x 147 x (32 + 64)
  without tiles.
- **Cascades** are not in the paper. They keep large tensors on chip, a few rows at a time. All weights of a cascade are on chip at
  once, so that operators with few pixels and many weights are joined less.

## Beside Vela

Vela 5.2.0 compiles for Ethos-U, which keeps everything in one memory: tensors, and the rows that a cascade holds. The figure is
what ` + "`vela --accelerator-config ethos-u55-128 --optimise Size`" + ` reports as memory used. Ours are tiles of one row with cascades of up to 8
operators: the plan off chip, the most that cascades keep on chip between operators, and both together, as if they were in one
memory.

| model | whole tensors | off chip | kept on chip | together | Vela | difference |
|---|---:|---:|---:|---:|---:|---:|
`

const offChipTimes = `
The two are not quite the same. Vela's figure may include buffers for weights, and ours leaves weights out; Vela makes a program for a
processor that computes blocks of a given size, and ours is a plan that no processor has run. It makes the part off chip as small as
it can be, and not the sum. How much each of these does was not measured.

## Time

The paper's table 2 has how long its allocation takes, in microseconds on an AMD Ryzen Threadripper 2950X. Ours is CPU time on one thread of
an AMD EPYC, for tiles of 512 KiB, with the check on the map of bytes: the mean of the three orders, measured once. Networks and tiles
differ as said above, so that only the size of the ratio means anything. ` + "`go test ./benchmarks -run - -bench OffChip`" + ` measures the
three orders together, and the strategies for shared objects.

| network | the paper's, over its shared objects | ours, over the paper's |
|---|---:|---:|
`
