// Decides when a thread's job has stalled. What counts is the processor time that the thread used, not the time that
// passed: on a busy machine, a thread may wait minutes for its turn and work perfectly well.

import type { Worker } from "node:worker_threads";

/** What is known of a thread at a moment. */
type ThreadSample = {
  /** By a monotonic clock. */
  readonly at: number;
  /** Processor time since the thread's start. Null: the thread didn't answer, because it is blocked or has no turn. */
  readonly usedMs: number | null;
  /** Changes whenever the thread gets further with any of its jobs. */
  readonly progress: number;
};

type StallWatch = {
  readonly begin: (id: number, at: number) => void;
  readonly end: (id: number) => void;
  /** The job that has stalled. */
  readonly note: (sample: ThreadSample) => number | null;
};

type StallLimits = {
  /** Processor time in which the thread gets no further. */
  readonly deadlineMs: number;
  /** Time after which a job has stalled although the thread uses no processor time. */
  readonly ceilingMs: number;
};

/**
 * Times the deadline that the thread may work from a job's start to its end, for all of its jobs together. A job that
 * never ends would otherwise go unnoticed while the thread gets further with others.
 */
const mostDeadlines = 5;

type Watched = { readonly startedAt: number; usedAtStart: number | null };

export function createStallWatch({ deadlineMs, ceilingMs }: StallLimits): StallWatch {
  /** In the order in which they began, so that the first is the most likely one to block the others. */
  const jobs = new Map<number, Watched>();
  let progress = 0;
  let usedAtProgress = 0;

  function isOverTime(job: Watched, usedMs: number): boolean {
    // Counted from the first sample, so that the job is never charged for what the thread did before.
    job.usedAtStart ??= usedMs;
    const usedInVain = usedMs - Math.max(job.usedAtStart, usedAtProgress);
    return usedInVain >= deadlineMs || usedMs - job.usedAtStart >= mostDeadlines * deadlineMs;
  }

  return {
    begin: (id, at) => void jobs.set(id, { startedAt: at, usedAtStart: null }),
    end: (id) => void jobs.delete(id),
    note: ({ at, usedMs, progress: reached }) => {
      if (usedMs !== null && reached !== progress) {
        progress = reached;
        usedAtProgress = usedMs;
      }
      for (const [id, job] of jobs) {
        if (at - job.startedAt >= ceilingMs) return id;
        if (usedMs !== null && isOverTime(job, usedMs)) return id;
      }
      return null;
    },
  };
}

type StallWatchTerms = StallLimits & {
  readonly worker: Pick<Worker, "cpuUsage">;
  readonly progress: () => number;
  readonly onStall: (id: number) => void;
};

/** Samples per deadline. */
const samples = 10;

/** Takes samples of the thread while it has jobs. */
export function watchForStalls({ worker, progress, onStall, ...limits }: StallWatchTerms) {
  const watch = createStallWatch(limits);
  const jobs = new Set<number>();
  let sampler: NodeJS.Timeout | undefined;
  let isAsking = false;

  function note(usedMs: number | null): void {
    const id = watch.note({ at: performance.now(), usedMs, progress: progress() });
    if (id !== null) onStall(id);
  }

  function sample(): void {
    note(null);
    if (isAsking) return;
    isAsking = true;
    // The thread answers within loops and regular expressions too, but not before it gets a turn.
    const usage = worker.cpuUsage().then(({ user, system }) => note((user + system) / 1_000));
    // It fails only if the thread has ended.
    void usage
      .catch(() => {})
      .finally(() => {
        isAsking = false;
      });
  }

  return {
    begin: (id: number) => {
      jobs.add(id);
      watch.begin(id, performance.now());
      sampler ??= setInterval(sample, limits.deadlineMs / samples);
    },
    end: (id: number) => {
      jobs.delete(id);
      watch.end(id);
      if (jobs.size > 0) return;
      clearInterval(sampler);
      sampler = undefined;
    },
  };
}
