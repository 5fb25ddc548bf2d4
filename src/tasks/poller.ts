// Looks at what is due: one at a time, every so often, and at once when somebody kicks. That they fail is told once, and
// once when it is over, however often it is tried meanwhile.

import { messageOf, Refusal } from "../errors.ts";
import type { System } from "../system/system.ts";

type Poller = {
  readonly start: () => void;
  /** There is something new to do. */
  readonly kick: () => void;
  /** Begins no more; resolves when the one that is under way is over. */
  readonly end: () => Promise<void>;
};

type PollerOptions = {
  readonly look: () => Promise<void>;
  readonly everyMs: number;
  readonly log: System["log"];
  /** What the log says. */
  readonly words: { readonly trouble: string; readonly over: string };
};

export function createPoller({ look, everyMs, log, words }: PollerOptions): Poller {
  const tellTrouble = createTroubleTeller(log, words);
  let timer: NodeJS.Timeout | null = null;
  let round: Promise<void> | null = null;
  let kicked = false;
  let ended = false;

  function kick(): void {
    kicked = true;
    if (round || ended) return;
    kicked = false;
    round = look()
      .then(() => tellTrouble(null), tellTrouble)
      .finally(() => {
        round = null;
        if (kicked) kick();
      });
  }

  return {
    start: () => {
      timer = setInterval(kick, everyMs);
      kick();
    },
    kick,
    end: async () => {
      ended = true;
      if (timer) clearInterval(timer);
      await round;
    },
  };
}

function createTroubleTeller(log: System["log"], words: PollerOptions["words"]): (error: unknown) => void {
  let told: string | null = null;
  return (error) => {
    const problem = error === null ? null : messageOf(error);
    if (problem === told) return;
    told = problem;
    if (problem === null) log.info(words.over);
    else log.error(words.trouble, { problem }, error instanceof Refusal ? undefined : error);
  };
}
