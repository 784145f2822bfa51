package main

const faultsTopic = `A fault is a known problem of a model with TensorFlow Lite Micro and the kernels that --kernels names. There are three kinds:

  does not run   AllocateTensors or Invoke refuses the model, crashes
                 or hangs. check exits with 4; no flag changes that.
  wrong results  A kernel computes something else than the operator
                 means, leaves a part of its output unwritten, or
                 accesses memory outside its buffers. check exits
                 with 4 unless --allow-faults is given.
  old memory     An output depends on what the arena held before.
                 This is a warning: the outputs of a rewritten model
                 need not be the same.

rewrite and fit exit with 4 and write nothing if a model has a fault of the first two kinds. With --allow-faults they write a model, leave the operators with wrong results as they are, and name them. analyze and report print the faults first and exit with 0.

'rewrite --repair' replaces operators with a fault by others that compute what the original should; see 'tflarena help rules'. check and analyze name the command if it avoids all faults of a model.

A fault fails a check only if the kernel was run and showed it. It is a warning if only builds with assertions abort, if no value is off by more than one output step, or if it is known from the source or from an upstream issue alone: "may not run", "may compute wrong results". Each fault names its library, the versions, and a file and line or an issue.

Custom operators of an application are not faults: it has to register their kernels.
`
