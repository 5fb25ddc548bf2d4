/**
 * Gives back what a busy time has left in this thread. The engine collects old objects only when more of them are made,
 * so an idle server would keep the memory for hours. Blocks the thread for some 100 ms.
 */
export async function collectGarbage(): Promise<void> {
  const { Session } = await import("node:inspector/promises");
  const session = new Session();
  session.connect();
  try {
    await session.post("HeapProfiler.collectGarbage");
  } finally {
    session.disconnect();
  }
}
