// Follows an event stream as a browser would, and remembers the last id.

import { onTestFinished } from "vitest";
import { type WorkspaceEvent, workspaceEvent } from "../../src/features/events/contract.ts";

export type Followed = {
  readonly status: number;
  readonly headers: Headers;
  /** All that came so far. */
  readonly events: readonly WorkspaceEvent[];
  /** Of the last event, or where the stream began. */
  readonly lastId: () => string;
  /** Heartbeats among what came so far. */
  readonly comments: () => number;
  /** Chunks as they came over the socket, roughly writes. */
  readonly chunks: () => number;
  readonly until: (isEnough: (events: readonly WorkspaceEvent[]) => boolean) => Promise<void>;
  /** Resolves when the server has ended it. */
  readonly ended: Promise<void>;
  readonly leave: () => void;
};

/** By a token, or as a browser that cannot send the workspace in a header. */
export type Followable = { readonly token: string } | { readonly cookie: string };

export async function follow(
  base: string,
  asked: Followable & { readonly workspace: string; readonly lastEventId?: string },
): Promise<Followed> {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const query = "cookie" in asked ? `?workspace=${asked.workspace}` : "";
  const response = await fetch(`${base}/api/events${query}`, {
    signal: abort.signal,
    headers: {
      ...("cookie" in asked
        ? { cookie: asked.cookie }
        : { authorization: `Bearer ${asked.token}`, "x-workspace-id": asked.workspace }),
      ...(asked.lastEventId === undefined ? {} : { "last-event-id": asked.lastEventId }),
    },
  });
  const events: WorkspaceEvent[] = [];
  let lastId = "";
  let comments = 0;
  let chunks = 0;
  let waiting: (() => void)[] = [];
  const take = (block: string) => {
    for (const line of block.split("\n")) {
      if (line.startsWith(":")) comments += 1;
      if (line.startsWith("id: ")) lastId = line.slice(4);
      if (line.startsWith("data: ")) events.push(workspaceEvent.parse(JSON.parse(line.slice(6))));
    }
  };
  const read = async () => {
    let text = "";
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      chunks += 1;
      text += chunk;
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      blocks.forEach(take);
      for (const wake of waiting.splice(0)) wake();
    }
  };
  const ended = read().catch(() => {});
  void ended.then(() => {
    for (const wake of waiting.splice(0)) wake();
    waiting = [];
  });
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  return {
    status: response.status,
    headers: response.headers,
    events,
    lastId: () => lastId,
    comments: () => comments,
    chunks: () => chunks,
    until: async (isEnough) => {
      while (!isEnough(events)) {
        if (isOver) throw new Error(`The stream ended after ${JSON.stringify(events)}.`);
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
    ended,
    leave: () => abort.abort(),
  };
}
