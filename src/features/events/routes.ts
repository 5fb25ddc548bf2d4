import { type Caller, followerOf, rightsOf } from "../../platform/http/callers/caller.ts";
import { type Route, route } from "../../platform/route.ts";
import { followEvents, type WorkspaceEvent } from "./contract.ts";
import type { NumberedEvent } from "./work/channel.ts";
import type { Following, Listener } from "./work/hub.ts";

// Events as a server-sent stream (WHATWG HTML §9.2). Events for a slow client aren't buffered. They wait in the
// channel, and a client that falls too far behind is disconnected. It then reconnects and reads its lists again.

type EventStreamOptions = {
  readonly follow: (listener: Omit<Listener, "rights">) => Following;
  /** Throws once the caller may no longer listen. */
  readonly admitAgain: () => Promise<unknown>;
  /** A stream ends with its client, which may have left after its last request. */
  readonly followClient: (ended: () => void) => () => void;
  /** Time between two comments that keep proxies and clients connected. */
  readonly beatMs: number;
  /** Time between two checks of the caller's rights, in case nothing else asks for one. */
  readonly checkMs: number;
  /** Until the caller's token or session expires. */
  readonly leftMs: () => number;
  /** Which events the caller may read. */
  readonly isOwn: (event: WorkspaceEvent) => boolean;
};

/** Per stream, in addition to its socket's buffer. */
const maxWaitingBytes = 65_536;
const comeBackAfterMs = 2_000;

const encoder = new TextEncoder();
const heartbeat = encoder.encode(": still here\n\n");

function openEventStream(options: EventStreamOptions): ReadableStream<Uint8Array> {
  const { follow, admitAgain, followClient, beatMs, checkMs, leftMs, isOwn } = options;
  let beat: NodeJS.Timeout | undefined;
  let check: NodeJS.Timeout | undefined;
  let expiry: NodeJS.Timeout | undefined;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  /** `cut`: discards what a client hasn't read. */
  function end(cut: boolean): void {
    const ended = controller;
    leave();
    if (cut) ended?.error(new Error("The client reads too slowly."));
    else ended?.close();
  }

  function leave(): void {
    controller = undefined;
    clearInterval(beat);
    clearInterval(check);
    clearTimeout(expiry);
    unfollow();
    following.leave();
  }

  const hasRoom = () => (controller?.desiredSize ?? 0) > 0;

  function pump(): void {
    while (hasRoom()) {
      const events = following.take();
      if (events === undefined) end(true);
      const own = events?.filter(({ event }) => isOwn(event)) ?? [];
      if (own.length > 0) controller?.enqueue(encode(own));
      if (!events?.length) return;
    }
  }

  async function recheck(): Promise<void> {
    try {
      await admitAgain();
    } catch {
      // Whatever the reason: if we can't confirm that a client may listen, it gets no more events.
      return end(false);
    }
    if (controller === undefined || leftMs() > checkMs) return;
    clearTimeout(expiry);
    expiry = setTimeout(recheck, Math.max(leftMs(), 1));
  }

  const sendBeat = () => hasRoom() && controller?.enqueue(heartbeat);

  // Before the answer starts, so that a refusal can still be an error.
  const following = follow({
    recheck: () => void recheck(),
    wake: () => (hasRoom() || !following.isBehind() ? pump() : end(true)),
    end: () => end(!hasRoom()),
  });
  const unfollow = followClient(() => end(!hasRoom()));
  return new ReadableStream<Uint8Array>(
    {
      start: (given) => {
        controller = given;
        // An ID without data is not an event. A client that hasn't read any event yet resumes from it.
        given.enqueue(encoder.encode(`retry: ${comeBackAfterMs}\nid: ${following.id}\n\n`));
        beat = setInterval(sendBeat, beatMs);
        check = setInterval(recheck, checkMs);
        // The right may have ended between the admission and now.
        void recheck();
        pump();
      },
      pull: pump,
      cancel: leave,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxWaitingBytes }),
  );
}

const texts = new WeakMap<NumberedEvent, string>();

/** All clients of a workspace read the same events. Each event is serialized once for all of them. */
function encode(events: readonly NumberedEvent[]): Uint8Array {
  let text = "";
  for (const told of events) {
    const known = texts.get(told) ?? toText(told);
    texts.set(told, known);
    text += known;
  }
  return encoder.encode(text);
}

/** JSON contains no raw line breaks, so each event is one line of data. */
function toText({ id, event }: NumberedEvent): string {
  return `id: ${id}\ndata: ${JSON.stringify(event)}\n\n`;
}

export const eventRoutes: readonly Route[] = [
  route(followEvents, (call, { events, system }) => {
    const { workspaceId, caller, headers, admitAgain, followClient, label } = call;
    const afterId = headers["last-event-id"];
    const follower = followerOf(caller);
    const rights = [workspaceId, ...rightsOf(caller)];
    const expiresAt = expiryOf(caller);
    const body = openEventStream({
      follow: (listener) => events.follow({ workspaceId, follower, afterId }, { ...listener, rights }),
      admitAgain,
      followClient,
      beatMs: events.beatMs,
      checkMs: events.checkMs,
      leftMs: () => (expiresAt ?? Number.POSITIVE_INFINITY) - system.now(),
      isOwn: (event) => label === null || event.type === "reset" || ("label" in event && event.label === label),
    });
    // Without the last header, nginx would buffer the events.
    const answerHeaders = {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    };
    return new Response(body, { headers: answerHeaders });
  }),
];

function expiryOf(caller: Caller): number | null {
  return caller.via === "session" ? caller.session.expires_at : caller.token.expires_at;
}
