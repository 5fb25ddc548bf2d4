import { createGate, type Gate } from "./gate.ts";

/** A gate for each name, there as long as somebody is inside or waits. */
export type Gates = {
  /** As `Gate.enter`. */
  readonly enter: (name: string, timeoutMs: number) => Promise<boolean>;
  readonly leave: (name: string) => void;
};

export function createGates(width: number): Gates {
  const gates = new Map<string, { readonly gate: Gate; users: number }>();

  function forget(name: string): void {
    const known = gates.get(name);
    if (known === undefined) return;
    known.users--;
    if (known.users === 0) gates.delete(name);
  }

  return {
    enter: async (name, timeoutMs) => {
      const known = gates.get(name) ?? { gate: createGate(width), users: 0 };
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
