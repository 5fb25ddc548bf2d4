// What the thread that reads messages is at, in a cell that both threads see: a thread that stalls can say nothing more.
// Only a hint while several messages are in hand, and certain for one that is analysed alone.

const phases = {
  waiting: "while nothing was done with it",
  recognising: "while it was told apart from bounces and reports",
  reading: "while its parts were read",
  verifying: "while its signatures were verified and DNS was asked",
  judging: "while its checks were run",
  writing: "while its report was written",
  checking: "while domains were checked",
  viewing: "while it was made ready to be shown",
} as const;

export type Phase = keyof typeof phases;

type PhaseCell = {
  /** Crosses to the other thread. */
  readonly memory: SharedArrayBuffer;
  readonly enter: (phase: Phase) => void;
  /** In words that complete "It stalled …". */
  readonly tell: () => string;
};

const names = Object.keys(phases) as Phase[];

export function createPhaseCell(memory = new SharedArrayBuffer(4)): PhaseCell {
  const cell = new Int32Array(memory);
  return {
    memory,
    enter: (phase) => void Atomics.store(cell, 0, names.indexOf(phase)),
    tell: () => phases[names[Atomics.load(cell, 0)] ?? "waiting"],
  };
}
