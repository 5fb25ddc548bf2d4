export type Limiter = {
  /** True: entered, and must leave later. False: there was no room in time. */
  readonly enter: (timeoutMs: number) => Promise<boolean>;
  readonly leave: () => void;
};

/** Admits `width` at once. The others wait in line. */
export function createLimiter(width: number): Limiter {
  const waiting = new Set<() => void>();
  let inside = 0;
  return {
    enter: async (timeoutMs) => {
      if (inside < width) {
        inside++;
        return true;
      }
      return new Promise((resolve) => {
        const admit = () => {
          clearTimeout(timer);
          resolve(true);
        };
        const timer = setTimeout(() => {
          waiting.delete(admit);
          resolve(false);
        }, timeoutMs);
        waiting.add(admit);
      });
    },
    leave: () => {
      const [next] = waiting;
      if (next === undefined) {
        inside--;
        return;
      }
      waiting.delete(next);
      next();
    },
  };
}

/** A gate for each name. It exists as long as it is used. */
type Limiters = {
  /** Like `Gate.enter`. */
  readonly enter: (name: string, timeoutMs: number) => Promise<boolean>;
  readonly leave: (name: string) => void;
};

export function createLimiters(width: number): Limiters {
  const gates = new Map<string, { readonly gate: Limiter; users: number }>();

  function forget(name: string): void {
    const known = gates.get(name);
    if (known === undefined) return;
    known.users--;
    if (known.users === 0) gates.delete(name);
  }

  return {
    enter: async (name, timeoutMs) => {
      const known = gates.get(name) ?? { gate: createLimiter(width), users: 0 };
      gates.set(name, known);
      known.users++;
      const isInside = await known.gate.enter(timeoutMs);
      if (!isInside) forget(name);
      return isInside;
    },
    leave: (name) => {
      gates.get(name)?.gate.leave();
      forget(name);
    },
  };
}
