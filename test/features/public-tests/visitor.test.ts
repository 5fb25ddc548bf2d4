// A visitor without an account: an address, one message, its report, and its end.

import { type Challenge, solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/web/pbkdf2";
import { describe, expect, test } from "vitest";
import { createPublicChore } from "../../../src/features/public-tests/work/tidy.ts";
import { serveOrThrow } from "../../../src/platform/work/serve-row.ts";
import { hourMs, openPublic, ordinary, pasted } from "./public-world.ts";

const never = new AbortController().signal;

describe("a visitor's test", () => {
  test("a visitor gets an address, sends one message, reads its report, and deletes it", async () => {
    const { open, stateOf, send, analyzeAll, visit, store } = await openPublic();
    const { path, address } = await open();
    expect(path).toMatch(/^\/test\/[\w-]{43}$/);
    expect(address).toMatch(/^test-[a-z2-7]{16}@seed\.example$/);
    expect(await stateOf(path)).toBe("waiting");
    expect(await send(address)).toBe("kept");
    expect(await stateOf(path)).toBe("analyzing");
    expect((await visit("GET", path)).page).toContain("Your message arrived");
    await analyzeAll();
    expect(await stateOf(path)).toBe("ready");
    const { page, headers } = await visit("GET", path);
    expect(page).toContain("Spring sale");
    expect(page).toContain("Delete this report");
    expect(headers.get("set-cookie")).toBeNull();
    expect(headers.get("x-robots-tag")).toContain("noindex");
    const { report } = JSON.parse((await visit("GET", `${path}.json`)).page);
    expect(report).toMatchObject({ subject: "Spring sale", composite: expect.any(Number) });
    expect((await visit("GET", `${path}/message`)).page).toContain("Everything is cheaper.");
    expect((await visit("POST", `${path}/delete`)).page).toContain("are deleted");
    for (const gone of [path, `${path}.json`, `${path}/message`, `${path}/state`])
      expect((await visit("GET", gone)).status).toBe(404);
    expect((await visit("GET", path)).page).toContain("This report was deleted");
    expect(await store.read.selectFrom("tests").select("id").execute()).toEqual([]);
  });

  test("the report of a visitor's test hides its address, and says whose page it is", async () => {
    const { open, send, analyzeAll, visit, publicDoor } = await openPublic();
    await publicDoor.changePage({ name: "Example <Hosting>" });
    const { path, address } = await open();
    await send(address, undefined, `To: ${address}\r\n${ordinary}`);
    await analyzeAll();
    for (const shown of [path, `${path}.json`, `${path}/message`])
      expect((await visit("GET", shown)).page).not.toContain(address);
    expect((await visit("GET", path)).page).toContain("Example &lt;Hosting");
  });

  test("a pasted message is tested like one that came by mail", async () => {
    const { visit, analyzeAll } = await openPublic();
    const answer = await visit("POST", "/test/message", pasted(ordinary));
    expect(answer.status).toBe(302);
    await analyzeAll();
    expect((await visit("GET", answer.headers.get("location") ?? "")).page).toContain("Spring sale");
  });

  test("a message that is too large to paste is refused in words for its visitor", async () => {
    const { visit } = await openPublic();
    const { status, page } = await visit("POST", "/test/message", pasted(ordinary.padEnd(5_100_000, "x")));
    expect([status, page]).toEqual([413, expect.stringContaining("larger than 5 MB. Get a test address")]);
  });

  test("a bounce at a test address gets a page that says that it is no test", async () => {
    const { open, send, analyzeAll, visit, stateOf, store } = await openPublic();
    const { path, address } = await open();
    await send(
      address,
      undefined,
      "From: a@b.example\r\nAuto-Submitted: auto-replied\r\nSubject: Away\r\n\r\nAway.\r\n",
    );
    await analyzeAll();
    expect(await stateOf(path)).toBe("over");
    expect((await visit("GET", path)).page).toContain("No report");
    await visit("POST", `${path}/delete`);
    expect(await store.read.selectFrom("tests").select("id").execute()).toEqual([]);
  });
});

describe("an address of the public page", () => {
  test("an address takes one message and refuses the second, also at the same time", async () => {
    const { open, send, store } = await openPublic();
    const { address } = await open();
    const outcomes = await Promise.all([send(address), send(address), send(address)]);
    expect(outcomes.toSorted()).toEqual([
      "This address has already received its message.",
      "This address has already received its message.",
      "kept",
    ]);
    expect(await send(address)).toBe("spent");
    expect(await store.read.selectFrom("tests").select("id").execute()).toHaveLength(1);
  });

  test("an address takes its message however the sender writes it", async () => {
    const { open, send } = await openPublic();
    const write = async (form: (name: string, domain: string) => string) => {
      const [name = "", domain = ""] = (await open()).address.split("@");
      return await send(form(name, domain));
    };
    expect(await write((name, domain) => `${name}@${domain}`.toUpperCase())).toBe("kept");
    expect(await write((name, domain) => `"${name}"@${domain}`)).toBe("kept");
    expect(await write((name, domain) => `${name}+news@${domain}.`)).toBe("kept");
  });

  test("an address takes nothing after an hour, and its page says so", async () => {
    const { open, send, clock, visit } = await openPublic();
    const { address, path } = await open();
    clock.nowMs += hourMs;
    expect(await send(address)).toBe("unknown");
    expect((await visit("GET", path)).page).toContain("No message came");
  });

  test("a client that sends too much to test addresses is deferred at RCPT", async () => {
    const { open, route } = await openPublic();
    const { address } = await open();
    const outcomes = new Set<string>();
    for (let count = 0; count < 121; count++) outcomes.add((await route(address, "203.0.113.1")).outcome);
    expect([...outcomes]).toEqual(["taken", "slowed"]);
    expect((await route(address, "203.0.113.2")).outcome).toBe("taken");
  });

  test("while too many messages of visitors wait, their mail is deferred, and no address is given", async () => {
    const { open, send, clock } = await openPublic();
    const { address: last } = await open();
    for (let count = 0; count < 100; count++) {
      await send((await open()).address, `203.0.113.${count}`);
      clock.nowMs += 3_000;
    }
    expect(await send(last)).toBe("crowded");
    expect(await open()).toMatchObject({ status: 503, trouble: expect.stringContaining("Try again in a minute") });
  });
});

describe("limits of the public page", () => {
  test("a network gets 20 addresses an hour, then an answer that says when to come again", async () => {
    const { open, clock } = await openPublic();
    const client = "2001:db8:1:2::1";
    for (let count = 0; count < 20; count++) expect((await open({ client })).status).toBe(302);
    const { status, headers, trouble } = await open({ client: "2001:db8:1:2:ffff::9" });
    expect([status, headers.get("retry-after")]).toEqual([429, "3600"]);
    expect(trouble).toContain("Too many tests from your network. Try again in 60 minutes.");
    expect((await open({ client: "2001:db8:1:3::1" })).status).toBe(302);
    clock.nowMs += hourMs;
    expect((await open({ client })).status).toBe(302);
  });

  test("while the page is busy, a browser proves its work once for each address, and no longer afterwards", async () => {
    const { open, visit, clock } = await openPublic();
    const ask = async () => JSON.parse((await visit("GET", "/test/challenge")).page).challenge as Challenge | null;
    expect(await ask()).toBeNull();
    for (let count = 0; count <= 60; count++) await open();
    const challenge = await ask();
    if (challenge === null) throw new Error("The page isn't busy.");
    expect(await open()).toMatchObject({ status: 503, trouble: expect.stringContaining("your browser must compute") });
    const solution = await solveChallenge({ challenge, deriveKey });
    const toBody = (given: object) => new URLSearchParams({ proof: btoa(JSON.stringify(given)) }).toString();
    expect((await open({ body: toBody({ challenge, solution: { ...solution, derivedKey: "00ff" } }) })).status).toBe(
      503,
    );
    expect((await open({ body: toBody({ challenge, solution }) })).status).toBe(302);
    expect((await open({ body: toBody({ challenge, solution }) })).status).toBe(503);
    clock.nowMs += 60_000;
    expect(await ask()).toBeNull();
    expect((await open()).status).toBe(302);
  });

  test("one network alone cannot make the page busy for everyone", async () => {
    const { open, publicDoor } = await openPublic();
    for (let count = 0; count < 100; count++) await open({ client: "203.0.113.5" });
    expect(publicDoor.needsProof()).toBe(false);
  });

  test("once its space is taken, the page says when there is room again", async () => {
    const { open, send, publicDoor, clock } = await openPublic();
    await publicDoor.changePage({ mostMegabytes: 10, keepDays: 2 });
    const { address } = await open();
    await send(address, undefined, `${ordinary}${"x".repeat(76)}\r\n`.concat("y".repeat(90_000)));
    for (let count = 0; count < 100; count++) {
      const next = await open();
      await send(next.address, `198.18.0.${count}`, ordinary.concat("z".repeat(99_000)));
      clock.nowMs += 3_000;
    }
    const { status, trouble } = await open();
    expect([status, trouble]).toEqual([503, expect.stringContaining("All space for public tests is taken.")]);
    expect(trouble).toContain("Try again in 48 hours.");
  });
});

test("a message of 7 MB is kept a seventh of the days, so that a few large ones can't close the page for long", async () => {
  const { open, send, visit, clock } = await openPublic();
  const { address, path } = await open();
  await send(address, undefined, `${ordinary}${"x".repeat(76)}\r\n`.padEnd(7_000_000, `${"y".repeat(76)}\r\n`));
  clock.nowMs += 23 * hourMs;
  expect((await visit("GET", path)).status).toBe(200);
  clock.nowMs += 2 * hourMs;
  expect((await visit("GET", path)).status).toBe(404);
});

test("reports are deleted when their days are over, and addresses when their hour is", async () => {
  const { open, send, analyzeAll, clock, store, ...server } = await openPublic();
  const chore = createPublicChore({ ...server, store } as unknown as Parameters<typeof createPublicChore>[0]);
  const { address, path } = await open();
  await open();
  await send(address);
  await analyzeAll();
  clock.nowMs += 3 * hourMs;
  await chore.run(never, serveOrThrow);
  const list = () => store.read.selectFrom("public_tests").select("test_id").execute();
  expect(await list()).toEqual([{ test_id: expect.any(String) }]);
  clock.nowMs += 7 * 24 * hourMs;
  expect((await server.visit("GET", path)).status).toBe(404);
  await chore.run(never, serveOrThrow);
  expect(await list()).toEqual([]);
  expect(await store.read.selectFrom("tests").select("id").execute()).toEqual([]);
});

test("with the setting off, no path of the public page answers, and its addresses are unknown", async () => {
  const on = await openPublic();
  const { path, address } = await on.open();
  Object.assign(on.config, { publicTests: "off" });
  for (const [method, at] of [
    ["GET", "/test"],
    ["POST", "/test"],
    ["POST", "/test/message"],
    ["GET", "/test/challenge"],
    ["GET", "/test/files/page.js"],
    ["GET", "/test/files/widget.js"],
    ["GET", path],
    ["GET", `${path}.json`],
    ["GET", `${path}/state`],
    ["GET", `${path}/message`],
    ["POST", `${path}/delete`],
  ] as const)
    expect([
      at,
      (
        await on.visit(method, at, {
          headers: {
            accept: "*/*",
            "content-type": at === "/test/message" ? "message/rfc822" : "application/x-www-form-urlencoded",
          },
        })
      ).status,
    ]).toEqual([at, 404]);
  expect(await on.send(address)).toBe("unknown");
});
