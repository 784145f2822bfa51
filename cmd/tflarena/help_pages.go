package main

const exitCodesTopic = `  0    done, even if the plan is not proven to be optimal
  1    failure: a file cannot be read or written, or cannot be rewritten
       safely, or the strategy does not take so many tensors
  2    usage error: an unknown command, flag, value or name
  3    the input is not a valid model or problem
  4    a check failed: a capacity is proven to be too small, a budget is
       exceeded, the runtime cannot run a model, a memory plan is broken, or
       files differ (diff --exit-code or --quiet), or stream has no plan
       within a budget
  5    no answer within the limit: a capacity was neither met nor ruled out,
       or fit had not met its budget when --time-limit ended the search
  130  interrupted; what was found so far has been printed

With several inputs, the largest of their codes is the exit code.
`

const filesTopic = `A MODEL may also be an array of bytes in a C or C++ source file, as -o cc=PATH, xxd -i and firmware have it. The file may have other arrays, but only one model.

If a command has several outputs (-o), it writes all of them or none. Each output is written to a temporary file next to its target, and renamed. If anything fails before that, every file stays as it was. If the process is killed, each file is either the old one or the new one, and it is complete. A file named .tflarena-* may be left over if the process is killed while files change places, or on systems other than Linux; the next run that writes the same output removes it.

A file that is replaced keeps its permissions, and its owner and group if this user may set them; it must be writable. It loses set-user-ID and set-group-ID bits, access lists and extended attributes. Its other names (hard links) keep the old contents. A symbolic link still leads to the same place, and the file there is replaced.

Standard output (under any name: -, /dev/stdout, /dev/fd/1), other open files (/dev/fd/N), pipes and devices are written to, and never replaced. What was written there stays, even if something fails later. If a model goes to standard output, its report goes to standard error, unless --quiet is set.

An input of 64 MiB or more is not copied into memory. Do not write to it while the command runs: if the command notices, it ends with an error.
`
