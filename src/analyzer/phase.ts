// What the analysis thread is doing. The cell is shared memory, because a stalled thread cannot report anything. With
// several messages in progress it is only a hint; for one that runs alone it is exact.

const phases = {
  waiting: "before processing started",
  recognising: "while checking whether it is a bounce or report",
  reading: "while parsing the message",
  verifying: "while verifying signatures and querying DNS",
  judging: "while running the checks",
  writing: "while writing the report",
  checking: "while checking domains",
  viewing: "while preparing it for display",
  examining: "while examining it after its report",
  "second-parsing": "while mailparser was parsing it",
  "second-verifying": "while mailauth was verifying it",
} as const;

export type Phase = keyof typeof phases;

type PhaseCell = {
  /** Passed to the other thread. */
  readonly memory: SharedArrayBuffer;
  readonly enter: (phase: Phase) => void;
  /** How many phases were entered. */
  readonly count: () => number;
  readonly current: () => Phase;
  /** Completes "It stalled …". */
  readonly describe: () => string;
};

export const phaseNames = Object.keys(phases) as Phase[];

export function createPhaseCell(memory = new SharedArrayBuffer(8)): PhaseCell {
  const cell = new Int32Array(memory);
  const current = () => phaseNames[Atomics.load(cell, 0)] ?? "waiting";
  return {
    memory,
    enter: (phase) => {
      Atomics.store(cell, 0, phaseNames.indexOf(phase));
      Atomics.add(cell, 1, 1);
    },
    count: () => Atomics.load(cell, 1),
    current,
    describe: () => phases[current()],
  };
}
