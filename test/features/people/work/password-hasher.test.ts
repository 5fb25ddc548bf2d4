import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { hashCost, parsePhcString } from "../../../../src/features/people/rules/passwords.ts";
import { createPasswordHasher } from "../../../../src/features/people/work/password-hasher.ts";

const cheap = { memoryKib: 64, passes: 1, lanes: 1 };

test("a password matches only its own hash", async () => {
  const { hash, verify } = createPasswordHasher(randomBytes, cheap);
  const kept = await hash("lamp quarrel tundra");
  expect(kept).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(await verify("lamp quarrel tundra", kept)).toEqual({ fits: true, isOutdated: false });
  expect((await verify("lamp quarrel tundrA", kept)).fits).toBe(false);
  expect(await hash("lamp quarrel tundra")).not.toBe(kept);
});

test("the hash has the cost that OWASP recommends", async () => {
  const { hash } = createPasswordHasher(randomBytes);
  expect(parsePhcString(await hash("lamp quarrel tundra"))?.cost).toEqual(hashCost);
  expect(hashCost).toEqual({ memoryKib: 19_456, passes: 2, lanes: 1 });
});

test("a hash of the reference implementation is accepted", async () => {
  // argon2 somesalt01234567 -id -t 2 -k 64 -p 1 -l 32 -e
  const kept = "$argon2id$v=19$m=64,t=2,p=1$c29tZXNhbHQwMTIzNDU2Nw$JoMiyjRCUIWvXDqu8+pBQluVsu/bsDDo4wW2pyL/ifk";
  const { verify } = createPasswordHasher(randomBytes, cheap);
  expect((await verify("lamp quarrel tundra", kept)).fits).toBe(true);
});

test("a hash with another cost is accepted and marked for renewal", async () => {
  const kept = await createPasswordHasher(randomBytes, { ...cheap, passes: 2 }).hash("lamp quarrel tundra");
  const { verify } = createPasswordHasher(randomBytes, cheap);
  expect(await verify("lamp quarrel tundra", kept)).toEqual({ fits: true, isOutdated: true });
});

test.each(["", "x", "$argon2id$v=19$m=64,t=1,p=1$$", "$2b$10$abcdefghijklmnopqrstuv"])(
  "the invalid hash %j matches no password",
  async (kept) => {
    const { verify } = createPasswordHasher(randomBytes, cheap);
    for (const password of ["", "lamp quarrel tundra"]) expect((await verify(password, kept)).fits).toBe(false);
  },
);

test("the last requests in a long queue are rejected", async () => {
  const { hash } = createPasswordHasher(randomBytes, { memoryKib: 4_096, passes: 2, lanes: 1 });
  const outcomes = await Promise.allSettled(Array.from({ length: 40 }, (_, index) => hash(`password ${index}`)));
  const refused = outcomes.filter(({ status }) => status === "rejected");
  expect(outcomes.length - refused.length).toBe(20);
  for (const { reason } of refused as PromiseRejectedResult[])
    expect(reason).toMatchObject({ code: "overloaded", details: { retryAfterSeconds: 5 } });
});
