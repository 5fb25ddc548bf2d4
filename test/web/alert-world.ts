// A reader with webhooks, a receiver on loopback, and the true deliverer between them.

import { onTestFinished } from "vitest";
import { createAlertDeliverer } from "../../src/features/alerts/work/deliver.ts";
import { raiseAlert } from "../../src/features/alerts/work/raise.ts";
import { inWorkspace } from "../../src/platform/database/scope.ts";
import type { aDrift } from "../features/alerts/rules/events.ts";
import { startReceiver } from "../http/receiver.ts";
import { addReader, soon, type WebWorld } from "./web-world.ts";

export const allow = { all: true, networks: [] };

export async function openAlerts(world: WebWorld) {
  const reader = await addReader(world);
  const { workspaceId, cookie } = reader;
  const answer = { status: 200 };
  const receiver = await startReceiver(() => answer);
  const { store, system, events } = world;
  const deliverer = createAlertDeliverer({ ...world, baseUrl: () => world.base });
  deliverer.start();
  onTestFinished(() => deliverer.stop(0));
  const page = await world.openPage(cookie);
  return {
    ...reader,
    answer,
    receiver,
    page,
    create: async (wanted: object = {}) => {
      const body = {
        label: "On call",
        url: receiver.url,
        kind: "json",
        events: ["domain.drift", "test.low_score"],
        ...wanted,
      };
      return (await world.ask("POST", "/api/alerts", { cookie, workspace: workspaceId, body })).json;
    },
    raise: async (event: ReturnType<typeof aDrift>) => {
      world.clock.nowMs += 1_000;
      await store.write((db) => raiseAlert(inWorkspace(db, workspaceId), event, system));
      deliverer.kick();
    },
    kick: deliverer.kick,
    /** The stream of events must be there before what it tells. */
    goLive: async (path: string) => {
      await page.goto(world.base + path);
      await soon(() => events.countFollowers()).toBeGreaterThan(0);
    },
  };
}
