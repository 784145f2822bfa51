"""Results of the command. python/generate.py writes this file from docs/schema.

Fields have the names of the JSON, with an underscore after Python's keywords. Fields that may be absent are None."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .result import Result


@dataclass(frozen=True, kw_only=True)
class Problem:
    kind: Literal["unreadable", "invalid", "no_answer", "faulty", "interrupted", "failure"]
    """Stable name of the kind, independent of the wording."""
    message: str
    """Cause, for people, without the name of the input."""
    path: str | None = None
    """Table and field of the file, such as subgraphs[0].tensors[7].shape. Absent if unknown."""
    offset_bytes: int | None = None
    """Byte of the file at which `path` is. Absent if unknown."""


@dataclass(frozen=True, kw_only=True)
class Fault:
    kind: Literal["does-not-run", "wrong-results", "old-memory"]
    """Effect: the model does not run, computes wrong results, or has outputs that depend on the previous content of the
    arena."""
    fails: bool
    """Whether `check` fails the model, and `rewrite` and `fit` write nothing. Other faults are warnings."""
    subgraph: int
    """Index of the subgraph; -1 before the run."""
    index: int
    """Index of the operator in its subgraph; -1 if no single operator is at fault."""
    operator: str
    """Kind of the operator, such as CONV_2D, or its custom code; empty if no single operator is at fault."""
    phase: Literal["no kernel", "Prepare", "planning", "Eval"]
    """Phase in which the fault shows."""
    library: str
    """Library whose code has the fault."""
    versions: str
    """Releases or commits of the library that have the fault."""
    reason: str
    """Condition of the fault, for people: a predicate of the operator."""
    limits: str
    """Why the fault is only a warning; empty if it fails the check, and if nothing limits it."""
    source: str
    """File and line in the repository of the library, or an issue; empty for a refusal by a kernel."""
    custom: bool
    """Whether only the kernel of a custom operator is missing, which an application can register."""


@dataclass(frozen=True, kw_only=True)
class Note:
    kind: Literal["scratch", "in_place", "overlaps", "orders_unproven", "plan_shares_memory", "plan_for_kernels", "rules", "release_unmodelled", "repaired_for", "inclusive_end", "plan_left_aside", "head", "arena", "foreign_plan_stays", "alias_gains", "no_plan", "estimated", "sliced", "tiled", "mended", "input_shapes", "file", "cannot_run", "custom_kernel", "kernel_unknown", "unknown_column", "approach_left_out", "foreign_plan_lost", "plan_unfollowed", "plan_unverified", "plan_broken", "head_unknown", "wrong_in_litert", "kernel_fault", "wrong_results", "old_memory", "scratch_unused", "library_unknown", "older_runtime", "no_texture", "trace", "not_counted", "unused_tensors", "constants_seen_as_activations", "hidden_calls", "one_subgraph", "dynamic_shape", "no_shape", "needs_driver", "order_not_tried", "order_larger_in_litert", "order_wrong_in_litert", "order_refused", "order_no_smaller", "order_mends_litert", "arena_gains_less", "order_mended"]
    """Stable name of the kind, independent of the wording."""
    text: str
    """Sentence for people, whose wording may change."""


@dataclass(frozen=True, kw_only=True)
class Failed(Result):
    input: str
    """Input as on the command line, `<stdin>` for standard input."""
    error: Problem
    """Why this input has no result."""
    faults: list[Fault]
    """Known faults of the model in TensorFlow Lite Micro."""
    notes: list[Note]
    """Remarks that are needed to interpret the figures."""
    warnings: list[Note]
    """Unusual properties or errors of the input."""


@dataclass(frozen=True, kw_only=True)
class UnknownOperator:
    subgraph: int
    """Index of the subgraph; -1 before the run."""
    index: int
    """Index of the first such operator in its subgraph."""
    name: str
    """Kind of the operators, such as CONV_2D, or their custom code."""
    operator_count: int
    """Number of operators of this kind; the index is that of the first."""
    reason: str
    """Why their memory is unknown, for people."""


@dataclass(frozen=True, kw_only=True)
class Unknown:
    operators: list[UnknownOperator]
    """Operators that make the arena unknown, an entry for each kind. head_bytes does not include their scratch."""


@dataclass(frozen=True, kw_only=True)
class OtherBuild:
    kernels: str
    """Kernel library, as the flag `--kernels` names it, with a release if that is not the newest modelled one."""
    verdict: Literal["DOES NOT RUN", "WRONG RESULTS", "NOT KNOWN", "DOES NOT FIT", "FITS", "REQUIRES"]
    """Verdict with these kernels, in the same budgets."""
    required_bytes: int | None = None
    """Required arena in bytes. Absent if it is not known."""

    @property
    def fits(self) -> bool:
        """Whether the verdict is FITS. False without a budget, too."""
        return self.verdict == "FITS"


@dataclass(frozen=True, kw_only=True)
class Time:
    latency_ms: float | None = None
    """Estimated time in milliseconds of one run with as many multiply-accumulates as macs says. More of them take
    longer in proportion. Absent if the clock is unknown."""
    cycles: int | None = None
    """The same time in clock cycles. Absent with the user's measurements."""
    clock_mhz: int | None = None
    """Clock in MHz. Absent if it is unknown, and with the user's measurements."""
    error_percent: int | None = None
    """Largest deviation of a measurement from the estimate by all others, in percent of that estimate. Absent with a
    single measurement."""
    measurement_count: int
    """Number of measurements behind the estimate."""
    source: str
    """What was measured: the core and the kernel library, or the file of the user's measurements."""


@dataclass(frozen=True, kw_only=True)
class EmbeddedPlan:
    tensors_fixed: int
    """Number of tensors to which the plan gives an offset."""
    tensors_planned: int
    """Number of tensors that the runtime plans."""
    head_without_plan_bytes: int | None = None
    """Head without the plan, in bytes. Absent if it was not computed."""


@dataclass(frozen=True, kw_only=True)
class Figures:
    required_bytes: int | None = None
    """Smallest arena with which AllocateTensors of TensorFlow Lite Micro succeeds, in bytes: a multiple of 16, for an
    arena that begins at a multiple of 16. Absent for other runtimes, and with arena_unknown."""
    used_bytes: int | None = None
    """Head and tail in bytes: what `arena_used_bytes()` of TensorFlow Lite Micro returns. Absent for other runtimes,
    and with arena_unknown."""
    head_bytes: int
    """Memory that the runtime's planner places, in bytes: tensors, and kernel scratch if that is counted. For a rule
    set without a planner of its own, the total of the best plan."""
    tail_bytes: int | None = None
    """Persistent memory of TensorFlow Lite Micro, in addition to the head, in bytes. Absent for other runtimes, and
    with arena_unknown."""
    arena_unknown: Unknown | None = None
    """Why the arena is unknown. Absent if it is known."""


@dataclass(frozen=True, kw_only=True)
class OlderRuntime:
    before: str
    """Day on which TensorFlow Lite Micro began to see that control flow, as YYYY-MM-DD."""
    required_bytes: int | None = None
    """Smallest arena with which AllocateTensors of TensorFlow Lite Micro succeeds, in bytes: a multiple of 16, for an
    arena that begins at a multiple of 16. Absent for other runtimes, and with arena_unknown."""
    used_bytes: int | None = None
    """Head and tail in bytes: what `arena_used_bytes()` of TensorFlow Lite Micro returns. Absent for other runtimes,
    and with arena_unknown."""
    head_bytes: int
    """Memory that the runtime's planner places, in bytes: tensors, and kernel scratch if that is counted. For a rule
    set without a planner of its own, the total of the best plan."""
    tail_bytes: int | None = None
    """Persistent memory of TensorFlow Lite Micro, in addition to the head, in bytes. Absent for other runtimes, and
    with arena_unknown."""
    arena_unknown: Unknown | None = None
    """Why the arena is unknown. Absent if it is known."""
    crashes: bool
    """Whether AllocateTensors crashes, because an operator that this runtime does not find requests scratch."""


@dataclass(frozen=True, kw_only=True)
class Order:
    peak_bytes: int | None = None
    """Peak live bytes of the file's order of the operators."""
    least_peak_bytes: int | None = None
    """Peak in bytes of the best order found."""
    written_peak_bytes: int | None = None
    """Peak in bytes of the written order. Absent if that is the least."""
    least_peak_bound_bytes: int | None = None
    """Lower bound in bytes on the peak of any valid order of the operators."""
    least_peak_proven: bool | None = None
    """Whether no order has a smaller peak than least_peak_bytes, under the condition of least_peak_keeps_effects."""
    least_peak_keeps_effects: bool | None = None
    """Whether least_peak_bound_bytes holds only for orders that preserve the relative order of operators with unknown
    side effects, such as custom operators."""
    search_states: int | None = None
    """Number of sets of operators that the search for an order examined."""
    interrupted: bool | None = None
    """Whether the time limit passed, or the user interrupted, before everything was tried."""
    problem: str | None = None
    """Why the order of the file is invalid, for people; it is then the only field. Absent if it is valid."""


@dataclass(frozen=True, kw_only=True)
class Stage:
    first_operator: int
    """Index of the block's first operator, inclusive, in the file without the operators that compute nothing."""
    last_operator: int
    """Index of the block's last operator, inclusive."""
    row_tiles: int
    """Number of strips along the rows."""
    column_tiles: int
    """Number of tiles along the columns."""
    channel_tiles: int
    """Number of channel slices; 0 if the channels are not cut."""
    uneven_tiles: int
    """Most tiles of different sizes into which the block is cut; 0 if its tiles are equal."""
    lean: int
    """Number of rows by which the lower edge of the first strip is moved, and later ones less, as long as each strip
    keeps a row; negative if the first strip gets lower."""
    halos: Literal["recompute", "keep"]
    """Treatment of the rows and columns that neighbouring tiles share: recomputed, or kept."""
    carried: bool
    """Whether borders are computed and cut off instead of padded."""


@dataclass(frozen=True, kw_only=True)
class Outlook:
    required_bytes: int | None = None
    """Smallest arena with which AllocateTensors of TensorFlow Lite Micro succeeds, in bytes: a multiple of 16, for an
    arena that begins at a multiple of 16. Absent for other runtimes, and with arena_unknown."""
    used_bytes: int | None = None
    """Head and tail in bytes: what `arena_used_bytes()` of TensorFlow Lite Micro returns. Absent for other runtimes,
    and with arena_unknown."""
    head_bytes: int
    """Memory that the runtime's planner places, in bytes: tensors, and kernel scratch if that is counted. For a rule
    set without a planner of its own, the total of the best plan."""
    tail_bytes: int | None = None
    """Persistent memory of TensorFlow Lite Micro, in addition to the head, in bytes. Absent for other runtimes, and
    with arena_unknown."""
    arena_unknown: Unknown | None = None
    """Why the arena is unknown. Absent if it is known."""
    extra_macs: int
    """Multiply-accumulates of one run beyond macs; negative if fewer."""
    macs: int
    """Multiply-accumulates of one run of the unmodified model, with its original operators if it is tiled."""
    file_bytes: int
    """Size of the file in bytes."""
    stages: list[Stage]
    """Tiled blocks: the runs of operators that are computed tile by tile."""


