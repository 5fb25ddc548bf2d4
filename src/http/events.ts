import { followEvents } from "../api/events.ts";
import { openEventStream } from "./event-stream.ts";
import { type Route, route } from "./route.ts";

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
