import { describe, expect, test } from "vitest";
import { createRateLimit } from "../../../src/platform/http/rate-limit.ts";
import { type HttpWorldOptions, startHttpWorld } from "../../http/http-world.ts";

const byProxy = { trustedProxies: ["127.0.0.1/32"] };

async function worldOfStrangers(options?: HttpWorldOptions) {
  const world = await startHttpWorld(options);
  const logIn = (from?: string) =>
    world.ask("POST", "/api/auth/login", {
      body: { email: "ann@people.example", password: "wrong horse battery" },
      ...(from === undefined ? {} : { headers: { "x-forwarded-for": from } }),
    });
  return { ...world, logIn };
}

describe("the rate limit of /api/auth/", () => {
  test("the rate limit of /api/auth/ allows 30 requests within 60 seconds from one IP, and then sends Retry-After", async () => {
    const { logIn, clock } = await worldOfStrangers();
    for (let count = 0; count < 30; count++) {
      expect((await logIn()).status).toBe(401);
      clock.nowMs += 1_000;
    }
    const refused = await logIn();
    expect(refused.status).toBe(429);
    expect(refused.json.error).toBe("rate_limited");
    expect(refused.headers.get("retry-after")).toBe("30");
    clock.nowMs += 29_999;
    expect((await logIn()).headers.get("retry-after")).toBe("1");
    clock.nowMs += 1;
    expect((await logIn()).status).toBe(401);
    expect((await logIn()).status).toBe(429);
  });

  test("the rate limit of /api/auth/ counts every request there, even to unknown paths, and no others", async () => {
    const { ask, logIn } = await worldOfStrangers();
    const asked: [string, string][] = [
      ["POST", "/api/auth/setup"],
      ["POST", "/api/auth/logout"],
      ["POST", "/api/auth/password"],
      ["POST", "/api/auth/invite/accept"],
      ["GET", "/api/auth/login"],
      ["GET", "/api/auth/nothing"],
    ];
    for (let round = 0; round < 5; round++) for (const [method, path] of asked) await ask(method, path);
    expect((await logIn()).status).toBe(429);
    for (const [method, path] of asked) expect((await ask(method, path)).status).toBe(429);
    expect((await ask("GET", "/api/me")).status).toBe(401);
    expect((await ask("GET", "/healthz")).status).toBe(200);
  });

  test("the rate limit of /api/auth/ does not affect other IPs, and counts an IPv6 /64 as one", async () => {
    const { logIn } = await worldOfStrangers(byProxy);
    for (let count = 0; count < 30; count++) {
      await logIn("203.0.113.9");
      await logIn(`2001:db8::${count + 1}`);
    }
    expect((await logIn("203.0.113.9")).status).toBe(429);
    expect((await logIn("203.0.113.10")).status).toBe(401);
    expect((await logIn("2001:db8::ffff:1")).status).toBe(429);
    expect((await logIn("2001:db8:0:1::1")).status).toBe(401);
  });

  test("the rate limit of /api/auth/ ignores a forged X-Forwarded-For", async () => {
    const { logIn } = await worldOfStrangers();
    for (let count = 0; count < 30; count++) await logIn(`203.0.113.${count}`);
    expect((await logIn("203.0.113.99")).status).toBe(429);
  });

  test("the rate limit of /api/auth/ ignores an X-Forwarded-For that is forged before a trusted proxy", async () => {
    const { logIn } = await worldOfStrangers(byProxy);
    for (let count = 0; count < 30; count++) await logIn(`198.51.100.${count}, 203.0.113.9`);
    expect((await logIn("198.51.100.99, 203.0.113.9")).status).toBe(429);
  });
});

describe("a rate limit", () => {
  function limitAt(clock: { nowMs: number }) {
    return createRateLimit({ requests: 2, windowMs: 1_000, now: () => clock.nowMs });
  }

  test("a rate limit holds for any window of its length", () => {
    const clock = { nowMs: 0 };
    const take = limitAt(clock);
    take("192.0.2.1");
    clock.nowMs = 900;
    take("192.0.2.1");
    clock.nowMs = 1_000;
    take("192.0.2.1");
    clock.nowMs = 1_500;
    expect(() => take("192.0.2.1")).toThrow("At most 2");
    clock.nowMs = 1_900;
    take("192.0.2.1");
  });

  test("a rate limit never blocks a client longer because the clock was set back", () => {
    const clock = { nowMs: 3_600_000 };
    const take = limitAt(clock);
    take("192.0.2.1");
    take("192.0.2.1");
    clock.nowMs = 0;
    take("192.0.2.1");
  });

  test("a rate limit stores a limited number of clients, the most recent ones", () => {
    const clock = { nowMs: 0 };
    const take = limitAt(clock);
    take("192.0.2.1");
    take("192.0.2.1");
    for (let count = 0; count < 20_000; count++) take(`10.${count >> 14}.${(count >> 7) & 127}.${count & 127}`);
    take("192.0.2.1");
    take("10.1.28.31");
    expect(() => take("10.1.28.31")).toThrow("At most 2");
  });
});