@dataclass(frozen=True, kw_only=True)
class Tensor:
    id: str
    """SUBGRAPH:INDEX of a tensor of a model, the name of a scratch request, or the id of a row of a CSV problem."""
    name: str
    """Name in the file."""
    shape: list[int] | None = None
    """Dimensions as in the file, -1 if unknown. Absent for anything that is not a tensor of a model."""
    dtype: str | None = None
    """Element type as in the file, such as INT8. Absent for anything that is not a tensor of a model."""
    size_bytes: int
    """Memory of the tensor in bytes, as the runtime rounds it."""
    first_op: int
    """First position at which the tensor is alive, inclusive; negative before the run."""
    last_op: int
    """Last position at which the tensor is alive, inclusive; negative before the run."""


@dataclass(frozen=True, kw_only=True)
class Peak:
    subgraph: int
    """Index of the subgraph; -1 before the run."""
    index: int
    """Index of the operator in its subgraph; -1 where a subgraph is entered, and before the run."""
    position: int
    """Place in the order of execution, from 0; negative before the run."""
    name: str
    """Kind of the operator that runs at the peak, or what happens there."""
    breadth_bytes: int
    """Live bytes at this position: the sum of the sizes of its live tensors and scratch."""
    tensors: list[Tensor]
    """Live tensors at the peak, the largest first."""


@dataclass(frozen=True, kw_only=True)
class Operator:
    subgraph: int
    """Index of the subgraph; -1 before the run."""
    index: int
    """Index of the operator in its subgraph; -1 where a subgraph is entered, and before the run."""
    position: int
    """Place in the order of execution, from 0; negative before the run."""
    name: str
    """Kind of the operator, such as CONV_2D, or its custom code; or what is entered."""
    inputs: list[str]
    """IDs of the tensors that the operator reads; empty for an omitted optional one."""
    outputs: list[str]
    """IDs of the tensors that the operator makes."""
    macs: int
    """Multiply-accumulates of the operator, without those of the subgraphs it calls."""
    weights_bytes: int
    """Size in bytes of the operator's constant inputs in the file."""
    breadth_bytes: int
    """Live bytes at this position: the sum of the sizes of its live tensors and scratch."""
    alive: int
    """Number of tensors and scratch buffers in memory at this position."""


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    reason: str
    """Why the tensors are not planned."""
    tensor_count: int
    """Number of tensors that are not planned for this reason."""


@dataclass(frozen=True, kw_only=True)
class Analysis(Result):
    input: str
    """Input as on the command line, `<stdin>` for standard input."""
    runtime: Literal["", "tflm", "litert", "paper"]
    """Rule set that the model was read with; empty for a CSV problem."""
    file_bytes: int | None = None
    """Size of the file in bytes. Absent for a CSV problem."""
    verdict: Literal["DOES NOT RUN", "WRONG RESULTS", "NOT KNOWN", "DOES NOT FIT", "FITS", "REQUIRES"] | None = None
    """Verdict on the model. Absent for other runtimes than TensorFlow Lite Micro."""
    required_bytes: int | None = None
    """Smallest arena with which AllocateTensors of TensorFlow Lite Micro succeeds, in bytes: a multiple of 16, for an
    arena that begins at a multiple of 16. Absent for other runtimes, and with arena_unknown."""
    used_bytes: int | None = None
    """Head and tail in bytes: what `arena_used_bytes()` of TensorFlow Lite Micro returns. Absent for other runtimes,
    and with arena_unknown."""
    head_bytes: int
    """Memory that the runtime's planner places, in bytes: tensors, and kernel scratch if that is counted. For a rule
    set without a planner of its own, the total of the best plan."""
    tail_bytes: int | None = None
    """Persistent memory of TensorFlow Lite Micro, in addition to the head, in bytes. Absent for other runtimes, and
    with arena_unknown."""
    arena_unknown: Unknown | None = None
    """Why the arena is unknown. Absent if it is known."""
    head_planner: str
    """Strategy that determines head_bytes."""
    scratch: str | None = None
    """Source of the counted kernel scratch: `none`, the file that lists it, or the kernel library that requests it.
    Absent for other runtimes than TensorFlow Lite Micro."""
    abi: Literal["esp", "arm", "host64"] | None = None
    """ABI that the arena is counted for: the sizes of pointers and enums. `check --help` explains them. Absent for
    other runtimes than TensorFlow Lite Micro."""
    kernels: str | None = None
    """Kernel library that the figures are for, with its release, as the flag `--kernels` names it. Absent for the
    reference kernels."""
    kernels_title: str | None = None
    """Description of the kernel library for people: its name and release, whether that is the newest modelled, and its
    build settings. Absent for the reference kernels."""
    target_name: str | None = None
    """Target of the figures, as the flag `--target` names it. Absent without one."""
    budget_bytes: int | None = None
    """Inclusive budget of a project file for the required arena, in bytes. Absent without one, and from `check`, which
    has budgets."""
    sram_bytes: int | None = None
    """Size of the target's largest SRAM region, in bytes, which the verdict compares with the required arena if there
    is no budget. Absent if it is not known."""
    target_kernels_unmodelled: str | None = None
    """Kernels of the target, for people, if they are not modelled: the figures are then for the reference kernels, and
    the verdict is NOT KNOWN. Absent otherwise."""
    other_kernels: list[OtherBuild] | None = None
    """Verdicts with the kernel libraries that devices ship. Absent if the figures are for a library that was chosen."""
    best_bytes: int
    """Total of the best plan found, in bytes. It never exceeds head_bytes."""
    best_strategy: str
    """Strategy of the best plan, the first of equals; `embedded` if no strategy beats the embedded plan."""
    lower_bound_bytes: int
    """Lower bound in bytes on any plan in this order of the operators, unless tensors share memory on purpose."""
    naive_bytes: int
    """Bytes that the tensors take without any sharing."""
    proven_optimal: bool
    """Whether no plan is smaller than the best one found."""
    proof: str
    """Why no plan is smaller, for people; empty if that is not proven."""
    macs: int
    """Multiply-accumulates of one run of the unmodified model."""
    time: Time | None = None
    """Estimate of the time of one run. Absent without a measurement."""
    interrupted: bool
    """Whether the time limit passed, or the user interrupted, before everything was tried."""
    embedded_plan: EmbeddedPlan | None = None
    """Memory plan embedded in the model. Absent if there is none that the runtime follows."""
    with_plan: Figures | None = None
    """Arena with the best plan found. Absent for other runtimes than TensorFlow Lite Micro, and with arena_unknown."""
    older_runtime: OlderRuntime | None = None
    """Figures of a TensorFlow Lite Micro built before a given day, which does not see control flow whose operator code
    is only in the deprecated field. Absent if they are the same."""
    plan_broken: bool
    """Whether the embedded plan breaks a law, or cannot be followed."""
    order: Order | None = None
    """Results of the search for another order of the operators. Absent without a search."""
    with_order: Figures | None = None
    """Arena with another order of the operators and a plan for it. Absent without a gain."""
    tiled: Outlook | None = None
    """Best tiled model that a short search finds. Absent if it is no gain."""
    next: str
    """Recommended command line: the one with the largest gain at the least cost; empty without one."""
    peak: Peak | None = None
    """Position with the most live bytes, the first of equals. Absent if nothing is planned."""
    operators: list[Operator]
    """Events at each position, in the order of execution: operators and entered subgraphs."""
    tensors: list[Tensor]
    """Planned tensors in the order of the file, then scratch if that is counted."""
    left_out: list[LeftOut]
    """Numbers of tensors that are not planned, by reason."""
    faults: list[Fault]
    """Known faults of the model in TensorFlow Lite Micro."""
    notes: list[Note]
    """Remarks that are needed to interpret the figures."""
    warnings: list[Note]
    """Unusual properties or errors of the input."""

    @property
    def fits(self) -> bool:
        """Whether the verdict is FITS. False without a budget, too."""
        return self.verdict == "FITS"


@dataclass(frozen=True, kw_only=True)
class Part:
    name: str
    """Name of the part."""
    size_bytes: int
    """Size of the part in bytes."""
    estimated: bool
    """Whether the size is an estimate."""
    basis: str
    """Source of the size."""


@dataclass(frozen=True, kw_only=True)
class Budget:
    name: Literal["arena", "head", "tensor", "growth"]
    """Budget, named after its flag: `--max-arena`, `--max-head`, `--max-tensor` or `--max-growth`."""
    figure: Literal["required_bytes", "head_bytes", "size_bytes", "used_bytes"]
    """Field that is compared with the limit: of this element, or of its largest_tensor."""
    limit_bytes: int
    """Inclusive limit in bytes."""
    actual_bytes: int
    """Value of the figure, in bytes, which is compared with the limit."""
    pass_: bool
    """Whether the verdict is yes."""
    detail: str | None = None
    """Tensor that the budget is about, or why the figure is unknown, for people. Absent otherwise."""
    unknown: bool | None = None
    """Whether the figure is unknown, so that the budget is not met. Absent if not."""


@dataclass(frozen=True, kw_only=True)
class Baseline:
    input: str
    """Input as on the command line, `<stdin>` for standard input."""
    required_bytes: int | None = None
    """Smallest arena with which AllocateTensors of TensorFlow Lite Micro succeeds, in bytes: a multiple of 16, for an
    arena that begins at a multiple of 16. Absent for other runtimes, and with arena_unknown."""
    used_bytes: int | None = None
    """Head and tail in bytes: what `arena_used_bytes()` of TensorFlow Lite Micro returns. Absent for other runtimes,
    and with arena_unknown."""
    head_bytes: int
    """Memory that the runtime's planner places, in bytes: tensors, and kernel scratch if that is counted. For a rule
    set without a planner of its own, the total of the best plan."""
    tail_bytes: int | None = None
    """Persistent memory of TensorFlow Lite Micro, in addition to the head, in bytes. Absent for other runtimes, and
    with arena_unknown."""
    arena_unknown: Unknown | None = None
    """Why the arena is unknown. Absent if it is known."""


