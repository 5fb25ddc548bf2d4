// A report whose message seed mailboxes were asked for: some show it, some do not.

import type { Provider } from "../../src/analyzer/placement/provider.ts";
import type { Sighting } from "../../src/analyzer/reports/sighting.ts";
import { createSightingRecorder } from "../../src/features/mailboxes/work/record-sightings.ts";
import { aSighting, connectMailbox } from "../features/mailboxes/work/mailbox-world.ts";
import { aLetter, messageIdOf } from "./letters.ts";
import { addReader, type Look, soon, type WebWorld } from "./web-world.ts";

const hourMs = 3_600_000;
const subject = "The autumn catalogue";
const messageId = messageIdOf(subject);

export async function openPlacement(world: WebWorld) {
  const { store, system, events, clock } = world;
  const reader = await addReader(world);
  const { workspaceId, cookie } = reader;
  const recorder = createSightingRecorder({ store, system, publish: events.publish });
  const connectedAt = clock.nowMs - hourMs;
  world.internet.zone = { "sender.example": { A: ["192.0.2.1"] }, ...world.internet.zone };
  return {
    ...reader,
    connect: (account: string, seedProvider: Provider | null = null) =>
      connectMailbox(store, { workspaceId, account, seedProvider, connectedAt }),
    see: (mailbox: string, changes: Partial<Sighting> = {}) =>
      recorder.keepSightings(mailbox, [aSighting({ messageId, arrivedAt: clock.nowMs + 2_000, ...changes })], []),
    receiveIt: async () => {
      const id = await world.receive(workspaceId, null, aLetter(subject));
      await world.analyzeAll();
      return id;
    },
    openReport: async (id: string, look: Look = {}) => {
      const page = await world.openPage(cookie, look);
      await page.goto(`${world.base}/tests/${id}#placement`);
      await soon(() => page.locator("h1.verdict").count()).toBe(1);
      return page;
    },
  };
}

/** As a receiver writes them above the message; anybody may write anything. */
export const receiverEvidence = {
  authenticationResults: [
    "mx.google.com; dkim=none; spf=pass (google.com: domain of ann@sender.example designates 192.0.2.1 as permitted sender) smtp.mailfrom=ann@sender.example; dmarc=none header.from=sender.example",
  ],
  headers: [{ name: "X-Gm-Spam", value: "<img src=x onerror=alert(1)> 1" }],
};
