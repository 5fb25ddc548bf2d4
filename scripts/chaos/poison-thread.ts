// Loaded before the program by poison.ts. In the analysis thread only, a message with the header X-Poison does what
// that says, like a bug in a library would. We know of no real one anymore.

import { isMainThread, parentPort } from "node:worker_threads";

type Listener = (message: unknown) => void;

const deeds: Readonly<Record<string, () => void>> = {
  stall: () => {
    for (;;);
  },
  exit: () => process.exit(1),
  throw: () => {
    throw new Error("poisoned");
  },
};

if (!isMainThread && parentPort) poison(parentPort);

function poison(port: NonNullable<typeof parentPort>): void {
  const listen = port.on.bind(port) as (event: string, listener: Listener) => typeof port;
  const poisoned = (event: string, listener: Listener) =>
    listen(event, event === "message" ? afterTheDeed(listener) : listener);
  Object.assign(port, { on: poisoned, addListener: poisoned });
}

function afterTheDeed(listener: Listener): Listener {
  return (message) => {
    for (const bytes of findBytes(message, 4)) {
      const [, deed = ""] = /^X-Poison: (\w+)/m.exec(Buffer.from(bytes).subarray(0, 2_000).toString("latin1")) ?? [];
      deeds[deed]?.();
    }
    listener(message);
  };
}

/** Finds the message anywhere in the data passed to the thread. */
function findBytes(value: unknown, depth: number): Uint8Array[] {
  if (value instanceof Uint8Array) return [value];
  if (value instanceof ArrayBuffer) return [new Uint8Array(value)];
  if (typeof value !== "object" || value === null || depth === 0) return [];
  return Object.values(value).flatMap((inner) => findBytes(inner, depth - 1));
}