@dataclass(frozen=True, kw_only=True)
class Check(Result):
    input: str
    """Input as on the command line, `<stdin>` for standard input."""
    pass_: bool
    """Whether the verdict is yes."""
    verdict: Literal["DOES NOT RUN", "WRONG RESULTS", "NOT KNOWN", "DOES NOT FIT", "FITS", "REQUIRES"]
    """Verdict on the model in its budgets."""
    plan_problem: str | None = None
    """Fault of the embedded memory plan, which fails the model whatever its budgets. Absent without one."""
    faults: list[Fault]
    """Known faults of the model in TensorFlow Lite Micro."""
    required_bytes: int | None = None
    """Smallest arena with which AllocateTensors of TensorFlow Lite Micro succeeds, in bytes: a multiple of 16, for an
    arena that begins at a multiple of 16. Absent for other runtimes, and with arena_unknown."""
    used_bytes: int | None = None
    """Head and tail in bytes: what `arena_used_bytes()` of TensorFlow Lite Micro returns. Absent for other runtimes,
    and with arena_unknown."""
    head_bytes: int
    """Memory that the runtime's planner places, in bytes: tensors, and kernel scratch if that is counted. For a rule
    set without a planner of its own, the total of the best plan."""
    tail_bytes: int | None = None
    """Persistent memory of TensorFlow Lite Micro, in addition to the head, in bytes. Absent for other runtimes, and
    with arena_unknown."""
    arena_unknown: Unknown | None = None
    """Why the arena is unknown. Absent if it is known."""
    required_decided_by: str
    """Moment at which the runtime needs the most memory, for people."""
    older_runtime: OlderRuntime | None = None
    """Figures of a TensorFlow Lite Micro built before a given day, which does not see control flow whose operator code
    is only in the deprecated field. Absent if they are the same."""
    largest_tensor: Tensor | None = None
    """Largest planned tensor, the first of equals; constants and variables are not planned. Absent if nothing is
    planned."""
    embedded_plan: EmbeddedPlan | None = None
    """Memory plan embedded in the model. Absent if there is none that the runtime follows."""
    scratch: str
    """Source of the counted kernel scratch: `none`, the file that lists it, or the kernel library that requests it."""
    abi: Literal["esp", "arm", "host64"]
    """ABI that the arena is counted for: the sizes of pointers and enums. `check --help` explains them."""
    kernels: str | None = None
    """Kernel library that the figures are for, with its release, as the flag `--kernels` names it. Absent for the
    reference kernels."""
    kernels_title: str | None = None
    """Description of the kernel library for people: its name and release, whether that is the newest modelled, and its
    build settings. Absent for the reference kernels."""
    target_name: str | None = None
    """Target of the figures, as the flag `--target` names it. Absent without one."""
    budget_bytes: int | None = None
    """Inclusive budget of a project file for the required arena, in bytes. Absent without one, and from `check`, which
    has budgets."""
    sram_bytes: int | None = None
    """Size of the target's largest SRAM region, in bytes, which the verdict compares with the required arena if there
    is no budget. Absent if it is not known."""
    target_kernels_unmodelled: str | None = None
    """Kernels of the target, for people, if they are not modelled: the figures are then for the reference kernels, and
    the verdict is NOT KNOWN. Absent otherwise."""
    other_kernels: list[OtherBuild] | None = None
    """Verdicts with the kernel libraries that devices ship. Absent if the figures are for a library that was chosen."""
    time: Time | None = None
    """Estimate of the time of one run. Absent without a measurement."""
    target: str
    """Description of the ABI, for people."""
    pointer_bytes: int
    """Size of a pointer on the target, in bytes."""
    parts: list[Part]
    """Contents of the arena."""
    budgets: list[Budget]
    """Limits that the model is compared with."""
    next: str
    """Command line that may make the model fit its budgets, or that writes its firmware if it fits; empty without
    one."""
    base: Baseline | None = None
    """Model before. Absent without one."""
    new: bool | None = None
    """Whether the folder of models before lacks the model. Absent if not."""
    notes: list[Note]
    """Remarks that are needed to interpret the figures."""
    warnings: list[Note]
    """Unusual properties or errors of the input."""

    @property
    def fits(self) -> bool:
        """Whether the verdict is FITS. False without a budget, too."""
        return self.verdict == "FITS"


@dataclass(frozen=True, kw_only=True)
class Entry:
    strategy: str
    """Name of the strategy."""
    total_bytes: int | None = None
    """Size of the plan in bytes: the end of the highest tensor, or the sum of the shared objects."""
    proven_optimal: bool | None = None
    """Whether no plan is smaller than this one."""
    elapsed_ns: int | None = None
    """Planning time in nanoseconds."""
    interrupted: bool
    """Whether the time limit passed, or the user interrupted, before everything was tried."""
    problem: str | None = None
    """Why the strategy has no plan, for people; it then has no figures. Absent if it has one."""


@dataclass(frozen=True, kw_only=True)
class Contest(Result):
    input: str
    """Input as on the command line, `<stdin>` for standard input."""
    runtime: Literal["", "tflm", "litert", "paper"]
    """Rule set that the model was read with; empty for a CSV problem."""
    approach: Literal["offsets", "shared"]
    """How memory is shared: tensors at offsets in one arena, or whole shared objects."""
    records: int
    """Number of planned tensors, and of scratch requests if those are counted."""
    naive_bytes: int
    """Bytes that the tensors take without any sharing."""
    lower_bound_bytes: int
    """Lower bound in bytes on any plan in this order of the operators, unless tensors share memory on purpose."""
    best_bytes: int
    """Total of the best plan found, in bytes."""
    best_strategy: str
    """Strategy of the best plan, the first of equals; empty if none made a plan."""
    proven_optimal: bool
    """Whether no plan is smaller than the best one found."""
    next: str
    """Command line that searches for a smaller plan or a proof; empty if there is a proof."""
    strategies: list[Entry]
    """Result of each strategy."""
    notes: list[Note]
    """Remarks that are needed to interpret the figures."""
    warnings: list[Note]
    """Unusual properties or errors of the input."""


@dataclass(frozen=True, kw_only=True)
class RecordedRule:
    name: str
    """Name of the rule, such as `conv-to-fully-connected`."""
    operator_count: int
    """Number of operators that were replaced; 0 for a rule about the file."""


@dataclass(frozen=True, kw_only=True)
class Record:
    version: int
    """Version of the record: 1. It increases with every change of the fields."""
    rules: list[RecordedRule]
    """Rules that were applied, each once."""
    kernels: list[str]
    """Families of TensorFlow Lite Micro's kernel libraries with which the outputs are bit-identical to those of the
    original (or, for a repaired model, right): `reference`, `cmsis-nn`, `esp-nn`."""
    litert_default: bool
    """Whether the outputs of LiteRT's default kernels are bit-identical to those of the original."""
    litert_reference: bool
    """Whether the outputs of LiteRT's reference kernels are bit-identical to those of the original."""


@dataclass(frozen=True, kw_only=True)
class TiledBlock:
    subgraph: int
    """Index of the subgraph; -1 before the run."""
    kinds: list[str]
    """Kinds of the original operators, in their order."""
    tiles: int
    """Number of tiles of the last output."""
    cut_dimensions: list[int]
    """Dimensions along which the last output is cut, 0 for the batch."""
    tile_operators: int
    """Number of operators of the file that compute the run."""


@dataclass(frozen=True, kw_only=True)
class DiffSide:
    input: str
    """Input as on the command line, `<stdin>` for standard input."""
    required_bytes: int | None = None
    """Smallest arena with which AllocateTensors of TensorFlow Lite Micro succeeds, in bytes: a multiple of 16, for an
    arena that begins at a multiple of 16. Absent for other runtimes, and with arena_unknown."""
    used_bytes: int | None = None
    """Head and tail in bytes: what `arena_used_bytes()` of TensorFlow Lite Micro returns. Absent for other runtimes,
    and with arena_unknown."""
    head_bytes: int
    """Memory that the runtime's planner places, in bytes: tensors, and kernel scratch if that is counted. For a rule
    set without a planner of its own, the total of the best plan."""
    tail_bytes: int | None = None
    """Persistent memory of TensorFlow Lite Micro, in addition to the head, in bytes. Absent for other runtimes, and
    with arena_unknown."""
    arena_unknown: Unknown | None = None
    """Why the arena is unknown. Absent if it is known."""
    file_bytes: int
    """Size of the file in bytes."""
    head_planner: str
    """Strategy that determines head_bytes."""
    scratch: str | None = None
    """Source of the counted kernel scratch: `none`, the file that lists it, or the kernel library that requests it.
    Absent for other runtimes than TensorFlow Lite Micro."""
    abi: Literal["esp", "arm", "host64"] | None = None
    """ABI that the arena is counted for: the sizes of pointers and enums. `check --help` explains them. Absent for
    other runtimes than TensorFlow Lite Micro."""
    kernels: str | None = None
    """Kernel library that the figures are for, with its release, as the flag `--kernels` names it. Absent for the
    reference kernels."""
    kernels_title: str | None = None
    """Description of the kernel library for people: its name and release, whether that is the newest modelled, and its
    build settings. Absent for the reference kernels."""
    embedded_plan: EmbeddedPlan | None = None
    """Memory plan embedded in the model. Absent if there is none that the runtime follows."""
    lower_bound_bytes: int
    """Lower bound in bytes on any plan in this order of the operators, unless tensors share memory on purpose."""
    peak: Peak | None = None
    """Position with the most live bytes, the first of equals. Absent if nothing is planned."""
    subgraph_count: int
    """Number of subgraphs in the file."""
    operator_count: int
    """Number of operators in the file."""
    tensor_count: int
    """Number of tensors in the file."""
    tensors_planned: int
    """Number of tensors that the runtime plans."""
    rules: Record | None = None
    """Rules by which operators were replaced, as the file records them. Absent if it has no record, or one that cannot
    be read."""
    tiled_blocks: list[TiledBlock] | None = None
    """Runs of operators that are computed in tiles, as the file records them. Absent if there are none."""
    notes: list[Note]
    """Remarks that are needed to interpret the figures."""
    warnings: list[Note]
    """Unusual properties or errors of the input."""


@dataclass(frozen=True, kw_only=True)
class FileOperator:
    subgraph: int
    """Index of the subgraph; -1 before the run."""
    index: int
    """Index of the operator in its subgraph."""
    name: str
    """Kind of the operator, such as CONV_2D, or its custom code."""


@dataclass(frozen=True, kw_only=True)
class OperatorChange:
    a: FileOperator
    """First of the two models, or its value."""
    b: FileOperator
    """Second of the two models, or its value."""
    changed: list[str]
    """Parts that differ. Operators: `order`, `kind`, `version`, `inputs`, `outputs`, `intermediates`, `subgraphs`,
    `options`. Tensors: `index`, `name`, `size`, `role`, `data`."""


@dataclass(frozen=True, kw_only=True)
class OperatorChanges:
    matched: int
    """Number present in both models."""
    changed: list[OperatorChange]
    """Present in both models, but not the same."""
    added: list[FileOperator]
    """Present in the second model only."""
    removed: list[FileOperator]
    """Present in the first model only."""


@dataclass(frozen=True, kw_only=True)
class FileTensor:
    id: str
    """SUBGRAPH:INDEX of a tensor of a model, the name of a scratch request, or the id of a row of a CSV problem."""
    name: str
    """Name in the file."""
    shape: list[int]
    """Dimensions as in the file, -1 if unknown."""
    dtype: str
    """Element type as in the file, such as INT8."""
    packed_bytes: int | None = None
    """Size of the tensor as stored in a file, in bytes, before any runtime rounds it. Absent if unknown."""
    constant: bool
    """Whether the file has the tensor's data, so that it takes nothing of the arena."""


@dataclass(frozen=True, kw_only=True)
class TensorChange:
    a: FileTensor
    """First of the two models, or its value."""
    b: FileTensor
    """Second of the two models, or its value."""
    changed: list[str]
    """Parts that differ. Operators: `order`, `kind`, `version`, `inputs`, `outputs`, `intermediates`, `subgraphs`,
    `options`. Tensors: `index`, `name`, `size`, `role`, `data`."""


@dataclass(frozen=True, kw_only=True)
class TensorChanges:
    matched: int
    """Number present in both models."""
    changed: list[TensorChange]
    """Present in both models, but not the same."""
    added: list[FileTensor]
    """Present in the second model only."""
    removed: list[FileTensor]
    """Present in the first model only."""


@dataclass(frozen=True, kw_only=True)
class Marker:
    version: int
    """Version of the marker: 1. It increases with every change of the fields."""
    alias: str
    """Permitted sharing of memory, as the flag `--alias` names it: 1 to 32 lower-case letters, digits, hyphens and
    underscores."""
    kernels: str
    """Kernel library and release that the plan requires, such as `esp-nn-s3@1.2.3`. The name has 1 to 32 lower-case
    letters, digits, hyphens and underscores, and is `reference` for the reference kernels of TensorFlow Lite Micro; `@`
    and a release, which may have dots, follow. Early versions wrote no release: it is 1.2.3 for ESP-NN, and 99f736a for
    CMSIS-NN."""


