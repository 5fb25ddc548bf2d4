// What strangers' reports, late names and many senders do to what is said of a domain's senders.

import { expect, test } from "vitest";
import { toReverseName } from "../../../src/analyzer/addresses.ts";
import type { ZoneEntry } from "../../../src/analyzer/dns/zone.ts";
import type { ReportedSource } from "../../../src/analyzer/mail/reports/mail-class.ts";
import type { Server } from "../../../src/platform/server.ts";
import { listChores } from "../../../src/server.ts";
import { startHttpWorld } from "../../http/http-world.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;
const plain: ReportedSource = {
  sourceIp: null,
  messages: 1,
  disposition: "none",
  dkimAligned: false,
  spfAligned: false,
  headerFrom: "shop.example",
  dkim: [],
  spf: [],
  reasons: [],
};
const source = (sourceIp: string | null, more: Partial<ReportedSource> = {}): ReportedSource => ({
  ...plain,
  sourceIp,
  ...more,
});
const passing = (domain: string) => [{ domain, scope: "mfrom", result: "pass" }];
const own = source("198.51.100.9", {
  messages: 100,
  dkimAligned: true,
  spfAligned: true,
  spf: passing("shop.example"),
});
const receivers = ["google.com", "microsoft.com"];

const toPtr = (address: string, host: string): Record<string, ZoneEntry> => ({
  [toReverseName(address)]: { PTR: [host] },
  [host]: { A: [address] },
});

type Sender = { key: string; name: string; kind: string; messages: number; needs: string; mark: string | null };
type Coached = { says: string; isSafe: boolean | null; reports: number; sources: Sender[] };
type Standing = { items: { area: string; state: string; says: string }[] };

async function openPlace(domain = "shop.example") {
  const world = await startHttpWorld();
  const { id: workspace } = await world.createWorkspace("Ours");
  const { token } = await world.issueToken(workspace);
  const ask = (method: string, path: string, body?: unknown) => world.ask(method, path, { token, workspace, body });
  const { id } = (await ask("POST", "/api/domains", { domain })).json as { id: string };
  const run = async (name: string) => {
    const chore = listChores(world as unknown as Server).find((one) => one.id === name);
    await chore?.run(new AbortController().signal, (_id, work) => work());
  };
  let number = 0;
  const report = async (sources: readonly ReportedSource[], sender: string | null = null) => {
    const beginsAt = world.clock.nowMs - (world.clock.nowMs % dayMs) - dayMs;
    const fields = { organization: sender ?? "x", reportId: `${number++}`, total: null, failed: null, problem: null };
    await world.receiveNoTest(workspace, {
      sender: { domain: sender, authenticated: sender !== null },
      recognised: {
        kind: "report",
        report: {
          ...fields,
          type: "dmarc",
          domain: "shop.example",
          beginsAt,
          endsAt: beginsAt + 1,
          policy: null,
          sources,
          tlsPolicies: [],
        },
      },
    });
  };
  const days = async (count: number, sources: readonly ReportedSource[]) => {
    for (let day = 0; day < count; day++) {
      world.clock.nowMs += dayMs;
      for (const sender of receivers) await report(sources, sender);
    }
  };
  const get = async <Answer>(path: string) => (await ask("GET", `/api/domains/${id}${path}`)).json as Answer;
  const senders = async () => (await get<{ senders: Sender[] }>("/sources")).senders;
  const standing = async () => (await get<Standing>("/standing")).items.find(({ area }) => area === "senders");
  return { ...world, id, ask, run, report, days, get, senders, standing };
}

test("a stranger's authenticated report doesn't write the standing, and its text is no name", async () => {
  const { days, report, standing, senders } = await openPlace();
  await days(10, [own]);
  const before = await standing();
  expect(before).toMatchObject({ state: "fine", says: expect.stringMatching(/^100\.0% of mail passes DMARC/) });
  const text = "your domain was hacked, call +1 555 0100 now";
  await report([source("203.0.113.66", { messages: 900_000_000, spf: passing(text) })], "stranger.example");
  expect(await standing()).toEqual(before);
  expect((await senders()).map(({ name }) => name)).not.toContain(text);
});

