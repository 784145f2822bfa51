package main

const exitCodesTopic = `EXIT CODES
   0    done; a plan that is not proven optimal is done too
   1    failure: a file that cannot be read or written, or is not rewritten safely;
        more tensors than the strategy takes
   2    usage: a command line that asks for what does not exist
   3    the input is not a valid model or problem
   4    a check failed: a capacity that is proven to be too small, a budget that is
        exceeded, a model that the runtime cannot run, a memory plan that is broken,
        files that differ (diff --exit-code or --quiet), a budget in which stream has
        no plan
   5    no answer within the limit: a capacity neither met nor ruled out, or a budget
        of fit not met when --time-limit ended the search
   130  interrupted; what was found until then has been printed

   Of several inputs the largest code counts.
`

const filesTopic = `FILES
   Several outputs (-o) are written all or none: each is completed beside its place
   first, and only then are they put there, each in one step. Whatever fails on the
   way leaves every file as it was. A process that is killed leaves old files or new
   ones and never parts of them, and nothing else, but for the moment in which files
   change places: a file .tflarena-* from then, or from a file system that has no
   files without names (other than those of Linux), goes with the next run that
   writes the same output.

   A file that is replaced keeps its permissions, and its owner and group where this
   user may set them; it must be writable. It loses set-user-ID and set-group-ID bits,
   access lists and extended attributes. Its other names (hard links) keep the old
   contents. A symbolic link keeps leading where it does, and what is there is replaced.

   Standard output, by any name (-, /dev/stdout, /dev/fd/1), other open files
   (/dev/fd/N), pipes and devices are written to as they are and never replaced. What
   they have taken stays, whatever fails later. A model on standard output has its
   report on standard error, unless --quiet is set.

   An input of 64 MiB or more is not copied into memory. It must not be written to
   while the command runs, which is an error where it is noticed.
`