@dataclass(frozen=True, kw_only=True)
class PlanSide:
    plan_count: int
    """Number of embedded memory plans. The last one is in effect."""
    tensors_fixed: int
    """Number of tensors to which the plan gives an offset."""
    problem: str | None = None
    """Why the plan cannot be read, for people. Absent if it can."""
    marker: Marker | None = None
    """Marker that names the kernels the plan requires. Absent if the model has none, or it cannot be read."""
    marker_problem: str | None = None
    """Why the marker cannot be read, for people. Absent if it can, and without one."""


@dataclass(frozen=True, kw_only=True)
class PlanChange:
    change: Literal["none", "same", "added", "removed", "changed"]
    """Change of the memory plan from the first model to the second: `none` if neither has one."""
    tensors_changed: int
    """Number of tensors whose offset is added, removed or another one."""
    marker_change: Literal["same", "added", "removed", "changed"] | None = None
    """Change of the marker from the first model to the second. Absent if neither has one."""
    a: PlanSide
    """First of the two models, or its value."""
    b: PlanSide
    """Second of the two models, or its value."""


@dataclass(frozen=True, kw_only=True)
class MetadataChanges:
    added: list[str]
    """Present in the second model only."""
    removed: list[str]
    """Present in the first model only."""
    changed: list[str]
    """Present in both models, but not the same."""


@dataclass(frozen=True, kw_only=True)
class Diff(Result):
    runtime: Literal["tflm", "litert", "paper"]
    """Rule set that the model was read with; empty for a CSV problem."""
    identical: bool
    """Whether the files are byte-identical."""
    differences: list[Literal["tiling", "order", "operators", "tensors", "data", "plan", "metadata", "other", "encoding"]]
    """Kinds of differences; empty only if the files are byte-identical."""
    unlike: bool
    """Whether the models have so little in common that the changes are meaningless."""
    used_difference_bytes: int | None = None
    """used_bytes of the second model minus that of the first; negative if it is smaller. Absent if 0 or unknown."""
    head_difference_bytes: int
    """head_bytes of the second model minus that of the first; negative if it is smaller."""
    lower_bound_difference_bytes: int
    """lower_bound_bytes of the second model minus that of the first; negative if it is smaller."""
    file_difference_bytes: int
    """file_bytes of the second model minus that of the first; negative if it is smaller."""
    a: DiffSide
    """First of the two models, or its value."""
    b: DiffSide
    """Second of the two models, or its value."""
    operator_changes: OperatorChanges
    """Changes of the operators."""
    tensor_changes: TensorChanges
    """Changes of the tensors."""
    plan_change: PlanChange
    """Change of the embedded memory plan."""
    metadata_changes: MetadataChanges
    """Names of metadata that differ, apart from the memory plan."""
    other_changes: list[str]
    """Other parts of the file that differ, such as `signatures`, for people."""
    notes: list[Note]
    """Remarks that are needed to interpret the figures."""
    warnings: list[Note]
    """Unusual properties or errors of the input."""


@dataclass(frozen=True, kw_only=True)
class Rule:
    name: str
    """Name of the rule; `tflarena help rules` lists them."""
    purpose: Literal["memory", "work", "tiling", "repair"]
    """Why the rule was applied: `memory`, `work`, `tiling` or `repair`."""
    operators: list[str]
    """Operators that were replaced, as SUBGRAPH:INDEX NAME, with the indexes of the model before the rule."""
    saved_required_bytes: int
    """Bytes by which the required arena would be larger without the rule, by the live bytes of the operators; 0 for a
    repair."""


@dataclass(frozen=True, kw_only=True)
class FrontierPoint:
    alias: Literal["off", "safe", "elementwise", "overwrite", "diagonal", "unmeasured"]
    """Least `--alias` at which the point was found."""
    budget_bytes: int | None = None
    """Budget for `--arena` in bytes that makes exactly this model; required_bytes is within it. Absent with
    arena_unknown."""
    required_bytes: int | None = None
    """Smallest arena with which AllocateTensors of TensorFlow Lite Micro succeeds, in bytes: a multiple of 16, for an
    arena that begins at a multiple of 16. Absent for other runtimes, and with arena_unknown."""
    used_bytes: int | None = None
    """Head and tail in bytes: what `arena_used_bytes()` of TensorFlow Lite Micro returns. Absent for other runtimes,
    and with arena_unknown."""
    head_bytes: int
    """Memory that the runtime's planner places, in bytes: tensors, and kernel scratch if that is counted. For a rule
    set without a planner of its own, the total of the best plan."""
    tail_bytes: int | None = None
    """Persistent memory of TensorFlow Lite Micro, in addition to the head, in bytes. Absent for other runtimes, and
    with arena_unknown."""
    arena_unknown: Unknown | None = None
    """Why the arena is unknown. Absent if it is known."""
    file_bytes: int
    """Size of the file in bytes."""
    extra_macs: int
    """Multiply-accumulates of one run beyond macs; negative if fewer."""
    operator_count: int
    """Number of operators in the file."""
    operators_moved: int
    """Number of operators at another place in the order."""
    operators_removed: int
    """Number of removed operators, which compute nothing."""
    rules: list[Rule]
    """Rules that replaced or removed operators before tiling, in order."""
    in_place_count: int
    """Number of in-place outputs."""
    new_operators: list[str]
    """Kinds of operators that the unmodified model lacks, and that the runtime's resolver needs in addition."""
    stages: list[Stage]
    """Tiled blocks: the runs of operators that are computed tile by tile."""


@dataclass(frozen=True, kw_only=True)
class FrontierLevel:
    alias: Literal["off", "safe", "elementwise", "overwrite", "diagonal", "unmeasured"]
    """Permitted in-place and overlapping outputs of the level, as the flag `--alias` names them."""
    complete: bool
    """Whether everything was tried before the time limit."""
    reason: str
    """Why the model was not tiled, for people; empty if it was."""
    points: list[FrontierPoint]
    """Models that were built, planned and measured, in descending order of the required arena, including those of more
    restrictive levels."""


@dataclass(frozen=True, kw_only=True)
class Frontier(Result):
    input: str
    """Input as on the command line, `<stdin>` for standard input."""
    before: FrontierPoint
    """Unmodified model, with its embedded plan if the runtime can follow it."""
    macs: int
    """Multiply-accumulates of one run of the unmodified model, with its original operators if it is tiled."""
    time: Time | None = None
    """Estimate of the time of one run. Absent without a measurement."""
    abi: Literal["esp", "arm", "host64"]
    """ABI that the arena is counted for: the sizes of pointers and enums. `check --help` explains them."""
    kernels: str | None = None
    """Kernel library that the figures are for, with its release, as the flag `--kernels` names it. Absent for the
    reference kernels."""
    kernels_title: str | None = None
    """Description of the kernel library for people: its name and release, whether that is the newest modelled, and its
    build settings. Absent for the reference kernels."""
    target_name: str | None = None
    """Target of the figures, as the flag `--target` names it. Absent without one."""
    budget_bytes: int | None = None
    """Inclusive budget of a project file for the required arena, in bytes. Absent without one, and from `check`, which
    has budgets."""
    sram_bytes: int | None = None
    """Size of the target's largest SRAM region, in bytes, which the verdict compares with the required arena if there
    is no budget. Absent if it is not known."""
    target_kernels_unmodelled: str | None = None
    """Kernels of the target, for people, if they are not modelled: the figures are then for the reference kernels, and
    the verdict is NOT KNOWN. Absent otherwise."""
    verdict: Literal["DOES NOT RUN", "WRONG RESULTS", "NOT KNOWN", "DOES NOT FIT", "FITS", "REQUIRES"]
    """Verdict on the unmodified model."""
    levels: list[FrontierLevel]
    """Results for each `--alias`, the most restrictive first."""
    next: str
    """Recommended command line: it writes a point, or lists the faults; empty without one."""
    interrupted: bool
    """Whether the time limit passed, or the user interrupted, before everything was tried."""
    faults: list[Fault]
    """Known faults of the model in TensorFlow Lite Micro."""
    notes: list[Note]
    """Remarks that are needed to interpret the figures."""
    warnings: list[Note]
    """Unusual properties or errors of the input."""

    @property
    def fits(self) -> bool:
        """Whether the verdict is FITS. False without a budget, too."""
        return self.verdict == "FITS"


@dataclass(frozen=True, kw_only=True)
class State:
    required_bytes: int | None = None
    """Smallest arena with which AllocateTensors of TensorFlow Lite Micro succeeds, in bytes: a multiple of 16, for an
    arena that begins at a multiple of 16. Absent for other runtimes, and with arena_unknown."""
    used_bytes: int | None = None
    """Head and tail in bytes: what `arena_used_bytes()` of TensorFlow Lite Micro returns. Absent for other runtimes,
    and with arena_unknown."""
    head_bytes: int
    """Memory that the runtime's planner places, in bytes: tensors, and kernel scratch if that is counted. For a rule
    set without a planner of its own, the total of the best plan."""
    tail_bytes: int | None = None
    """Persistent memory of TensorFlow Lite Micro, in addition to the head, in bytes. Absent for other runtimes, and
    with arena_unknown."""
    arena_unknown: Unknown | None = None
    """Why the arena is unknown. Absent if it is known."""
    file_bytes: int
    """Size of the file in bytes."""


@dataclass(frozen=True, kw_only=True)
class BottleneckTensor:
    id: str
    """SUBGRAPH:INDEX of a tensor of a model, the name of a scratch request, or the id of a row of a CSV problem."""
    name: str
    """Name in the file."""
    size_bytes: int
    """Memory of the tensor in bytes, as the runtime rounds it."""
    held_bytes: int
    """Part of the memory that is live, in bytes: less than all if the tensor is overwritten slice by slice."""
    added_bytes: int
    """Part of held_bytes that no tensor before it in the list shares. 0 if the tensor is in place."""


@dataclass(frozen=True, kw_only=True)
class TailItem:
    name: str
    """Name of the item, such as "kernel data"."""
    size_bytes: int
    """Size of the item in bytes."""


@dataclass(frozen=True, kw_only=True)
class Bottleneck:
    cause: Literal["tensors", "scratch", "tail", "setup"]
    """What limits the result: "tensors" or "scratch" of the operator with the most live bytes, the "tail" if it is
    larger than the head and the arena counts, or "setup", memory that the runtime needs temporarily while it
    allocates."""
    subgraph: int
    """Index of the subgraph; -1 before the run."""
    operator: int
    """Index of the operator in the model reached; -1 before the first one runs."""
    name: str
    """Kind of the operator, such as CONV_2D, or its custom code. Empty before the first one runs."""
    live_bytes: int
    """Live bytes at this operator, with in-place and overlapping outputs: bytes that several tensors share count once.
    A plan with the same sharing has at least this head."""
    scratch_bytes: int
    """Part of the live bytes that is scratch of kernels."""
    scratch_source: str
    """Kernel library, or file, that the scratch is from."""
    tensors: list[BottleneckTensor]
    """Live tensors at the operator, the largest first."""
    tail: list[TailItem]
    """Items of the tail, the largest first. Empty unless the cause is "tail" or "setup"."""
    required_decided_by: str
    """Stage of the allocation at which most of the arena is in use. Empty unless the cause is "tail" or "setup"."""
    reasons: list[str]
    """Why it is not smaller, for people: for example, why the operator is not tiled, or not tiled further."""


