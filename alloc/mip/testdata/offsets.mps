* The smallest arena for 5 records: minimise u, in units of 32 B.
* zI_J is 1 when record I does not lie below record J. The rows d and f follow from the others.
* x0: offset / 32 of record "a"
* x1: offset / 64 of record "End\n\\ b"
* x3: offset / 32 of record "pinned"
* x4: offset / 32 of record "gap"
NAME arena FREE
ROWS
 N obj
 G t0
 G t1
 G t3
 G t4
 L a0_1
 L b0_1
 L a0_4
 L b0_4
 L a1_3
 L b1_3
 L a1_4
 L b1_4
 L a3_4
 L b3_4
 G d0_0
 G f0_0
 G d0_1
 G f0_1
 G d1_1
 G f1_1
 G d1_3
 G f1_3
COLUMNS
 MARKER 'MARKER' 'INTORG'
 u obj 1
 u t0 1
 u t1 1
 u t3 1
 u t4 1
 u f0_0 1
 u f0_1 1
 u f1_1 1
 u f1_3 1
 x0 t0 -1
 x0 a0_1 1
 x0 b0_1 -1
 x0 a0_4 1
 x0 b0_4 -1
 x0 d0_0 1
 x0 f0_0 -1
 x1 t1 -2
 x1 a0_1 -2
 x1 b0_1 2
 x1 a1_3 2
 x1 b1_3 -2
 x1 a1_4 2
 x1 b1_4 -2
 x1 d0_1 2
 x1 f0_1 -2
 x1 d1_1 2
 x1 f1_1 -2
 x3 t3 -1
 x3 a1_3 -1
 x3 b1_3 1
 x3 a3_4 1
 x3 b3_4 -1
 x3 d1_3 1
 x3 f1_3 -1
 x4 t4 -1
 x4 a0_4 -1
 x4 b0_4 1
 x4 a1_4 -1
 x4 b1_4 1
 x4 a3_4 -1
 x4 b3_4 1
 z0_1 a0_1 -8
 z0_1 b0_1 8
 z0_1 d0_0 -3
 z0_1 f0_0 3
 z0_1 d0_1 2
 z0_1 f0_1 -2
 z0_4 a0_4 -8
 z0_4 b0_4 8
 z1_3 a1_3 -8
 z1_3 b1_3 8
 z1_3 d1_1 -1
 z1_3 f1_1 1
 z1_3 d1_3 3
 z1_3 f1_3 -3
 z1_4 a1_4 -8
 z1_4 b1_4 8
 z3_4 a3_4 -8
 z3_4 b3_4 8
 MARKER 'MARKER' 'INTEND'
RHS
 RHS t0 2
 RHS t1 3
 RHS t3 1
 RHS t4 2
 RHS a0_1 -2
 RHS b0_1 5
 RHS a0_4 -2
 RHS b0_4 6
 RHS a1_3 -3
 RHS b1_3 7
 RHS a1_4 -3
 RHS b1_4 6
 RHS a3_4 -1
 RHS b3_4 6
 RHS f0_0 5
 RHS d0_1 2
 RHS f0_1 3
 RHS f1_1 4
 RHS d1_3 3
 RHS f1_3 1
BOUNDS
 LO BND u 0
 UP BND u 8
 LO BND x0 0
 UP BND x0 6
 LO BND x1 0
 UP BND x1 2
 FX BND x3 1
 LO BND x4 0
 UP BND x4 6
 LO BND z0_1 0
 UP BND z0_1 1
 LO BND z0_4 0
 UP BND z0_4 1
 LO BND z1_3 0
 UP BND z1_3 1
 LO BND z1_4 0
 UP BND z1_4 1
 LO BND z3_4 0
 UP BND z3_4 1
ENDATA