test("a report that names another service for an own server doesn't rename its mail", async () => {
  const { internet, days, report, run, senders } = await openPlace();
  internet.zone = toPtr("198.51.100.9", "mail.shop.example");
  await days(3, [own]);
  await run("reverse names");
  await report([source("198.51.100.9", { spf: passing("sendgrid.net") })]);
  expect((await senders()).map(({ name, messages }) => [name, messages])).toEqual([
    ["Hosts of shop.example", 600],
    ["SendGrid", 1],
  ]);
});

test("addresses of authenticated reports are looked up before those that anyone made up", async () => {
  const { internet, report, run, store, clock } = await openPlace();
  internet.zone = toPtr("198.51.100.9", "o1.sendgrid.net");
  for (let at = 0; at < 3; at++)
    await report(Array.from({ length: 500 }, (_, host) => source(`20.${at}.${host >> 8}.${host & 255}`)));
  await run("reverse names");
  clock.nowMs += minuteMs;
  await report([source("198.51.100.9")], "google.com");
  await run("reverse names");
  const row = store.read.selectFrom("reverse_names").select("host").where("address", "=", "198.51.100.9");
  expect(await row.executeTakeFirst()).toEqual({ host: "o1.sendgrid.net" });
});

test("a name whose forward lookup gets no answer stays, and is asked again within a day", async () => {
  const { internet, report, run, store, clock } = await openPlace();
  const zone = toPtr("203.0.113.1", "o1.sendgrid.net");
  internet.zone = zone;
  await report([source("203.0.113.1")], "google.com");
  await run("reverse names");
  internet.zone = { ...zone, "o1.sendgrid.net": "timeout" };
  clock.nowMs += 15 * dayMs;
  await run("reverse names");
  const row = await store.read.selectFrom("reverse_names").selectAll().executeTakeFirst();
  expect(row).toMatchObject({ host: "o1.sendgrid.net", asked_at: clock.nowMs });
  expect((row?.due_at ?? 0) - clock.nowMs).toBeLessThan(dayMs);
});

test("a new sender that gets its name later has one alert, keeps its mark, and isn't called gone", async () => {
  const { internet, days, run, ask, id, senders } = await openPlace();
  const stranger = source("203.0.113.9", { messages: 100 });
  const told = async () => {
    const { items } = (await ask("GET", "/api/feedback-problems?state=all")).json as {
      items: { kind: string; state: string }[];
    };
    return items.filter(({ kind }) => kind === "new-source").map(({ state }) => state);
  };
  await days(18, [own]);
  await days(2, [own, stranger]);
  await run("feedback");
  expect(await told()).toEqual(["open"]);
  internet.zone = toPtr("203.0.113.9", "o9.sendgrid.net");
  await run("reverse names");
  for (let day = 0; day < 10; day++) {
    await days(1, [own, stranger]);
    await run("feedback");
  }
  expect(await told()).toEqual(["open"]);
  const body = { key: "network:203.0.113.0/24", mark: "ignored" };
  expect((await ask("POST", `/api/domains/${id}/sources/marks`, body)).status).toBe(200);
  expect((await senders()).find(({ key }) => key === "service:SendGrid")?.mark).toBe("ignored");
});