@dataclass(frozen=True, kw_only=True)
class FitWay:
    flags: str
    """Flags tried in addition to the given ones, or in their place."""
    allowed: bool
    """Whether the project file allows the level of in-place outputs; `next` names no other."""
    tried: bool
    """Whether the search finished before the time limit."""
    met: bool
    """Whether the budgets are met."""
    required_bytes: int | None = None
    """Smallest arena with which AllocateTensors of TensorFlow Lite Micro succeeds, in bytes: a multiple of 16, for an
    arena that begins at a multiple of 16. Absent for other runtimes, and with arena_unknown."""
    used_bytes: int | None = None
    """Head and tail in bytes: what `arena_used_bytes()` of TensorFlow Lite Micro returns. Absent for other runtimes,
    and with arena_unknown."""
    head_bytes: int
    """Memory that the runtime's planner places, in bytes: tensors, and kernel scratch if that is counted. For a rule
    set without a planner of its own, the total of the best plan."""
    tail_bytes: int | None = None
    """Persistent memory of TensorFlow Lite Micro, in addition to the head, in bytes. Absent for other runtimes, and
    with arena_unknown."""
    arena_unknown: Unknown | None = None
    """Why the arena is unknown. Absent if it is known."""
    extra_macs: int
    """Multiply-accumulates of one run beyond macs; negative if fewer."""


@dataclass(frozen=True, kw_only=True)
class Shortfall:
    head_missed_by_bytes: int
    """Excess of the head over its budget, in bytes; 0 if it is met or there is none."""
    required_missed_by_bytes: int
    """Excess of the required arena over its budget, in bytes; 0 if it is met or there is none."""
    tail_alone: bool
    """Whether the tail by itself exceeds the budget of the arena."""
    ways: list[FitWay]
    """Attempts to meet the budget, in their order."""


@dataclass(frozen=True, kw_only=True)
class FitStep:
    name: Literal["as it is", "no plan", "plan", "order", "clean-up", "separation", "substitution", "tiling", "in-place"]
    """Name of the step."""
    required_bytes: int | None = None
    """Smallest arena with which AllocateTensors of TensorFlow Lite Micro succeeds, in bytes: a multiple of 16, for an
    arena that begins at a multiple of 16. Absent for other runtimes, and with arena_unknown."""
    used_bytes: int | None = None
    """Head and tail in bytes: what `arena_used_bytes()` of TensorFlow Lite Micro returns. Absent for other runtimes,
    and with arena_unknown."""
    head_bytes: int
    """Memory that the runtime's planner places, in bytes: tensors, and kernel scratch if that is counted. For a rule
    set without a planner of its own, the total of the best plan."""
    tail_bytes: int | None = None
    """Persistent memory of TensorFlow Lite Micro, in addition to the head, in bytes. Absent for other runtimes, and
    with arena_unknown."""
    arena_unknown: Unknown | None = None
    """Why the arena is unknown. Absent if it is known."""
    file_bytes: int
    """Size of the file in bytes."""
    extra_macs: int
    """Multiply-accumulates of one run beyond macs; negative if fewer."""
    operator_count: int
    """Number of operators in the file."""
    operators_moved: int
    """Number of operators at another place in the order."""
    operators_removed: int
    """Number of removed operators, which compute nothing."""
    rules: list[Rule]
    """Rules that replaced or removed operators before tiling, in order."""
    in_place_count: int
    """Number of in-place outputs."""
    stages: list[Stage]
    """Tiled blocks: the runs of operators that are computed tile by tile."""


@dataclass(frozen=True, kw_only=True)
class FitEstimate:
    head_bytes: int
    """Memory that the runtime's planner places, in bytes: tensors, and kernel scratch if that is counted. For a rule
    set without a planner of its own, the total of the best plan."""
    extra_tail_bytes: int
    """Estimated growth of the tail in bytes; negative if it shrinks."""
    extra_macs: int
    """Multiply-accumulates of one run beyond macs; negative if fewer."""
    stages: list[Stage]
    """Tiled blocks: the runs of operators that are computed tile by tile."""


@dataclass(frozen=True, kw_only=True)
class Fit(Result):
    input: str
    """Input as on the command line, `<stdin>` for standard input."""
    output: str
    """Path of the written model; empty if none is written."""
    head_budget_bytes: int | None = None
    """Budget of `--head` in bytes, which head_bytes is compared with. Absent without one."""
    budget_bytes: int | None = None
    """Budget of `--arena` in bytes, which required_bytes is compared with. Absent without one."""
    met: bool | None = None
    """Whether the budgets are met. Absent without one."""
    verdict: Literal["DOES NOT RUN", "WRONG RESULTS", "NOT KNOWN", "DOES NOT FIT", "FITS", "REQUIRES"]
    """Verdict on the model as it is written, or would be written."""
    before: State
    """Unmodified model, with its embedded plan if the runtime can follow it."""
    after: State
    """Model as it is written, or would be written."""
    larger_head_bytes: int | None = None
    """Head within its budget, in bytes, that a larger arena permits. Absent if there is none, or the budget is met."""
    larger_required_bytes: int | None = None
    """Estimated required arena in bytes that belongs to larger_head_bytes. Absent without it."""
    reason: str
    """Why the model was not tiled, for people; empty if it was."""
    bottleneck: Bottleneck | None = None
    """What limits the model reached. Absent if nothing is planned."""
    shortfall: Shortfall | None = None
    """Why the budget is not met, and what would meet it. Absent if it is met, and without one."""
    new_operators: list[str]
    """Kinds of operators that the unmodified model lacks, and that the runtime's resolver needs in addition."""
    macs: int
    """Multiply-accumulates of one run of the unmodified model, with its original operators if it is tiled."""
    time: Time | None = None
    """Estimate of the time of one run. Absent without a measurement."""
    alias: Literal["off", "safe", "elementwise", "overwrite", "diagonal", "unmeasured"]
    """Permitted in-place and overlapping outputs, as the flag `--alias` names them."""
    abi: Literal["esp", "arm", "host64"]
    """ABI that the arena is counted for: the sizes of pointers and enums. `check --help` explains them."""
    kernels: str | None = None
    """Kernel library that the figures are for, with its release, as the flag `--kernels` names it. Absent for the
    reference kernels."""
    kernels_title: str | None = None
    """Description of the kernel library for people: its name and release, whether that is the newest modelled, and its
    build settings. Absent for the reference kernels."""
    interrupted: bool
    """Whether the time limit passed, or the user interrupted, before everything was tried."""
    next: str
    """Command line that checks the result against its budget in a build, or that meets a budget which was missed; empty
    if there is no result, and no such command line is known."""
    faults: list[Fault]
    """Known faults of the model in TensorFlow Lite Micro."""
    left_untouched: list[str]
    """Operators, as SUBGRAPH:INDEX NAME, whose tiles and buffers are unchanged because their kernels have faults."""
    steps: list[FitStep]
    """Steps that made a difference, each applied on top of those before it. The last one is `after`."""
    frontier: list[FitEstimate]
    """Pareto frontier of the estimated ways to tile the model, by head, extra work and tail, in descending order of the
    head."""
    notes: list[Note]
    """Remarks that are needed to interpret the figures."""
    warnings: list[Note]
    """Unusual properties or errors of the input."""

    @property
    def fits(self) -> bool:
        """Whether the verdict is FITS. False without a budget, too."""
        return self.verdict == "FITS"


@dataclass(frozen=True, kw_only=True)
class Network(Result):
    input: str
    """Input as on the command line, `<stdin>` for standard input."""
    int8_input: str
    """Name that commands take for the network quantised to eight bits."""
    name: str
    """Name of the network."""
    title: str
    """Title for people."""
    input_shape: list[int]
    """Dimensions of the tensor that the network reads: batch, height, width, channels; or batch and words."""
    group: Literal["tables", "irregular", "papers"]
    """Why the network is built in."""
    source: str
    """Paper that published the network, and any differences from it."""
    has_trace: bool
    """True if 'models trace' writes the memory requests of the network."""
    notes: list[Note]
    """Remarks that are needed to interpret the figures."""
    warnings: list[Note]
    """Unusual properties or errors of the input."""


@dataclass(frozen=True, kw_only=True)
class Capacity:
    capacity_bytes: int
    """Capacity in bytes."""
    verdict: Literal["fits", "infeasible", "open"]
    """Whether the capacity suffices, is proven too small, or neither."""
    proof: str | None = None
    """Why the capacity is too small, for people. Absent if that is not proven."""
    core: list[str]
    """IDs of tensors that cannot fit into the capacity by themselves; empty if none are known."""


@dataclass(frozen=True, kw_only=True)
class InputShape:
    name: str
    """Name or ID of the input."""
    shape: list[int]
    """Given dimensions."""


@dataclass(frozen=True, kw_only=True)
class TilingRun:
    first_operator: int
    """Index of the run's first operator, inclusive."""
    last_operator: int
    """Index of the run's last operator, inclusive."""
    operator_kind: str
    """Kind of the run's first operator, such as CONV_2D, or its custom code."""
    tile: Literal["rows", "pixels", "whole", "channels", "own"]
    """Unit of the tiles: `own` for the tiles of a file, `whole` for an operator in one step."""
    extent: int
    """Number of rows, pixels or channels of a tile; the last one may have fewer. It is 1 if tile is `whole` or
    `own`."""
    first_step: int
    """First step of the run."""
    last_step: int
    """Last step of the run, inclusive."""
    off_chip_bytes: int
    """Most bytes in use off chip while the run is computed."""
    on_chip_bytes: int
    """Most bytes that one step needs on chip: its inputs and outputs, weights included."""


@dataclass(frozen=True, kw_only=True)
class Tiling:
    on_chip_limit_bytes: int
    """Given size of the on-chip memory in bytes."""
    on_chip_bytes: int
    """Most bytes that one step needs on chip: its inputs and outputs, weights included."""
    without_tiles_bytes: int
    """Total in bytes of a plan of whole tensors, none of which stays on chip."""
    without_tiles_proven: bool
    """Whether no plan of whole tensors is smaller."""
    last_step: int
    """Number of the last step, which reads the outputs. Step 0 writes the inputs."""
    on_chip_tensors: list[str]
    """IDs of the tensors that stay on chip, because a cascade makes and reads them."""
    peak_tensors: list[str]
    """IDs of the off-chip tensors of which bytes are in use at the peak."""
    tiling_runs: list[TilingRun]
    """Operators in their order, with one element for each cascade."""
    next: str
    """Recommended command line; empty without one."""


@dataclass(frozen=True, kw_only=True)
class CacheCounts:
    accesses: int
    """Lines read or written by tensors, scratch and constants, each as often as it is accessed."""
    misses: int
    """Accesses to lines that are not in the cache."""
    cold_misses: int
    """Number of different lines, each of which misses at its first access in any cache."""
    hit_rate: float
    """Share of accesses that hit, from 0 to 1."""


@dataclass(frozen=True, kw_only=True)
class Cache:
    cache_bytes: int
    """Size of the cache."""
    line_bytes: int
    """Length of a line."""
    ways: int
    """Lines in a set."""
    before: CacheCounts
    """Run with the strategy's own plan."""
    after: CacheCounts
    """Run with this plan, which has the same total or a smaller one."""


@dataclass(frozen=True, kw_only=True)
class After:
    subgraph: int
    """Index of the subgraph; -1 before the run."""
    index: int
    """Index of the operator in its subgraph."""
    name: str
    """Kind of the operator, such as WHERE, or its custom code."""


@dataclass(frozen=True, kw_only=True)
class Wave:
    position: int | None = None
    """Position at which the sizes become known; negative before the run. Absent for sizes known from the start."""
    after: After | None = None
    """Operator at this position, after which the sizes are known. Absent for sizes known from the start, and for CSV
    problems."""
    tensors: list[str] | None = None
    """IDs of the tensors whose sizes become known. Absent for sizes known from the start, and for CSV problems."""
    known_count: int
    """Number of sizes that become known at this position."""
    kept_count: int
    """Number of tensors in use at this position, which keep their places."""
    moved_count: int
    """Number of tensors whose place differs from the one planned before."""
    total_bytes: int
    """Memory in bytes of all tensors known by then."""


