// The events of this process and, on a database that several share, of the others.

import type { Intake } from "../../store/intake/intake.ts";
import type { Notices } from "../../store/notices.ts";
import type { System } from "../../system/system.ts";
import { createEventHub, type EventHub, type Publish } from "./hub.ts";
import { createEventRelay } from "./relay.ts";

export type Events = EventHub & { readonly close: () => Promise<void> };

export type EventsOptions = {
  readonly system: Pick<System, "now" | "random" | "log">;
  /** Undefined where this process has its database for itself. */
  readonly notices: Notices | undefined;
  /** Names this process among those that share the database. */
  readonly owner: string;
};

export function createEvents({ system, notices, owner }: EventsOptions): Events {
  const hub = createEventHub(system);
  if (notices === undefined) return { ...hub, close: async () => hub.endAll() };
  const relay = createEventRelay({ hub, notices, system, owner });
  return { ...hub, ...relay };
}

/** Tells of each message once it is flushed. */
export function withEvents(intake: Intake, publish: Publish): Intake {
  return {
    insert: async (...asked) => {
      await intake.insert(...asked);
      const [messages] = asked;
      for (const { tests } of messages)
        for (const { id, workspaceId, label } of tests)
          publish(workspaceId, { type: "test.received", id, label });
    },
  };
}
