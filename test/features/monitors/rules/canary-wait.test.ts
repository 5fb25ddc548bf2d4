import { expect, test } from "vitest";
import type { Stamp } from "../../../../src/analyzer/reports/stamps.ts";
import { toWaitWords } from "../../../../src/features/monitors/rules/canary-wait.ts";

const second = 1_000;
const beganAt = Date.parse("2026-11-26T20:00:00.200Z");
const after = (seconds: number) => beganAt + seconds * second;
const stamp = (by: string, seconds: number): Stamp => ({ by, at: Math.floor(after(seconds) / second) * second });

const wait = (acceptedSeconds: number | null, seconds: number, stamps: readonly Stamp[]) =>
  toWaitWords({
    beganAt,
    stamps,
    acceptedAt: acceptedSeconds === null ? null : after(acceptedSeconds),
    receivedAt: after(seconds),
  });

test("a canary without a delay has no cause of delay", () => {
  expect(wait(0.2, 1.9, [stamp("relay.example", 0)])).toBe(null);
});

test("waiting for the relay to accept, because of a policy server, is measured by Assay", () => {
  // Postfix stamps the message when the session begins, before it asks the policy server.
  for (const stamped of [0, 6])
    expect(wait(6.2, 6.5, [stamp("relay.example", stamped)])).toBe(
      "It waited 6.2 s for the relay to accept it, which includes policy checks and greylisting.",
    );
});

test("a queue is named from the Received headers, in any order", () => {
  const stamps = [stamp("mx.example", 312), stamp("relay.example", 1)];
  for (const some of [stamps, stamps.toReversed()])
    expect(wait(1, 313, some)).toBe("It waited 5 min 11 s at relay.example, according to the Received headers.");
  expect(wait(1, 400, [stamp("relay.example", 1), stamp("mx.example", 2)])).toBe(
    "It waited 6 min 38 s at mx.example, according to the Received headers.",
  );
});

test("the place of a canary's delay is unknown if nothing explains most of it", () => {
  const unknown = expect.stringContaining("Where it waited is unknown");
  expect(wait(null, 60, [])).toEqual(unknown);
  expect(wait(20, 60, [stamp("relay.example", 40)])).toEqual(unknown);
  // A clock that is an hour behind would explain more than there is.
  expect(wait(null, 60, [stamp("mx.example", -3_600), stamp("relay.example", 59)])).toEqual(unknown);
  // One that is ahead explains nothing.
  expect(wait(1, 60, [stamp("relay.example", 3_600)])).toEqual(unknown);
});

test("the time at a relay that accepts late ends when the canary returns", () => {
  expect(wait(30, 10, [])).toContain("It waited 10 s for the relay");
});