@dataclass(frozen=True, kw_only=True)
class Waves:
    at_once_total_bytes: int
    """Size of the plan with all sizes known from the start, in bytes."""
    cautious_total_bytes: int
    """Size in bytes of waves that never exceed run_time_total_bytes, whatever the sizes turn out to be."""
    run_time_total_bytes: int
    """Size in bytes with an allocator at run time, which places each tensor in the smallest hole, or in a free shared
    object, when it begins."""
    list: list[Wave]
    """Rounds of planning in their order."""


@dataclass(frozen=True, kw_only=True)
class Takeover:
    from_: str
    """ID of the input whose memory is reused."""
    to: str
    """ID of the output that reuses the memory."""
    distance_bytes: int
    """Distance in bytes from the start of `from` to the start of `to`; negative if `to` starts first."""
    why: str
    """Justification, for people."""


@dataclass(frozen=True, kw_only=True)
class Overlap:
    from_: str
    """ID of the input whose memory is reused."""
    to: str
    """ID of the output that reuses the memory."""
    least_distance_bytes: int
    """Minimum distance in bytes from the start of `to` to the start of `from`; negative if `to` may start after
    `from`."""
    why: str
    """Justification, for people."""


@dataclass(frozen=True, kw_only=True)
class Gap:
    first_op: int
    """First position at which the tensor holds less, inclusive; negative before the run."""
    last_op: int
    """Last position at which the tensor holds less, inclusive; negative before the run."""
    held_offset_bytes: int
    """Offset of the held bytes from the start of the tensor."""
    held_bytes: int
    """Bytes that the tensor holds at this time."""


@dataclass(frozen=True, kw_only=True)
class Placement:
    id: str
    """SUBGRAPH:INDEX of a tensor of a model, the name of a scratch request, or the id of a row of a CSV problem."""
    name: str
    """Name in the file."""
    shape: list[int] | None = None
    """Dimensions as in the file, -1 if unknown. Absent for anything that is not a tensor of a model."""
    dtype: str | None = None
    """Element type as in the file, such as INT8. Absent for anything that is not a tensor of a model."""
    size_bytes: int
    """Memory of the tensor in bytes, as the runtime rounds it."""
    first_op: int
    """First position at which the tensor is alive, inclusive; negative before the run."""
    last_op: int
    """Last position at which the tensor is alive, inclusive; negative before the run."""
    offset_bytes: int | None = None
    """Start of the tensor, in bytes from the start of the arena. Absent for approach `shared`."""
    object: int | None = None
    """Number of the tensor's shared object, from 0. Absent for approach `offsets`."""
    gaps: list[Gap] | None = None
    """Times at which the tensor holds less than its size. Absent without any."""


@dataclass(frozen=True, kw_only=True)
class Plan(Result):
    input: str
    """Input as on the command line, `<stdin>` for standard input."""
    case: str | None = None
    """Name of the case of a problem of tiles. Absent from other plans."""
    semantics: Literal["simultaneous", "atomic"] | None = None
    """Whether steps read everything before they write anything. Absent from plans without tiles."""
    approach: Literal["offsets", "shared", "textures"]
    """How memory is shared: tensors at offsets in one arena, or whole shared objects."""
    strategy: str
    """Requested strategy."""
    winner: str
    """Strategy of the plan."""
    runtime: Literal["", "tflm", "litert", "paper"]
    """Rule set that the model was read with; empty for a CSV problem."""
    kernels: str | None = None
    """Kernel library that the figures are for, with its release, as the flag `--kernels` names it. Absent for the
    reference kernels."""
    kernels_title: str | None = None
    """Description of the kernel library for people: its name and release, whether that is the newest modelled, and its
    build settings. Absent for the reference kernels."""
    records: int
    """Number of planned tensors, and of scratch requests if those are counted."""
    naive_bytes: int
    """Bytes that the tensors take without any sharing."""
    lower_bound_bytes: int
    """Lower bound in bytes on any plan in this order of the operators, unless tensors share memory on purpose."""
    total_bytes: int
    """Size of the plan in bytes: the end of the highest tensor, or the sum of the shared objects."""
    proven_optimal: bool
    """Whether no plan is smaller than this one."""
    proof: str
    """Why no plan is smaller, for people; empty if that is not proven."""
    search_nodes: int
    """Number of nodes of the exact search; 0 if none was needed."""
    interrupted: bool
    """Whether the time limit passed, or the user interrupted, before everything was tried."""
    elapsed_ns: int
    """Planning time in nanoseconds."""
    capacity: Capacity | None = None
    """Whether the plan fits into the given capacity. Absent without one."""
    input_shapes: list[InputShape]
    """Inputs that were given other shapes than in the file; the shapes of all other tensors follow from them. Empty if
    all shapes are those of the file."""
    tiling: Tiling | None = None
    """How the model is computed tile by tile. Absent without `--tiles`."""
    cache: Cache | None = None
    """Hits and misses in the cache of `--cache`. Absent without it."""
    waves: Waves | None = None
    """Rounds of planning. Absent if all sizes were planned at once."""
    object_sizes_bytes: list[int] | None = None
    """Sizes of the shared objects in bytes, in their order. Absent for approach `offsets`."""
    positional_maxima_bytes: list[int] | None = None
    """Positional maxima in bytes, the largest first: the i-th is the largest i-th size of the tensors in use at any
    operator. No plan's i-th largest object is smaller. Absent for other approaches than `shared`."""
    object_shapes: list[list[int]] | None = None
    """Width, height and, if textures have one, depth of each shared object. Absent for other approaches than
    `textures`."""
    alias: Literal["off", "safe", "elementwise", "overwrite", "diagonal", "unmeasured"] | None = None
    """Permitted in-place and overlapping outputs, as the flag `--alias` names them. Absent without any."""
    in_place: list[Takeover]
    """In-place outputs: they reuse the memory of an input that dies."""
    overlaps: list[Overlap]
    """Overlapping outputs: they are written over an input that the kernel still reads."""
    next: str
    """Command line that searches for a smaller plan or a proof; empty if there is a proof."""
    placements: list[Placement]
    """Place of each tensor."""
    notes: list[Note]
    """Remarks that are needed to interpret the figures."""
    warnings: list[Note]
    """Unusual properties or errors of the input."""


@dataclass(frozen=True, kw_only=True)
class ReplayPart:
    streams: list[int]
    """Streams of the part, by their numbers, which may be negative."""
    pools: list[str]
    """Private pools of the part, in addition to its streams; empty for the pool that all share."""
    block_count: int
    """Number of blocks."""
    lower_bound_bytes: int
    """Lower bound in bytes on any plan in this order of the operators, unless tensors share memory on purpose."""
    total_bytes: int
    """Size of the part's plan in bytes: the end of its highest block."""
    proven_optimal: bool
    """Whether no plan of the part is smaller."""
    proof: str
    """Why no plan is smaller, for people; empty if that is not proven."""
    winner: str
    """Strategy of the plan."""


@dataclass(frozen=True, kw_only=True)
class Simulated:
    allocator: Literal["pytorch", "pytorch-expandable", "chainer", "profile-guided"]
    """Allocator whose rules are simulated."""
    reserved_bytes: int
    """Most bytes reserved from the device, as simulated."""
    plan_count: int | None = None
    """Number of plans made. Absent for allocators that make none."""


@dataclass(frozen=True, kw_only=True)
class Holder:
    function: str
    """Innermost function of the user's own code that requested the blocks; empty if no stack was recorded."""
    file: str
    """File of the function; empty if unknown."""
    block_count: int
    """Number of blocks."""
    allocated_bytes: int
    """Bytes of the function's blocks in use, each rounded up."""
    wasted_bytes: int
    """Bytes reserved for the function's blocks but unused: rounding of their sizes, and their share of the free bytes
    of their segments."""


@dataclass(frozen=True, kw_only=True)
class ReplayCycle:
    first_event: int
    """First event of the iteration."""
    end_event: int
    """Event after the last one of the iteration."""
    request_count: int
    """Number of blocks that the iteration requests."""
    hot_count: int
    """Number of requested blocks that are released within the iteration and planned."""
    hot_peak_bytes: int
    """Largest sum of the sizes of hot blocks in use at the same time, in bytes."""
    fits: bool
    """Whether the plan is valid for the iteration."""
    reason: str
    """Why the plan is invalid for the iteration, for people; empty if it is valid."""


@dataclass(frozen=True, kw_only=True)
class ReplayCycles:
    found_by: Literal["annotations", "step events", "the sizes repeat"]
    """Method that found the iterations."""
    reference: int
    """Index of the planned iteration."""
    fitting_count: int
    """Number of iterations for which the plan is valid."""
    hot_total_bytes: int
    """Size in bytes of the plan for the blocks requested and released within an iteration."""
    hot_lower_bound_bytes: int
    """Lower bound in bytes on any plan for the blocks released within an iteration."""
    kept_total_bytes: int
    """Size in bytes of the plan for all other blocks, from the first iteration to the last."""
    proven_optimal: bool
    """Whether no plan of the hot blocks is smaller, and none of all others."""
    list: list[ReplayCycle]
    """Iterations in their order."""


@dataclass(frozen=True, kw_only=True)
class ReplayDevice:
    device: int
    """Number of the device."""
    event_count: int
    """Number of events in the device's trace."""
    block_count: int
    """Number of blocks."""
    reserved_bytes: int | None = None
    """Most bytes reserved from the device, as in the trace. Absent if it does not contain reservations."""
    reserved_at_end_bytes: int | None = None
    """Bytes reserved at the end of the trace. Absent if the trace does not contain reservations."""
    allocated_peak_bytes: int
    """Largest sum of the sizes of blocks in use at the same time, each rounded up, in bytes."""
    requested_peak_bytes: int
    """Largest sum of the requested sizes at the same time, in bytes."""
    fragmentation: float | None = None
    """1 - allocated / reserved at the reserved peak, with the most that was allocated while that much was reserved.
    Absent if the trace does not contain reservations."""
    lower_bound_bytes: int
    """Lower bound in bytes on any plan in this order of the operators, unless tensors share memory on purpose."""
    total_bytes: int
    """Size of the plan in bytes: the sum of its parts."""
    proven_optimal: bool
    """Whether no plan is smaller than this one."""
    proof: str
    """Why no plan is smaller, for people; empty if that is not proven."""
    interrupted: bool
    """Whether the time limit passed, or the user interrupted, before everything was tried."""
    elapsed_ns: int
    """Planning time in nanoseconds."""
    resident_block_count: int
    """Number of blocks in use for the whole trace."""
    resident_bytes: int
    """Bytes requested for the resident blocks."""
    early_block_count: int
    """Number of blocks requested before the trace begins and released in it."""
    early_bytes: int
    """Bytes requested for the early blocks."""
    cold_block_count: int
    """Number of blocks requested between an interrupt and the resume after it. They are not planned."""
    empty_segment_bytes: int
    """Bytes of the segments without a block in use at the reserved peak."""
    parts: list[ReplayPart]
    """Groups of streams and pools that share no memory with each other. The total is the sum of their totals."""
    simulated: list[Simulated]
    """Reservations of other allocators for the same requests."""
    holders: list[Holder]
    """Functions that hold memory at the reserved peak, the most wasteful first."""
    iterations: ReplayCycles | None = None
    """Iterations of the trace, and one plan for them. Absent unless requested, and if nothing repeats."""


