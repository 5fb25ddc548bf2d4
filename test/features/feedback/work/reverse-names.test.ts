import { expect, test } from "vitest";
import { toReverseName } from "../../../../src/analyzer/addresses.ts";
import type { ReportedSource } from "../../../../src/analyzer/mail/reports/mail-class.ts";
import type { SenderKind } from "../../../../src/analyzer/reports/seen-senders.ts";
import { noteSenders, type SenderNote } from "../../../../src/features/domains/rows/seen-senders.ts";
import type { Server } from "../../../../src/platform/server.ts";
import { listChores } from "../../../../src/server.ts";
import { startHttpWorld } from "../../../http/http-world.ts";

const dayMs = 86_400_000;

const source = (sourceIp: string, messages = 1): ReportedSource => ({
  sourceIp,
  messages,
  disposition: "none",
  dkimAligned: false,
  spfAligned: false,
  headerFrom: "shop.example",
  dkim: [],
  spf: [],
  reasons: [],
});

async function openPlace() {
  const world = await startHttpWorld();
  const { id: workspace } = await world.createWorkspace("Ours");
  const { token } = await world.issueToken(workspace);
  const monitor = (domain: string) => world.ask("POST", "/api/domains", { token, workspace, body: { domain } });
  await monitor("shop.example");
  const run = async (id = "reverse names") => {
    const chore = listChores(world as unknown as Server).find((one) => one.id === id);
    await chore?.run(new AbortController().signal, (_id, work) => work());
  };
  await run("feedback");
  let number = 0;
  const report = async (sources: readonly ReportedSource[], domain = "shop.example") => {
    const beginsAt = world.clock.nowMs - (world.clock.nowMs % dayMs) - dayMs;
    const fields = { organization: "Receiver", reportId: `${number++}`, total: null, failed: null, problem: null };
    await world.receiveNoTest(workspace, {
      recognised: {
        kind: "report",
        report: {
          type: "dmarc",
          ...fields,
          domain,
          beginsAt,
          endsAt: beginsAt + 1,
          policy: null,
          sources,
          tlsPolicies: [],
        },
      },
    });
  };
  const names = async () => {
    const rows = await world.store.read.selectFrom("reverse_names").selectAll().orderBy("address").execute();
    return new Map(rows.map((row) => [row.address, row]));
  };
  return { ...world, workspace, token, run, report, names };
}

test("keeps a name that leads back to the address, also in IPv6, and no other", async () => {
  const { internet, report, run, names } = await openPlace();
  internet.zone = {
    [toReverseName("203.0.113.1")]: { PTR: ["o1.esp.example"] },
    "o1.esp.example": { A: ["203.0.113.1"] },
    [toReverseName("203.0.113.2")]: { PTR: ["o2.sendgrid.net"] },
    "o2.sendgrid.net": { A: ["192.0.2.7"] },
    [toReverseName("2001:db8::5")]: { PTR: ["six.esp.example"] },
    "six.esp.example": { AAAA: ["2001:db8::5"] },
  };
  await report(["203.0.113.1", "203.0.113.2", "2001:db8:0::5", "203.0.113.4"].map((address) => source(address)));
  await run();
  expect([...(await names())].map(([address, { host }]) => [address, host])).toEqual([
    ["2001:db8::5", "six.esp.example"],
    ["203.0.113.1", "o1.esp.example"],
    ["203.0.113.2", null],
    ["203.0.113.4", null],
  ]);
});

test("what was known stays when DNS gives no answer, and is asked again", async () => {
  const { internet, report, run, names, clock } = await openPlace();
  internet.zone = {
    [toReverseName("203.0.113.1")]: { PTR: ["o1.esp.example"] },
    "o1.esp.example": { A: ["203.0.113.1"] },
  };
  await report([source("203.0.113.1")]);
  await run();
  internet.zone = { [toReverseName("203.0.113.1")]: "timeout" };
  clock.nowMs += 15 * dayMs;
  await run();
  const row = (await names()).get("203.0.113.1");
  expect(row).toMatchObject({ host: "o1.esp.example", asked_at: clock.nowMs });
  expect((row?.due_at ?? 0) - clock.nowMs).toBeLessThan(dayMs);
});

test("asks nothing when it is off, about private addresses, and about domains that aren't monitored", async () => {
  const { config, report, run, names } = await openPlace();
  await report([source("10.0.0.1"), source("127.0.0.1"), source("fe80::1")]);
  await report([source("203.0.113.9")], "other.example");
  await run();
  expect([...(await names()).keys()]).toEqual([]);
  Object.assign(config, { reverseDns: "off" });
  await report([source("203.0.113.1")]);
  await run();
  expect([...(await names()).keys()]).toEqual([]);
});

test("takes 500 addresses of a report, those with the most messages, and asks about 200 in a run", async () => {
  const { report, run, names } = await openPlace();
  const many = Array.from({ length: 900 }, (_, at) => source(`20.0.${at >> 8}.${at & 255}`, 1_000 - at));
  await report(many);
  await run();
  const rows = [...(await names()).values()];
  expect(rows).toHaveLength(500);
  expect(rows.some(({ address }) => address === "20.0.3.0")).toBe(false);
  expect(rows.filter(({ asked_at }) => asked_at !== null)).toHaveLength(200);
});

test("names the addresses and return paths of mail that was received here, and no selectors or HELO names", async () => {
  const { internet, run, names, store, clock, ask, workspace, token } = await openPlace();
  internet.zone = {
    [toReverseName("203.0.113.1")]: { PTR: ["o1.sendgrid.net"] },
    "o1.sendgrid.net": { A: ["203.0.113.1"] },
    [toReverseName("203.0.113.2")]: { PTR: ["mail.shop.example"] },
    "mail.shop.example": { A: ["203.0.113.2"] },
    [toReverseName("203.0.113.3")]: { PTR: ["o3.sendgrid.net"] },
    "o3.sendgrid.net": { A: ["192.0.2.9"] },
  };
  const seen = (kind: SenderKind, value: string, domain = "shop.example"): SenderNote => ({
    kind,
    value,
    domain,
    fingerprint: "",
    messages: 1,
    seenAt: clock.nowMs,
  });
  const notes = ["203.0.113.1", "203.0.113.2", "203.0.113.3"].map((address) => seen("address", address));
  await store.write((db) =>
    noteSenders(db, workspace, [
      ...notes,
      seen("address", "203.0.113.9", "unmonitored.example"),
      seen("return_path", "em7.mailgun.org"),
      seen("return_path", "bounce.shop.example"),
      seen("selector", "s1"),
      seen("helo", "o1.sendgrid.net"),
    ]),
  );
  await run();
  expect([...(await names()).keys()]).toEqual(["203.0.113.1", "203.0.113.2", "203.0.113.3"]);
  const { items } = (await ask("GET", "/api/domains", { token, workspace })).json as { items: { id: string }[] };
  const answer = await ask("GET", `/api/domains/${items[0]?.id}/senders`, { token, workspace });
  const listed = answer.json as { items: { value: string; sender: { name: string; kind: string } | null }[] };
  expect(new Map(listed.items.map(({ value, sender }) => [value, sender && [sender.name, sender.kind]]))).toEqual(
    new Map([
      ["203.0.113.1", ["SendGrid", "service"]],
      ["203.0.113.2", ["Hosts of shop.example", "own"]],
      ["203.0.113.3", null],
      ["em7.mailgun.org", ["Mailgun", "service"]],
      ["bounce.shop.example", null],
      ["s1", null],
      ["o1.sendgrid.net", null],
    ]),
  );
});
