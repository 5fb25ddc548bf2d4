export type Gate = {
  /** True once there is room; false when there was none in time. Who entered must leave. */
  readonly enter: (timeoutMs: number) => Promise<boolean>;
  readonly leave: () => void;
};

/** Lets `width` through at once; the others wait in line. */
export function createGate(width: number): Gate {
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
