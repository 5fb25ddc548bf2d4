import { describe, expect, test } from "vitest";
import { type ClientLimits, createClients, type Entrance } from "../../../../src/features/intake/smtp/clients.ts";

const clock = { nowMs: 0 };

function clientsWith(limits: Partial<ClientLimits>) {
  clock.nowMs = Date.UTC(2026, 0, 1);
  return createClients({
    maxClients: 100,
    maxClientsPerAddress: 2,
    maxClientsPerNetwork: 50,
    maxMessagesPerMinute: 0,
    isExempt: () => false,
    now: () => clock.nowMs,
    ...limits,
  });
}

function leave(entrance: Entrance): void {
  if (entrance.ok) entrance.leave();
}

/** How many of this many tries were allowed. */
function countAllowed(tries: number, isAllowed: () => boolean): number {
  return Array.from({ length: tries }, isAllowed).filter(Boolean).length;
}

const fromYou = { ok: false, why: "tooManyFromYou" };

describe("limits of connections", () => {
  test.each([
    ["one IPv4 address", "192.0.2.1", "192.0.2.1", "192.0.2.2"],
    ["an IPv4 address, mapped or not", "192.0.2.1", "::ffff:192.0.2.1", "::ffff:192.0.2.2"],
    ["an IPv6 /64", "2001:db8:0:1::1", "2001:db8:0:1:ffff::2", "2001:db8:0:2::1"],
  ])("limits of connections count by %s", (_what, first, same, other) => {
    const clients = clientsWith({});
    expect(clients.enter(first).ok).toBe(true);
    expect(clients.enter(same).ok).toBe(true);
    expect(clients.enter(first)).toMatchObject(fromYou);
    expect(clients.enter(same)).toMatchObject(fromYou);
    expect(clients.enter(other).ok).toBe(true);
  });

  test("limits of connections allow one more when a connection ends, and only one", () => {
    const clients = clientsWith({});
    const first = clients.enter("192.0.2.1");
    clients.enter("192.0.2.1");
    leave(first);
    leave(first);
    expect(clients.enter("192.0.2.1").ok).toBe(true);
    expect(clients.enter("192.0.2.1")).toMatchObject(fromYou);
  });

  test("limits of connections apply to all clients together", () => {
    const clients = clientsWith({ maxClients: 3, isExempt: (address) => address === "192.0.2.9" });
    const entered = ["192.0.2.9", "192.0.2.2", "192.0.2.9"].map(clients.enter);
    expect(entered.every(({ ok }) => ok)).toBe(true);
    expect(clients.enter("192.0.2.9")).toMatchObject({ ok: false, why: "tooMany" });
    for (const entrance of entered) leave(entrance);
    expect(clients.enter("192.0.2.9").ok).toBe(true);
  });

  test("limits of connections per IP do not apply to an exempt address", () => {
    const clients = clientsWith({ isExempt: (address) => address === "192.0.2.1" });
    expect(countAllowed(50, () => clients.enter("192.0.2.1").ok)).toBe(50);
  });

  test("limits of connections do not count rejected connections", () => {
    const clients = clientsWith({ maxClients: 2, maxClientsPerAddress: 1 });
    const first = clients.enter("192.0.2.1");
    expect(countAllowed(50, () => clients.enter("192.0.2.1").ok)).toBe(0);
    expect(clients.enter("192.0.2.2").ok).toBe(true);
    leave(first);
    expect(clients.enter("192.0.2.1").ok).toBe(true);
  });
});

describe("limits of messages", () => {
  test("limits of messages are off if set to 0", () => {
    const clients = clientsWith({ maxMessagesPerMinute: 0 });
    expect(countAllowed(1_000, () => clients.mayDeliver("192.0.2.1"))).toBe(1_000);
  });

  test("limits of messages allow a minute's messages at once, then as the allowance refills", () => {
    const clients = clientsWith({ maxMessagesPerMinute: 60 });
    const countNow = () => countAllowed(200, () => clients.mayDeliver("192.0.2.1"));
    expect(countNow()).toBe(60);
    clock.nowMs += 500;
    expect(countNow()).toBe(0);
    clock.nowMs += 500;
    expect(countNow()).toBe(1);
    clock.nowMs += 3_600_000;
    expect(countNow()).toBe(60);
  });

  test("limits of messages count by client, with an IPv6 /64 together", () => {
    const clients = clientsWith({ maxMessagesPerMinute: 1 });
    expect(clients.mayDeliver("2001:db8:0:1::1")).toBe(true);
    expect(clients.mayDeliver("2001:db8:0:1::2")).toBe(false);
    expect(clients.mayDeliver("2001:db8:0:2::1")).toBe(true);
  });

  test("limits of messages do not apply to an exempt address", () => {
    const clients = clientsWith({ maxMessagesPerMinute: 1, isExempt: (address) => address === "192.0.2.1" });
    expect(countAllowed(50, () => clients.mayDeliver("192.0.2.1"))).toBe(50);
  });

  test("limits of messages never block after the clock was set back", () => {
    const clients = clientsWith({ maxMessagesPerMinute: 2 });
    expect(clients.mayDeliver("192.0.2.1")).toBe(true);
    clock.nowMs -= 3_600_000;
    expect(clients.mayDeliver("192.0.2.1")).toBe(true);
    clock.nowMs += 60_000;
    expect(clients.mayDeliver("192.0.2.1")).toBe(true);
  });

  test("limits of messages are stored only for the most recent of very many clients", () => {
    const clients = clientsWith({ maxMessagesPerMinute: 1 });
    const nth = (n: number) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
    for (let n = 0; n < 30_000; n++) clients.mayDeliver(nth(n));
    expect(clients.mayDeliver(nth(29_999))).toBe(false);
    expect(clients.mayDeliver(nth(0))).toBe(true);
  });
});
