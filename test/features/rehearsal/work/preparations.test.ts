import { expect, test } from "vitest";
import { createPreparations, type Preparation } from "../../../../src/features/rehearsal/work/preparations.ts";

function preparation(rehearsalId: string): Preparation {
  return { workspaceId: "wsp_a", rehearsalId, address: "x+probe-no-tls@seed.example", special: { kind: "no-tls" } };
}

const from = (address: string, helo = "client.example") => ({ address, helo });

function open() {
  const clock = { now: 0 };
  return { clock, preparations: createPreparations(() => clock.now) };
}

test("is for one connection of that client, or of its IPv6 network", () => {
  const { preparations } = open();
  preparations.add(from("2001:db8::1"), preparation("tst_1"));
  expect(preparations.take(from("2001:db8:0:1::1"))).toBeNull();
  expect(preparations.take(from("2001:db8::2"))).toMatchObject({ rehearsalId: "tst_1" });
  expect(preparations.take(from("2001:db8::2"))).toBeNull();
});

test("expires", () => {
  const { clock, preparations } = open();
  preparations.add(from("192.0.2.1"), preparation("tst_1"));
  clock.now = 7_200_000;
  expect(preparations.take(from("192.0.2.1"))).toBeNull();
});

test("is given up after three connections for other mail", () => {
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

test("at most eight wait for a client, one for each message, and a thousand clients", () => {
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

test("is not for another server behind the same address", () => {
  const { preparations } = open();
  preparations.add(from("192.0.2.1"), preparation("tst_1"));
  expect(preparations.take(from("192.0.2.1", "other.example"))).toBeNull();
  expect(preparations.take(from("192.0.2.1", "CLIENT.example"))).toMatchObject({ rehearsalId: "tst_1" });
});

test("stays for the next connection if other mail was accepted, but not more than three times", () => {
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

test("after other mail was deferred, no connection is special for a while, however many are prepared", () => {
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
