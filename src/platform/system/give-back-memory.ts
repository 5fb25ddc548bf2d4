import { Worker } from "node:worker_threads";
import { messageOf } from "../errors.ts";
import type { Log } from "./log.ts";

/**
 * Gives back what a busy time has left in this process. Otherwise an idle server would keep it for hours: the engine
 * collects old objects only when more of them are made, and glibc keeps freed memory for its next use. Blocks this
 * thread for some 100 ms.
 */
export async function giveBackMemory(log: Log, forget?: () => void): Promise<void> {
  try {
    forget?.();
    await collectGarbage();
    await trimHeap();
  } catch (error) {
    log.warn("memory not given back", { problem: messageOf(error) });
  }
}

async function collectGarbage(): Promise<void> {
  // Not import(), for which the single binary prints a warning of Node.
  const { Session } = process.getBuiltinModule("node:inspector/promises");
  const session = new Session();
  session.connect();
  try {
    await session.post("HeapProfiler.collectGarbage");
  } finally {
    session.disconnect();
  }
}

/** Gives back free memory between used pieces, too. */
const trim = `
const { dlopen } = require("node:ffi");
const { functions } = dlopen(null, { malloc_trim: { arguments: ["u64"], return: "i32" } });
functions.malloc_trim(0n);
`;

/**
 * Only C can call `malloc_trim`, and only glibc has it. Node's way to call C is experimental. So it is called in a thread
 * whose warnings are not printed, and whose failure costs nothing but the memory.
 */
async function trimHeap(): Promise<void> {
  if (process.platform !== "linux") return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const thread = new Worker(trim, { eval: true, execArgv: ["--disable-warning=ExperimentalWarning"] });
  thread.on("error", reject);
  thread.on("exit", () => resolve());
  await promise;
}