@dataclass(frozen=True, kw_only=True)
class Replay(Result):
    input: str
    """Input as on the command line, `<stdin>` for standard input."""
    form: str
    """Format of the file, for people."""
    granule_bytes: int
    """Unit in bytes to which sizes are rounded up and offsets are aligned."""
    devices: list[ReplayDevice]
    """Result for each device."""
    next: str
    """Command line that plans one iteration, if the trace repeats, or shows the blocks in a browser; empty without
    one."""
    notes: list[Note]
    """Remarks that are needed to interpret the figures."""
    warnings: list[Note]
    """Unusual properties or errors of the input."""


@dataclass(frozen=True, kw_only=True)
class ReportLife:
    offset_bytes: int
    """First of the bytes, from the start of the tensor."""
    size_bytes: int
    """Number of bytes."""
    first_half_step: int
    """First half step in which the bytes are in use. Step s has the half steps 2s and 2s+1."""
    last_half_step: int
    """Last half step in which the bytes are in use, inclusive."""


@dataclass(frozen=True, kw_only=True)
class ReportTensor:
    id: str
    """SUBGRAPH:INDEX of a tensor of a model, the name of a scratch request, or the id of a row of a CSV problem."""
    name: str
    """Name in the file."""
    shape: list[int] | None = None
    """Dimensions as in the file, -1 if unknown. Absent for anything that is not a tensor of a model."""
    dtype: str | None = None
    """Element type as in the file, such as INT8. Absent for anything that is not a tensor of a model."""
    size_bytes: int
    """Memory of the tensor in bytes, as the runtime rounds it."""
    first_op: int
    """First position at which the tensor is alive, inclusive; negative before the run."""
    last_op: int
    """Last position at which the tensor is alive, inclusive; negative before the run."""
    role: Literal["input", "output", "activation", "scratch", "variable", "constant", "weight", "resident", "intermediate", "block", "tensor"]
    """Purpose of the tensor."""
    gaps: list[Gap] | None = None
    """Times at which the tensor holds less than its size. Absent without any."""
    lives: list[ReportLife] | None = None
    """Times at which parts of a tensor in tiles are in use. Absent from other graphs."""


@dataclass(frozen=True, kw_only=True)
class StreamLayer:
    layer: int
    """Number of the layer; 0 is the input."""
    waits_for: int
    """Layer after whose computation the load may begin; 0 is the start of the run."""
    load_bytes: int
    """Bytes that the layer loads in a run."""
    load_begin_ms: float
    """Time at which the load begins, in milliseconds from the start of the run."""
    load_end_ms: float
    """Time at which the load ends, in milliseconds from the start of the run."""
    compute_begin_ms: float
    """Time at which computing begins, in milliseconds from the start of the run."""
    compute_end_ms: float
    """Time at which computing ends, in milliseconds from the start of the run."""


@dataclass(frozen=True, kw_only=True)
class ReportGraph:
    name: Literal["file", "reordered", "fitted", "tiles"]
    """Variant of the model: the file, or what was made of it."""
    naive_bytes: int
    """Bytes that the tensors take without any sharing."""
    macs: int
    """Multiply-accumulates of one run of the graph."""
    operators: list[Operator]
    """Events at each position, in the order of execution: operators and entered subgraphs."""
    tensors: list[ReportTensor]
    """Planned tensors in the order of the file, then scratch if that is counted."""
    layers: list[StreamLayer] | None = None
    """Schedule of each position. Absent unless weights are prefetched."""
    tiled: bool | None = None
    """Whether positions are steps, which write and read parts of tensors. Absent if not."""
    start_steps: list[float] | None = None
    """Steps of the graph in tiles at which the positions begin, followed by the step at which the last position ends.
    Absent without a graph in tiles."""


@dataclass(frozen=True, kw_only=True)
class ReportPart:
    name: str
    """Name of the part."""
    size_bytes: int
    """Size of the part in bytes."""


@dataclass(frozen=True, kw_only=True)
class ReportPlan:
    name: str
    """Name of the plan: that of a graph, `rewritten`, or that of a strategy."""
    title: str
    """Title for people."""
    graph: Literal["file", "reordered", "fitted", "tiles"]
    """Name of the graph that the plan is for."""
    in_model: bool
    """Whether the runtime makes this plan of a model file. The other plans are those of strategies."""
    strategy: str
    """What made the plan."""
    required_bytes: int | None = None
    """Smallest arena with which AllocateTensors of TensorFlow Lite Micro succeeds, in bytes: a multiple of 16, for an
    arena that begins at a multiple of 16. Absent for other runtimes, and with arena_unknown."""
    used_bytes: int | None = None
    """Head and tail in bytes: what `arena_used_bytes()` of TensorFlow Lite Micro returns. Absent for other runtimes,
    and with arena_unknown."""
    head_bytes: int
    """Memory that the runtime's planner places, in bytes: tensors, and kernel scratch if that is counted. For a rule
    set without a planner of its own, the total of the best plan."""
    tail_bytes: int | None = None
    """Persistent memory of TensorFlow Lite Micro, in addition to the head, in bytes. Absent for other runtimes, and
    with arena_unknown."""
    arena_unknown: Unknown | None = None
    """Why the arena is unknown. Absent if it is known."""
    parts: list[ReportPart]
    """Contents of the tail; empty for other runtimes than TensorFlow Lite Micro."""
    lower_bound_bytes: int
    """Lower bound in bytes on any plan in this order of the operators, unless tensors share memory on purpose."""
    proven_optimal: bool
    """Whether no plan is smaller than this one."""
    proof: str
    """Why no plan is smaller, for people; empty if that is not proven."""
    tensors_fixed: int
    """Number of tensors to which the plan gives an offset."""
    extra_macs: int
    """Multiply-accumulates of one run beyond macs; negative if fewer."""
    next: str
    """Command line that makes the model file with the plan; empty without one."""
    offsets_bytes: list[int]
    """Start of each tensor of the graph, in bytes and in the order of its tensors."""
    in_place: list[Takeover]
    """In-place outputs: they reuse the memory of an input that dies."""
    overlaps: list[Overlap]
    """Overlapping outputs: they are written over an input that the kernel still reads."""


@dataclass(frozen=True, kw_only=True)
class Report(Result):
    input: str
    """Input as on the command line, `<stdin>` for standard input."""
    runtime: Literal["", "tflm", "litert", "paper"]
    """Rule set that the model was read with; empty for a CSV problem."""
    label: str
    """The runtime's name for the planned memory."""
    scratch: str | None = None
    """Source of the counted kernel scratch: `none`, the file that lists it, or the kernel library that requests it.
    Absent for other runtimes than TensorFlow Lite Micro."""
    abi: Literal["esp", "arm", "host64"] | None = None
    """ABI that the arena is counted for: the sizes of pointers and enums. `check --help` explains them. Absent for
    other runtimes than TensorFlow Lite Micro."""
    file_bytes: int
    """Size of the file in bytes."""
    verdict: Literal["DOES NOT RUN", "WRONG RESULTS", "NOT KNOWN", "DOES NOT FIT", "FITS", "REQUIRES"] | None = None
    """Verdict on the unmodified model. Absent for other runtimes than TensorFlow Lite Micro."""
    verdict_text: str | None = None
    """What the verdict is about, and the kernels and the ABI, for people. Absent without a verdict."""
    next: str | None = None
    """Command line that repairs the model. Absent if it has no faults, or if rules do not avoid all of them."""
    budget_bytes: int | None = None
    """Budget of `--arena` in bytes, which required_bytes is compared with. Absent without one."""
    head_budget_bytes: int | None = None
    """Budget of `--head` in bytes, which head_bytes is compared with. Absent without one."""
    graphs: list[ReportGraph]
    """The model and its variants with other operators or another order. Each plan is for one of them."""
    plans: list[ReportPlan]
    """Plans: first the runtime's plans of model files, then those of strategies, the best first."""
    faults: list[Fault]
    """Known faults of the model in TensorFlow Lite Micro."""
    notes: list[Note]
    """Remarks that are needed to interpret the figures."""
    warnings: list[Note]
    """Unusual properties or errors of the input."""

    @property
    def fits(self) -> bool:
        """Whether the verdict is FITS. False without a budget, too."""
        return self.verdict == "FITS"


@dataclass(frozen=True, kw_only=True)
class Saving:
    kind: Literal["layout", "names", "debug metadata", "ranges", "unused tensors", "unused operator codes", "unused buffers", "duplicate buffers", "duplicate tables"]
    """Kind of what was removed."""
    saved_file_bytes: int
    """Bytes that the file is smaller; negative if it grew, because the old file shared more."""


@dataclass(frozen=True, kw_only=True)
class Rewrite(Result):
    input: str
    """Input as on the command line, `<stdin>` for standard input."""
    output: str
    """Path of the written model; empty if none is written."""
    action: Literal["embedded", "removed", "kept", "copied", "reordered", "codes_filled", "weights_inlined", "transformed", "slimmed"]
    """What was done with the memory plan of the model."""
    reason: str
    """Why nothing was gained, for people; empty otherwise."""
    method: Literal["unchanged", "in place", "prefix", "restored", "whole"]
    """How the bytes of the file were changed."""
    pin: Literal["", "peak", "all"]
    """Extent of the embedded plan: the tensors at the peak, or all. Empty if no plan was made."""
    strategy: str
    """Strategy of the embedded plan; empty if no plan was made."""
    scratch: str
    """Source of the counted kernel scratch: `none`, the file that lists it, or the kernel library that requests it."""
    scratch_requests: int
    """Number of counted scratch requests."""
    pointer_bytes: int
    """Size of a pointer on the target, in bytes."""
    plan_broken: bool
    """Whether the embedded plan breaks a law, or cannot be followed."""
    abi: Literal["esp", "arm", "host64"]
    """ABI that the arena is counted for: the sizes of pointers and enums. `check --help` explains them."""
    kernels: str | None = None
    """Kernel library that the figures are for, with its release, as the flag `--kernels` names it. Absent for the
    reference kernels."""
    kernels_title: str | None = None
    """Description of the kernel library for people: its name and release, whether that is the newest modelled, and its
    build settings. Absent for the reference kernels."""
    before: State
    """Unmodified model, with its embedded plan if the runtime can follow it."""
    after: State
    """Model as it is written, or would be written."""
    saved_head_bytes: int
    """Reduction of the head in bytes, compared with the unmodified model, or with head_without_plan_bytes if a broken
    plan is removed; negative if it grew."""
    head_without_plan_bytes: int
    """Head without an embedded plan, in bytes."""
    lower_bound_bytes: int
    """Lower bound in bytes on any plan in this order of the operators, unless tensors share memory on purpose."""
    tensors_fixed: int
    """Number of tensors to which the plan gives an offset."""
    tensors_planned: int
    """Number of tensors that the runtime plans."""
    alias: Literal["off", "safe", "elementwise", "overwrite", "diagonal", "unmeasured"]
    """Permitted in-place and overlapping outputs, as the flag `--alias` names them."""
    in_place: list[Takeover]
    """In-place outputs: they reuse the memory of an input that dies."""
    overlaps: list[Overlap]
    """Overlapping outputs: they are written over an input that the kernel still reads."""
    order: Order | None = None
    """Results of the search for another order of the operators. Absent without a search."""
    rules: list[Rule]
    """Rules that replaced operators, in order."""
    new_operators: list[str]
    """Kinds of operators that the unmodified model lacks, and that the runtime's resolver needs in addition."""
    slimmed: list[Saving]
    """Parts of the file that were omitted because no runtime reads them."""
    operators_moved: int
    """Number of operators at another place in the order."""
    shift_bytes: int
    """Bytes by which the old contents of the file moved back; negative if forward."""
    interrupted: bool
    """Whether the time limit passed, or the user interrupted, before everything was tried."""
    next: str
    """Command line that checks the result against its budget in a build; empty if no file has it."""
    faults: list[Fault]
    """Known faults of the model in TensorFlow Lite Micro."""
    left_untouched: list[str]
    """Operators, as SUBGRAPH:INDEX NAME, whose tiles and buffers are unchanged because their kernels have faults."""
    changes: list[str]
    """Changes made to the file, for people."""
    notes: list[Note]
    """Remarks that are needed to interpret the figures."""
    warnings: list[Note]
    """Unusual properties or errors of the input."""


