// One scene of `npm run chaos`: a promise, and a way to break it.

export type Scene = {
  /** As it is typed to play this scene alone. */
  readonly name: string;
  /** What an operator relies on, in one sentence. */
  readonly promise: string;
  /** What this machine lacks for it, or undefined if it can be played. */
  readonly lacks?: () => string | undefined;
  /** Rejects when the promise is broken, or returns what was lost, done twice, or left over. */
  readonly play: (stage: Stage) => Promise<Seen>;
};

export type Stage = {
  /** An empty folder, removed after the scene if the promise was kept. */
  readonly folder: string;
  /** How often a scene of kills kills. Others may read it as a measure of how long to go on. */
  readonly kills: number;
  /** Whether it is played for each change, and has to be quick. */
  readonly isSmall: boolean;
  readonly say: (line: string) => void;
};

/** What was seen, for the table. A figure that a scene doesn't have is left out. */
export type Seen = {
  readonly kills?: number;
  readonly acknowledged?: number;
  readonly lost?: number;
  readonly twice?: number;
  /** Files and rows that nothing refers to, after the last start. Without it, they are counted in the scene's folder. */
  readonly leftovers?: number;
  /** One sentence on what was done, with the other figures. */
  readonly note: string;
};