test("an own server and a spoofer at one hosting company are two senders", async () => {
  const { internet, days, run, ask, id, get, senders } = await openPlace();
  const zone = {
    "shop.example": { TXT: ["v=spf1 ip4:198.51.100.9 -all"], MX: [{ preference: 1, exchange: "mx.example" }] },
    "_dmarc.shop.example": { TXT: ["v=DMARC1; p=none; rua=mailto:r@seed.example"] },
    ...toPtr("198.51.100.9", "static.9.100.51.198.clients.your-server.de"),
    ...toPtr("203.0.113.77", "static.77.113.0.203.clients.your-server.de"),
  };
  internet.zone = zone;
  await ask("POST", `/api/domains/${id}/recheck`);
  const spoofer = source("203.0.113.77", { messages: 40 });
  for (let day = 0; day < 25; day++) await days(1, [own, spoofer]);
  await run("feedback");
  await run("reverse names");
  expect((await senders()).map(({ name, needs }) => [name, needs])).toEqual([
    ["Hetzner (198.51.100.0/24)", "nothing"],
    ["Hetzner (203.0.113.0/24)", "find-out"],
  ]);
  await ask("POST", `/api/domains/${id}/sources/marks`, { key: "network:203.0.113.0/24", mark: "ignored" });
  expect((await get<Coached>("/policy-coach")).sources.map(({ name }) => name)).toEqual([
    "Hetzner (198.51.100.0/24)",
    "Hetzner (203.0.113.0/24)",
  ]);
  expect((await senders()).map(({ mark }) => mark)).toEqual([null, "ignored"]);
});

test("only a key that a sender can have can be marked", async () => {
  const { report, ask, id } = await openPlace();
  await report([source("203.0.113.9", { spf: passing("u1.sendgrid.net") })]);
  const mark = async (key: string) =>
    (await ask("POST", `/api/domains/${id}/sources/marks`, { key, mark: "approved" })).status;
  expect(await mark("service:Sendgrid")).toBe(404);
  for (const key of ["network:203.0.113.0/25", "network:x", "domain:www.example.com", "constructor:name"])
    expect([key, await mark(key)]).toEqual([key, 404]);
  for (const key of ["service:SendGrid", "network:203.0.113.0/24", "network:2001:db8:1::/48", "domain:example.com"])
    expect([key, await mark(key)]).toEqual([key, 200]);
});

test("the CSV has each address with its sender, and what has no address in its last row", async () => {
  const { report, ask, id, get } = await openPlace();
  const many = Array.from({ length: 450 }, (_, at) =>
    source(`20.0.${at >> 8}.${at & 255}`, { messages: 1_000 - at, spf: passing(`d${at}.example`) }),
  );
  await report(many);
  await report([source(null, { messages: 5_000_000 })]);
  const lines = (await ask("GET", `/api/domains/${id}/sources.csv`)).text.trim().split("\r\n");
  expect(lines).toHaveLength(1 + 450 + 1);
  expect(lines[300]).toMatch(/^d299\.example,domain:d299\.example,unknown,spf,/);
  expect(lines.at(-1)).toMatch(/^\(others\),.*,5000000,0,/);
  expect(await get("/sources")).toMatchObject({ allSenders: 450 });
});

test("a sparkline counts the same messages as its row", async () => {
  const { report, get, senders } = await openPlace();
  await report([
    source("203.0.113.9", { messages: 120, spf: passing("a.example") }),
    source("203.0.113.9", { messages: 100, spf: passing("b.example") }),
    source("203.0.113.9", { messages: 500 }),
  ]);
  const { items } = await get<{ items: { key: string; messages: number[] }[] }>("/sources/trends");
  const sums = items.map(({ key, messages }) => [key, messages.reduce((sum, each) => sum + each, 0)]);
  expect(new Map(sums as [string, number][])).toEqual(
    new Map((await senders()).map(({ key, messages }) => [key, messages])),
  );
});

test("reports about a parent domain count for a monitored subdomain", async () => {
  const { days, get } = await openPlace("mail.shop.example");
  await days(5, [source("203.0.113.9", { headerFrom: "mail.shop.example", messages: 100, dkimAligned: true })]);
  expect(await get<Coached>("/policy-coach")).toMatchObject({ reports: 10 });
});
