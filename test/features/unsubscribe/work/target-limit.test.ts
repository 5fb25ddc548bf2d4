import { expect, test } from "vitest";
import { createTargetLimit } from "../../../../src/features/unsubscribe/work/target-limit.ts";

function open() {
  const clock = { now: 1_000_000 };
  const limit = createTargetLimit(() => clock.now);
  const isFree = (host: string, mailbox: string | null = null) => {
    try {
      limit.enter({ host, mailbox });
      return true;
    } catch {
      return false;
    }
  };
  return { clock, isFree };
}

test("a host and its subdomains get at most twenty requests a minute", () => {
  const { clock, isFree } = open();
  for (let count = 0; count < 20; count++) expect(isFree(`a${count}.victim.example`)).toBe(true);
  expect(isFree("victim.example")).toBe(false);
  expect(isFree("other.example")).toBe(true);
  clock.now += 60_000;
  expect(isFree("victim.example")).toBe(true);
});

test("a mailbox gets at most ten an hour, in any spelling", () => {
  const { clock, isFree } = open();
  for (let count = 0; count < 10; count++) {
    expect(isFree("victim.example", count % 2 === 0 ? "ann@victim.example" : "ANN@victim.example")).toBe(true);
    clock.now += 60_000;
  }
  expect(isFree("victim.example", "ann@victim.example")).toBe(false);
  expect(isFree("victim.example", "bob@victim.example")).toBe(true);
});

test("a clock that was set back does not block a target", () => {
  const { clock, isFree } = open();
  for (let count = 0; count < 20; count++) isFree("victim.example");
  clock.now -= 500_000;
  expect(isFree("victim.example")).toBe(true);
});
