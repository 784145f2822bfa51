package main

const exitCodesTopic = `  0    done, also with a plan that is not proven to be optimal
  1    failure: a file cannot be read or written, or cannot be rewritten
       safely; the strategy does not take so many tensors
  2    usage: the command line asks for something that does not exist
  3    the input is not a valid model or problem
  4    a check failed: a capacity is proven to be too small, a budget is
       exceeded, the runtime cannot run a model, a memory plan is broken, or
       files differ (diff --exit-code or --quiet), or stream has no plan
       within a budget
  5    no answer within the limit: a capacity was neither met nor ruled out,
       or fit had not met its budget when --time-limit ended the search
  130  interrupted; what was found until then has been printed

With several inputs, the largest of their codes is the exit code.
`

const filesTopic = `Several outputs (-o) are written all or none. Each of them is first completed beside its place, and then takes its place in one step. If anything fails before, every file stays as it was. If the process is killed, each file is the old one or the new one as a whole. A file named .tflarena-* can be left over from the moment at which files change places, or on systems other than Linux; the next run that writes the same output removes it.

A file that is replaced keeps its permissions, and its owner and group if this user may set them; it must be writable. It loses set-user-ID and set-group-ID bits, access lists and extended attributes. Its other names (hard links) keep the old contents. A symbolic link still leads to the same place, and the file there is replaced.

Standard output, by any name (-, /dev/stdout, /dev/fd/1), other open files (/dev/fd/N), pipes and devices are written to, and never replaced. What was written there stays, even if something fails later. If a model goes to standard output, its report goes to standard error, unless --quiet is set.

An input of 64 MiB or more is not copied into memory. Do not write to it while the command runs: if that is noticed, it is an error.
`
