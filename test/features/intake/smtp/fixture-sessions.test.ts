// The fixtures' sessions are handwritten, so that none needs a socket. This compares them with real ones.

import { expect, onTestFinished, test } from "vitest";
import { deliver } from "../../../fixtures/messages/deliver.ts";
import { bases } from "../../../fixtures/messages/fixture.ts";
import { heardWith, type Letter, toBytes } from "../../../fixtures/messages/letter.ts";
import { recipient, toSession } from "../../../fixtures/messages/sender.ts";
import { startEar } from "./dialogue.ts";

async function hear(letter: Letter) {
  const ear = await startEar({ ASSAY_SMTP_PROXY_FROM: "127.0.0.1" });
  onTestFinished(ear.close);
  expect(await deliver(letter, ear)).toMatch(/^250 /);
  const [message] = ear.heard;
  if (!message) throw new Error("Nothing was heard.");
  return { ...message, seed: ear.seed };
}

test.each([
  ["with TLS", bases.T],
  ["without TLS", heardWith({ isPlain: true })(bases.N)],
])("a real session of the fixture %s equals the handwritten one", async (_what, letter) => {
  const { raw, session, seed } = await hear(letter);
  expect(Buffer.from(raw).equals(toBytes(letter))).toBe(true);
  const { tls: written, transcript: lines, ...said } = toSession(letter.heard);
  const { tls, transcript, ...rest } = session;
  expect(rest).toEqual({
    ...said,
    // Where and when: the proxy, the current seed address, the clock.
    via: { how: "proxy-v1", address: "127.0.0.1" },
    rcptTo: [seed],
    connectedAt: expect.any(Number),
    dataStartedAt: expect.any(Number),
    dataEndedAt: expect.any(Number),
  });
  expect(tls?.version).toBe(written?.version);
  const spoken = (steps: typeof transcript) =>
    steps.map(({ from, line }) => `${from}: ${line}`.replace(seed, recipient));
  expect(spoken(transcript)).toEqual(spoken(lines));
});
