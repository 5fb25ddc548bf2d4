import { expect, test } from "vitest";
import type { Preparation } from "../../../../src/features/intake/rules/answers.ts";
import { createPreparations } from "../../../../src/features/rehearsal/work/preparations.ts";

function preparation(rehearsalId: string): Preparation {
  return { workspaceId: "wsp_a", rehearsalId, address: "x+probe-no-tls@seed.example", special: { kind: "no-tls" } };
}

const from = (address: string, helo = "client.example") => ({ address, helo });

function open() {
  const clock = { now: 0 };
  return { clock, preparations: createPreparations(() => clock.now) };
}

test("a prepared connection is for one client or its IPv6 network", () => {
  const { preparations } = open();
  preparations.add(from("2001:db8::1"), preparation("tst_1"));
  expect(preparations.take(from("2001:db8:0:1::1"))).toBeNull();
  expect(preparations.take(from("2001:db8::2"))).toMatchObject({ rehearsalId: "tst_1" });
  expect(preparations.take(from("2001:db8::2"))).toBeNull();
});

test("a prepared connection expires", () => {
  const { clock, preparations } = open();
  preparations.add(from("192.0.2.1"), preparation("tst_1"));
  clock.now = 7_200_000;
  expect(preparations.take(from("192.0.2.1"))).toBeNull();
});

test("a prepared connection is dropped after three connections for other mail", () => {
  const { clock, preparations } = open();
  preparations.add(from("192.0.2.1"), preparation("tst_1"));
  for (let times = 0; times < 3; times++) {
    const taken = preparations.take(from("192.0.2.1"));
    expect(taken).not.toBeNull();
    if (taken) preparations.putBack(from("192.0.2.1"), taken, true);
    clock.now += 900_000;
  }
  expect(preparations.take(from("192.0.2.1"))).toBeNull();
});

test("at most eight prepared connections wait per client, for at most a thousand clients", () => {
  const { preparations } = open();
  for (let index = 0; index < 20; index++) {
    preparations.add(from("192.0.2.1"), preparation(`tst_${index}`));
    preparations.add(from("192.0.2.1"), preparation(`tst_${index}`));
  }
  let count = 0;
  while (preparations.take(from("192.0.2.1"))) count++;
  expect(count).toBe(8);
  for (let index = 0; index < 1_200; index++)
    preparations.add(from(`10.0.${index >> 8}.${index & 255}`), preparation(`tst_${index}`));
  expect(preparations.take(from("10.0.0.1"))).not.toBeNull();
  expect(preparations.take(from("10.0.4.100"))).toBeNull();
});

test("a prepared connection is not used for another server with the same IP", () => {
  const { preparations } = open();
  preparations.add(from("192.0.2.1"), preparation("tst_1"));
  expect(preparations.take(from("192.0.2.1", "other.example"))).toBeNull();
  expect(preparations.take(from("192.0.2.1", "CLIENT.example"))).toMatchObject({ rehearsalId: "tst_1" });
});

test("a prepared connection stays for the next one if other mail was accepted, up to three times", () => {
  const { preparations } = open();
  preparations.add(from("192.0.2.1"), preparation("tst_1"));
  for (let times = 0; times < 3; times++) {
    expect(preparations.quietUntil(from("192.0.2.1"))).toBeNull();
    const taken = preparations.take(from("192.0.2.1"));
    expect(taken).not.toBeNull();
    if (taken) preparations.putBack(from("192.0.2.1"), taken, false);
  }
  expect(preparations.take(from("192.0.2.1"))).toBeNull();
  expect(preparations.quietUntil(from("192.0.2.1"))).toBe(900_000);
});

test("no prepared connection is used for a while after other mail was deferred", () => {
  const { clock, preparations } = open();
  for (const name of ["tst_1", "tst_2"]) preparations.add(from("192.0.2.1"), preparation(name));
  const taken = preparations.take(from("192.0.2.1"));
  if (taken) preparations.putBack(from("192.0.2.1"), taken, true);
  expect(preparations.quietUntil(from("192.0.2.1"))).toBe(900_000);
  preparations.add(from("192.0.2.1"), preparation("tst_3"));
  clock.now += 899_999;
  expect(preparations.take(from("192.0.2.1"))).toBeNull();
  clock.now += 1;
  expect(preparations.take(from("192.0.2.1"))).not.toBeNull();
});
