package benchmarks

const offChipIntroduction = `# Memory off chip, tile by tile

Kvochko et al. 2024 count the memory off chip that the tensors of a network take if a processor loads and stores them in tiles
(table 1). Their networks, tiles and the size of their chip are not published. Here are the networks of package ` + "`models`" + ` with
eight bits, cut by ` + "`alloc/tiles/tiling`" + ` and planned by ` + "`alloc/tiles`" + `. All of our plans, except those with shared objects, are
proven to be the smallest. Figures are in bytes; after each plan in tiles stands the difference from whole tensors. Repeat with
` + "`go test ./benchmarks -run OffChip -update`" + `; a test compares this document with what is computed. One network is
` + "`tflarena plan builtin:fsrcnn-s-int8 --tiles --on-chip 512K --tile rows=1 --cascade 1`" + `.

"Shared objects" is the best of the three strategies that the paper compares with, and "whole tensors" is the smallest plan with
offsets. The next columns are plans in tiles: tiles of one row, with steps that read everything before they write
(` + "`--semantics atomic`" + `); tiles of one row, with steps that read and write at the same time; tiles of as many rows as fit in 512
KiB with the weights; and the same with cascades of up to 8 operators.

| network | paper: shared objects | paper: tiles | change | shared objects | whole tensors | one row, atomic | one row | 512 KiB | 512 KiB, cascades |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
`

const offChipRemarks = `
These are the reasons why the figures differ. What is said here about the paper's networks is derived from its bytes; the paper
does not say it:

- **FSRCNN.** Of the variants that we built, we chose this one, with PRELU as four operators and a picture of 512 x 512, because
  its shared objects take the paper's 24 MiB: three tensors of 8 MiB. Then the paper's 16 MiB with tiles come out as well, with
  atomic steps: two such tensors. With simultaneous steps, a plan needs 32,768 B more, and no plan is smaller. The paper's
  worked example, however, counts a step's input and output as in use together. (It prints 1677216, which its own percentage
  corrects.)
- **Inception v4.** The paper's shared objects equal our smallest plan with *offsets* to the byte, 2,235,616 B, and not our
  shared objects. Its tiles save less than our tiles of 512 KiB. How large its tiles are is not known.
- **ResNet v2 101.** 3,240,000 B is 75 x 75 x (256 + 256 + 64), which is what the network takes with whole tensors if the output
  of each ADD lies on one of its inputs. Here each ADD has an output of its own, so three tensors of 256 channels are in use at
  once, 4,320,000 B; in tiles of one row with atomic steps, they take as much as two.
- **MobileNet v1.** 301,056 B is a quarter of our figure, 112 x 112 x (8 + 16), so the width is 0.25. In tiles of one row with
  atomic steps, only the larger of the two tensors is left.
- **MobileNet v2, MNASNet.** 100,352 B and 200,704 B are 112 x 112 x 8 and 112 x 112 x 16. The paper says of the first network
  that a single large tensor dominates, which no tiles make smaller. In our networks, two tensors are in use at the peak, and
  the larger one is left.
- **SqueezeNet.** The shapes of the paper's table 3, 55 x 55 x 128 before and after 55 x 55 x 32, are in neither version of the
  network. In our network, the first convolution makes 111 x 111 x 96, and with atomic rows that is the peak, 1,182,816 B.
- **Inception v3.** 901,600 B is 35 x 35 x 736, so the paper's peak seems to be in the blocks. Our peak is in the stem, 147 x
  147 x (32 + 64) without tiles.
- **Cascades** are not in the paper. They keep large tensors on chip, a few rows at a time. All weights of a cascade are on chip
  at once, so operators with few pixels and many weights are joined less often.

## Beside Vela

Vela 5.2.0 compiles for Ethos-U, which keeps everything in one memory: tensors, and the rows that a cascade holds. Its figure is
what ` + "`vela --accelerator-config ethos-u55-128 --optimise Size`" + ` reports as memory used. Our figures are for tiles of one row with
cascades of up to 8 operators: the plan off chip, the most that cascades keep on chip between operators, and both together, as
if they were in one memory. All figures are in bytes.

| model | whole tensors | off chip | kept on chip | together | Vela | difference |
|---|---:|---:|---:|---:|---:|---:|
`

const offChipTimes = `
The two figures are not quite comparable. Vela's figure may include buffers for weights, and ours leaves weights out. Vela
makes a program for a processor that computes blocks of a given size, and ours is a plan that no processor has run. Our plan
makes the part off chip as small as possible, and not the sum. How much each of these differences matters was not measured.

## Time

The paper's table 2 has how long its allocation takes, in microseconds on an AMD Ryzen Threadripper 2950X. Our time is CPU time
on one thread of an AMD EPYC, for tiles of 512 KiB, including the check on the map of bytes. It is the mean of the three orders,
measured once. Networks and tiles differ as described above, so only the rough size of the ratio means anything.
` + "`go test ./benchmarks -run - -bench OffChip`" + ` measures the three orders together, and the strategies for shared objects.

| network | the paper's, over its shared objects | ours, over the paper's |
|---|---:|---:|
`
