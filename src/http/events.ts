import { followEvents } from "../api/events.ts";
import type { NumberedEvent } from "../tasks/events/channel.ts";
import type { Following, Listener } from "../tasks/events/hub.ts";
import { followerOf } from "./callers.ts";
import { type Route, route } from "./route.ts";

// Events as a server-sent stream (WHATWG HTML §9.2). Events for a slow client aren't buffered. They wait in the
// channel, and a client that falls too far behind is disconnected. It then reconnects and reads its lists again.

type EventStreamOptions = {
  readonly follow: (listener: Listener) => Following;
  /** Throws once the caller may no longer listen. */
  readonly admitAgain: () => Promise<unknown>;
  /** A stream ends with its client, which may have left after its last request. */
  readonly followClient: (ended: () => void) => () => void;
  /**
   * Time between two comments that keep proxies and clients connected, and between two checks of the caller's rights.
   */
  readonly beatMs: number;
};

/** Per stream, in addition to its socket's buffer. */
const maxWaitingBytes = 65_536;
const comeBackAfterMs = 2_000;

const encoder = new TextEncoder();
const heartbeat = encoder.encode(": still here\n\n");

function openEventStream({
  follow,
  admitAgain,
  followClient,
  beatMs,
}: EventStreamOptions): ReadableStream<Uint8Array> {
  let beat: NodeJS.Timeout | undefined;
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
    unfollow();
    following.leave();
  }

  const hasRoom = () => (controller?.desiredSize ?? 0) > 0;

  function pump(): void {
    while (hasRoom()) {
      const events = following.take();
      if (events === undefined) end(true);
      else if (events.length > 0) controller?.enqueue(encode(events));
      if (!events?.length) return;
    }
  }

  async function lookAgain(): Promise<void> {
    try {
      await admitAgain();
    } catch {
      // Whatever the reason: if we can't confirm that a client may listen, it gets no more events.
      return end(false);
    }
    if (hasRoom()) controller?.enqueue(heartbeat);
  }

  // Before the answer starts, so that a refusal can still be an error.
  const following = follow({
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
        beat = setInterval(lookAgain, beatMs);
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
  route(followEvents, ({ workspaceId, caller, headers, admitAgain, followClient }, { events }) => {
    const afterId = headers["last-event-id"];
    const follower = followerOf(caller);
    const body = openEventStream({
      follow: (listener) => events.follow({ workspaceId, follower, afterId }, listener),
      ...{ admitAgain, followClient },
      beatMs: events.beatMs,
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
