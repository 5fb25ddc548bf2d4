// A real Postfix as the sender: its bounce has the predicted code, and its queue is in the report.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { messageCodes, recipientCodes } from "../../src/analyzer/mail/headers/rehearsal-address.ts";
import { hasPostfix } from "../postfix.ts";
import { testProgram } from "../program.ts";
import { healthyLetter } from "./rehearsal/letters.ts";
import { proveCodes } from "./rehearsal/prove-codes.ts";
import { proveReceivers } from "./rehearsal/prove-receivers.ts";
import { startQueue } from "./rehearsal/senders.ts";
import { openRehearsalWorld, type RehearsalWorld } from "./rehearsal/world.ts";

const command = await testProgram();

if (!hasPostfix)
  console.warn("Skipped: Debian's packages postfix and dovecot-core, or the superuser's rights, are not there.");

describe.skipIf(!hasPostfix)("rehearsal with a real Postfix", () => {
  let world: RehearsalWorld;

  beforeAll(async () => {
    world = await openRehearsalWorld(command);
    await world.patchWorkspace({ rehearsal: "on", sendingVolume: "large" });
  });

  afterAll(async () => {
    await world?.close();
  });

  test("rehearsal with a real Postfix gives the predicted replies and bounces only rejected messages", {
    timeout: 300_000,
  }, async () => {
    const results = await proveReceivers(world);
    expect(results.filter(({ problem }) => problem !== null)).toEqual([]);
    expect(results.map(({ bounced }) => bounced?.slice(0, 10) ?? null)).toEqual(["550-5.7.26", "550-5.7.25", null]);
    // Deferred, then rejected.
    expect(results[1]?.replies.map((reply) => reply.slice(0, 3))).toEqual(["421", "550"]);
  });

  test("rehearsal with a real Postfix is retried after greylisting and after a dropped connection", {
    timeout: 300_000,
  }, async () => {
    world.setZone(healthyLetter.letter.zone);
    const terms = { name: "postfix-returns", clientAddress: "203.0.113.20", home: null };
    const sender = await startQueue(world, terms);
    try {
      for (const probe of ["greylist", "drop"]) {
        const to = world.toAddress(`probe-${probe}`);
        const bytes = Buffer.from(`Subject: ${probe}\nMessage-ID: <${probe}@a.example>\n\nHello\n`);
        await sender.send({ from: healthyLetter.letter.heard.mailFrom, to, bytes });
        const { attempts, behavior } = await world.until(to, (one) => one.attempts.length > 1, 120_000);
        expect(attempts.map(({ outcome }) => outcome)).toEqual([probe === "drop" ? "dropped" : "deferred", "accepted"]);
        expect(behavior.map(({ id }) => id)).toEqual(
          expect.arrayContaining(["queue.returned", "address.same", "message.same"]),
        );
      }
    } finally {
      await sender.end();
    }
  });

  test("rehearsal with a real Postfix gives the chosen code at the chosen step, and the chosen rate", {
    timeout: 300_000,
  }, async () => {
    world.setZone(healthyLetter.letter.zone);
    const toTag = (code: number) => `code-${code}-${Math.floor(code / 100)}.7.1`;
    const chosen = [
      ...recipientCodes.map((code) => ({ code, tag: toTag(code), command: "RCPT TO command" })),
      ...messageCodes.map((code) => ({ code, tag: `${toTag(code)}-data`, command: "end of DATA command" })),
    ];
    const results = await proveCodes(world, [
      ...chosen.map(({ tag }) => ({ tag, lines: 1 })),
      { tag: "rate-2", count: 3, lines: 3 },
      { tag: "code-999", lines: 1 },
    ]);
    const of = (tag: string) => results.find((one) => one.tag === tag)?.attempts ?? [];
    for (const { code, tag, command } of chosen) {
      const verb = code < 500 ? "deferred" : "bounced";
      const enhanced = `${Math.floor(code / 100)}.7.1`;
      const line = new RegExp(`^${verb} ${enhanced}: ${code}[ -]${enhanced} .*\\(in reply to ${command}\\)$`);
      expect(of(tag)[0], tag).toMatch(line);
    }
    const ofRate = of("rate-2").map((line) => line.split(" ")[0]);
    expect(ofRate.toSorted()).toEqual(["deferred", "sent", "sent"]);
    expect(of("code-999")[0]).toMatch(/^sent 2\.6\.0/);
  });
});