@dataclass(frozen=True, kw_only=True)
class StreamPoint:
    budget_bytes: int
    """Budget in bytes: the one given, or the one found for a latency."""
    latency_ms: float
    """Time of a run that starts with the resident weights in memory, in milliseconds."""
    lower_bound_ms: float
    """Lower bound in milliseconds on the time of a run within this budget."""
    flexnn_latency_ms: float | None = None
    """Latency of the published method (FlexNN) in milliseconds. Absent if it finds no plan."""
    first_latency_ms: float
    """Time of the first run in milliseconds, including the load of the resident weights before it."""
    peak_bytes: int
    """End of the highest tensor, in bytes."""
    read_bytes: int
    """Bytes of weights that a run reads."""


@dataclass(frozen=True, kw_only=True)
class StreamSweep(Result):
    input: str
    """Input as on the command line, `<stdin>` for standard input."""
    times: str
    """File with the times of the layers, as on the command line; empty if times are estimated."""
    least_budget_bytes: int
    """Smallest budget that has a plan, in bytes."""
    least_budget_proven: bool
    """Whether no smaller budget has a plan."""
    points: list[StreamPoint]
    """Plans for rising budgets, the smallest first."""
    knee_bytes: int
    """Budget in bytes after which more memory gains the least."""
    interrupted: bool
    """Whether the time limit passed, or the user interrupted, before everything was tried."""
    next: str
    """Command line that plans within that budget."""
    notes: list[Note]
    """Remarks that are needed to interpret the figures."""
    warnings: list[Note]
    """Unusual properties or errors of the input."""


@dataclass(frozen=True, kw_only=True)
class StreamPlacement:
    type: Literal["weight", "activation", "intermediate"]
    """Purpose of the tensor."""
    index: int
    """Number of the tensor among those of its type, from 0."""
    offset_bytes: int
    """Start of the tensor, in bytes from the start of the memory."""
    size_bytes: int
    """Size of the tensor in bytes."""
    first_step: int
    """First step in which the tensor holds memory, inclusive. Step i lasts from the end of compute i-1 to the end of
    compute i."""
    last_step: int
    """Last step in which the tensor holds memory, inclusive."""
    is_resident: bool
    """Whether the tensor holds memory at all times, across runs."""


@dataclass(frozen=True, kw_only=True)
class Stream(Result):
    input: str
    """Input as on the command line, `<stdin>` for standard input."""
    times: str
    """File with the times of the layers, as on the command line; empty if times are estimated."""
    budget_bytes: int
    """Budget in bytes: the one given, or the one found for a latency."""
    feasible: bool
    """Whether there is a plan. Without one, the fields about it are absent."""
    least_budget_bytes: int
    """Smallest budget that has a plan, in bytes."""
    least_budget_proven: bool
    """Whether no smaller budget has a plan."""
    strategy: str | None = None
    """Requested strategy. Absent if not feasible."""
    winner: str | None = None
    """Strategy of the plan. Absent if not feasible."""
    latency_ms: float | None = None
    """Time of a run that starts with the resident weights in memory, in milliseconds. Absent if not feasible."""
    first_latency_ms: float | None = None
    """Time of the first run in milliseconds, including the load of the resident weights before it. Absent if not
    feasible."""
    own_latency_ms: float | None = None
    """Time of a run in milliseconds if layers and segments are cut for this budget alone. Absent if not feasible, and
    with one budget."""
    lower_bound_ms: float | None = None
    """Lower bound in milliseconds on the time of a run within this budget. Absent if not feasible."""
    proven_optimal: bool | None = None
    """Whether no plan is faster than this one. Absent if not."""
    stall_ms: float | None = None
    """Time for which the processor waits for weights in a run, in milliseconds. Absent if 0, and if not feasible."""
    peak_bytes: int | None = None
    """End of the highest tensor, in bytes. Absent if not feasible."""
    peak_bound_bytes: int | None = None
    """Lower bound in bytes on the end of the highest tensor of any plan that is as fast. Absent if 0, for segments, and
    if not feasible."""
    read_bytes: int | None = None
    """Bytes of weights that a run reads. Absent if not feasible."""
    read_bound_bytes: int | None = None
    """Lower bound in bytes on what a run of any plan within this budget reads. Absent if 0, for segments, and if not
    feasible."""
    resident_bytes: int | None = None
    """Size of all resident weights, in bytes. Absent if 0, and if not feasible."""
    weight_bytes: int | None = None
    """Size of all weights, in bytes. Absent if not feasible."""
    latency_target_ms: float | None = None
    """Requested latency in milliseconds. Absent without one."""
    least_for_latency_bytes: int | None = None
    """Lower bound in bytes on the budget of any plan with the requested latency. Absent without one."""
    segment_files: int | None = None
    """Number of files that the model was cut into; each is a layer. Absent without `--segments`."""
    manifest: str | None = None
    """Manifest of the segments, which `docs/schema/segments.json` describes. Absent without `--segments`."""
    resident: list[int]
    """Layers whose weights are all resident, in ascending order."""
    start_ms: dict[str, float] | None = None
    """Start of the load of each layer that has one, in milliseconds, by the number of the layer. Absent if not
    feasible."""
    layers: list[StreamLayer]
    """Schedule of each layer."""
    placements: list[StreamPlacement]
    """Place of each tensor."""
    interrupted: bool | None = None
    """Whether the time limit passed, or the user interrupted, before everything was tried. Absent if not."""
    search_nodes: int | None = None
    """Number of choices that the search examined. Absent if 0."""
    elapsed_ns: int | None = None
    """Planning time in nanoseconds. Absent if not feasible."""
    next: str
    """Command line for the least budget; empty if there is a plan."""
    notes: list[Note]
    """Remarks that are needed to interpret the figures."""
    warnings: list[Note]
    """Unusual properties or errors of the input."""


@dataclass(frozen=True, kw_only=True)
class Region:
    name: str
    """Name in the source of the regions."""
    address: int
    """First address."""
    size_bytes: int
    """Size in bytes."""


@dataclass(frozen=True, kw_only=True)
class Target(Result):
    input: str
    """Input as on the command line, `<stdin>` for standard input."""
    title: str
    """Title for people."""
    chip: str | None = None
    """Name of a board's chip. Absent for others."""
    core: str
    """Core by its full name."""
    abi: Literal["esp", "arm", "host64"]
    """ABI that the arena is counted for: the sizes of pointers and enums. `check --help` explains them."""
    kernels: str | None = None
    """Kernel library of the usual build, with its release. Absent if these kernels are not modelled."""
    kernels_note: str | None = None
    """Kernels that are not modelled, for people. Absent if they are."""
    sram_regions: list[Region]
    """Regions of SRAM by address; empty for cores."""
    source: str
    """Source of the regions; empty without any."""
    clock_mhz: int | None = None
    """Clock of the core in MHz, for which times are estimated. Absent if it is not known."""
    clock_source: str | None = None
    """Source of the clock. Absent without it."""
    notes: list[Note]
    """Remarks that are needed to interpret the figures."""
    warnings: list[Note]
    """Unusual properties or errors of the input."""


@dataclass(frozen=True, kw_only=True)
class Use:
    id: str
    """SUBGRAPH:INDEX of a tensor of a model, the name of a scratch request, or the id of a row of a CSV problem."""
    name: str
    """Name in the file."""
    first_op: int
    """First position at which the tensor is alive, inclusive; negative before the run."""
    last_op: int
    """Last position at which the tensor is alive, inclusive; negative before the run."""
    offset_bytes: int | None = None
    """Start of the tensor, in bytes from the start of the arena. Absent if the runtime chooses it."""
    size_bytes: int | None = None
    """Memory of the tensor in bytes, as the runtime rounds it. Absent if unknown."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    law: Literal["buffer", "length", "count", "entries", "marker", "tiled blocks", "rules", "offset", "alignment", "size", "range", "overlap", "takeover", "variable", "variable entry", "ignored", "unused"]
    """Law that the finding is about. `verify --help` lists them."""
    severity: Literal["failure", "aliasing", "note"]
    """Severity for the plan: it is broken, memory is shared on purpose, or nothing is wrong."""
    message: str
    """Sentence for people, whose wording may change."""
    path: str
    """Table and field of the file, such as subgraphs[0].tensors[7].shape."""
    offset_bytes: int | None = None
    """Byte of the file at which `path` is. Absent if the file has nothing there."""
    tensors: list[Use]
    """Tensors that the finding is about."""


@dataclass(frozen=True, kw_only=True)
class Verification(Result):
    input: str
    """Input as on the command line, `<stdin>` for standard input."""
    pass_: bool
    """Whether the verdict is yes."""
    plan_count: int
    """Number of embedded memory plans. The last one is in effect: the other fields are about it."""
    plan_version: int
    """Version that the plan states, which may be negative; 0 without a readable plan."""
    marker: Marker | None = None
    """Marker that names the kernels the plan requires. Absent if the model has none, or it cannot be read."""
    rules: Record | None = None
    """Rules by which operators were replaced, as the file records them. Absent if it has no record, or one that cannot
    be read."""
    tensors_fixed: int
    """Number of tensors to which the plan gives an offset."""
    tensors_planned: int
    """Number of tensors that the runtime plans."""
    fixed_bytes: int
    """End of the highest tensor that the plan fixes, in bytes from the start of the arena."""
    head_bytes: int | None = None
    """Head with the plan in bytes, including the scratch that `scratch` names. Absent if the runtime cannot follow the
    plan."""
    scratch: str
    """Source of the counted kernel scratch: `none`, the file that lists it, or the kernel library that requests it."""
    kernels: str | None = None
    """Kernel library that the figures are for, with its release, as the flag `--kernels` names it. Absent for the
    reference kernels."""
    kernels_title: str | None = None
    """Description of the kernel library for people: its name and release, whether that is the newest modelled, and its
    build settings. Absent for the reference kernels."""
    findings: list[Finding]
    """Findings about the embedded memory plan."""
    notes: list[Note]
    """Remarks that are needed to interpret the figures."""
    warnings: list[Note]
    """Unusual properties or errors of the input."""


SCHEMA_VERSION = 3
"""Version of the JSON that this module reads."""

RESULTS: dict[str, type[Result]] = {
    "analyze": Analysis,
    "check": Check,
    "compare": Contest,
    "diff": Diff,
    "fit frontier": Frontier,
    "fit": Fit,
    "models list": Network,
    "plan": Plan,
    "replay": Replay,
    "report": Report,
    "rewrite": Rewrite,
    "stream sweep": StreamSweep,
    "stream": Stream,
    "targets": Target,
    "verify": Verification,
}
"""Type of the results of each command."""
