import { followEvents } from "../api/events.ts";
import type { NumberedEvent } from "../tasks/events/channel.ts";
import type { Following, Listener } from "../tasks/events/hub.ts";
import { type Route, route } from "./route.ts";

// Events as a server-sent stream (WHATWG HTML §9.2). What a client does not read is not gathered for it: the events wait
// in their channel, and one that falls behind what is kept there is let go, to come back and read its lists again.

type EventStreamOptions = {
  readonly follow: (listener: Listener) => Following;
  /** Throws once the caller may no longer listen. */
  readonly admitAgain: () => Promise<unknown>;
  /** A stream has no end of its own, so that it takes its client's, who may have left with his last word. */
  readonly followClient: (ended: () => void) => () => void;
  /** Between two comments that keep proxies and clients from giving up, and between two looks at the caller's rights. */
  readonly beatMs: number;
};

/** Of one stream, beside what its socket holds. */
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

  /** `cut`: what still waits for a client that does not read goes with it. */
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
      // Whatever the reason: nobody is told on who cannot be shown to be allowed to listen.
      return end(false);
    }
    if (hasRoom()) controller?.enqueue(heartbeat);
  }

  // Before anything is answered, so that a refusal still is one.
  const following = follow({
    wake: () => (hasRoom() || !following.isBehind() ? pump() : end(true)),
    end: () => end(!hasRoom()),
  });
  const unfollow = followClient(() => end(!hasRoom()));
  return new ReadableStream<Uint8Array>(
    {
      start: (given) => {
        controller = given;
        // An id without data is no event, and is where a client comes back to that has not read any yet.
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

/** Those who listen to one workspace read the same events: each is written out once for all of them. */
function encode(events: readonly NumberedEvent[]): Uint8Array {
  let text = "";
  for (const told of events) {
    const known = texts.get(told) ?? toText(told);
    texts.set(told, known);
    text += known;
  }
  return encoder.encode(text);
}

/** JSON has no line break of its own, so that each event is one line of data. */
function toText({ id, event }: NumberedEvent): string {
  return `id: ${id}\ndata: ${JSON.stringify(event)}\n\n`;
}

export const eventRoutes: readonly Route[] = [
  route(followEvents, ({ workspaceId, caller, headers, admitAgain, followClient }, { events }) => {
    const afterId = headers["last-event-id"];
    const follower = caller.via === "session" ? caller.userId : (caller.userId ?? caller.token.id);
    const body = openEventStream({
      follow: (listener) => events.follow({ workspaceId, follower, afterId }, listener),
      ...{ admitAgain, followClient },
      beatMs: events.beatMs,
    });
    // Without the last, nginx would gather the events before it passes them on.
    const answerHeaders = {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    };
    return new Response(body, { headers: answerHeaders });
  }),
];
