// Counts the events of a workspace as one process sends them to a browser.

import type { Caller } from "../alert-client.ts";

/** `close` returns how many of each type came. */
export async function followEvents(
  http: string,
  { token, workspaceId }: Caller,
): Promise<{ readonly close: () => ReadonlyMap<string, number> }> {
  const leaving = new AbortController();
  const answer = await fetch(`${http}/api/events`, {
    signal: leaving.signal,
    headers: { authorization: `Bearer ${token}`, "x-workspace-id": workspaceId },
  });
  if (answer.status !== 200 || answer.body === null) throw new Error(`/api/events answered ${answer.status}.`);
  const counts = new Map<string, number>();
  const read = async (body: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of body) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (!line.startsWith("data: ")) continue;
        const { type } = JSON.parse(line.slice(6)) as { type: string };
        counts.set(type, (counts.get(type) ?? 0) + 1);
      }
    }
  };
  read(answer.body).catch(() => {}); // ends when it leaves, or when its process stops
  return {
    close: () => {
      leaving.abort();
      return counts;
    },
  };
}
