// 200 made reports over 60 services, with forwarders, spoofed reverse DNS, a botnet, own servers and IPv6. The names and
// counts are those that the test made, added up apart from the product.

import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { toReverseName } from "../../../src/analyzer/addresses.ts";
import type { ZoneEntry } from "../../../src/analyzer/dns/zone.ts";
import senderTable from "../../../src/analyzer/senders/senders.json" with { type: "json" };
import type { Server } from "../../../src/platform/server.ts";
import { listChores } from "../../../src/server.ts";
import { toReportMail } from "../../analyzer/mail/reports/report-mail.ts";
import { startHttpWorld } from "../../http/http-world.ts";

type Made = {
  readonly address: string;
  /** Null: it must not be named. */
  readonly name: string | null;
  readonly spf: string | null;
  readonly dkim: string | null;
  readonly isAligned: boolean;
  readonly reason: string | null;
};

const ownDomain = "shop.example";
const zone: Record<string, ZoneEntry> = {};

/** `isConfirmed`: the name leads back to the address. */
function publish(address: string, host: string, isConfirmed = true): void {
  zone[toReverseName(address)] = { PTR: [host] };
  const back = isConfirmed ? address : "192.0.2.254";
  zone[host] = back.includes(":") ? { AAAA: [back] } : { A: [back] };
}

const plain = { spf: null, dkim: null, isAligned: false, reason: null } as const;

function makeServices(): Made[] {
  const rows = (senderTable as readonly Service[]).filter(({ domains }) => domains !== undefined);
  const step = Math.floor(rows.length / 60);
  const picked = Array.from({ length: 60 }, (_, index) => rows[index * step]);
  return picked.flatMap((row, index) => {
    const addresses = [`20.${index}.1.1`, index % 10 === 0 ? `2a01:4f8:${index + 1}::25` : `20.${index}.1.2`];
    return addresses.map((address, at) => makeOfService(row ?? { name: "" }, { index, at, address }));
  });
}

type Service = { readonly name: string; readonly kind?: string; readonly domains?: string };

function makeOfService(
  { name, kind, domains = "" }: Service,
  { index, at, address }: { index: number; at: number; address: string },
): Made {
  const [domain] = domains.split(" ");
  const row = { ...plain, address, name, isAligned: index % 3 === 0 };
  const isRented = kind === "hosting" || kind === "network";
  const way = isRented ? 1 : index % 4;
  if (way !== 0) publish(address, `out${at}.mail${index}.${domain}`);
  // What others rent is known by its reverse DNS, which names the network.
  const network = address.includes(":") ? `2a01:4f8:${(index + 1).toString()}::/48` : `20.${index}.1.0/24`;
  if (isRented) return { ...row, name: `${name} (${network})` };
  if (way === 2) return { ...row, dkim: domain ?? null };
  return way === 1 ? row : { ...row, spf: `bounce.${domain}` };
}

function makeOthers(): Made[] {
  const list = (length: number, make: (number: number) => Made) => Array.from({ length }, (_, number) => make(number));
  const host = (address: string, name: string, isConfirmed = true) => {
    publish(address, name, isConfirmed);
    return address;
  };
  return [
    // A signature of the service came through a university's server.
    ...list(12, (number) => ({
      ...plain,
      address: host(`30.1.${number}.1`, `mx.university${number}.example`),
      name: `university${number}.example`,
      spf: `university${number}.example`,
      dkim: "sendgrid.net",
      reason: "forwarded",
    })),
    // Without SRS, only reverse DNS names the forwarder.
    ...list(6, (number) => ({
      ...plain,
      address: host(`30.2.${number}.1`, `lists.club${number}.example`),
      name: `club${number}.example (30.2.${number}.0/24)`,
      dkim: "mcsv.net",
      reason: "mailing_list",
    })),
    ...list(10, (number) => ({
      ...plain,
      address: host(`40.1.${number}.1`, `o${number}.ptr.sendgrid.net`, false),
      name: null,
    })),
    ...list(20, (number) => ({
      ...plain,
      address: host(`50.${number}.1.7`, `pool-${number}.dsl.isp${number % 4}.example`),
      name: `isp${number % 4}.example (50.${number}.1.0/24)`,
    })),
    ...list(6, (number) => ({ ...plain, address: `60.${number}.1.7`, name: null })),
    ...list(3, (number) => ({
      ...plain,
      address: host(`70.1.1.${number + 1}`, `mx${number}.${ownDomain}`),
      name: `Hosts of ${ownDomain}`,
      isAligned: true,
    })),
  ];
}

const made = [...makeServices(), ...makeOthers()];

function toXml(reporter: number, beginsAt: number, rows: readonly { row: Made; count: number }[]): string {
  const records = rows.map(({ row, count }) => {
    const { address, spf, dkim, isAligned, reason } = row;
    const word = isAligned ? "pass" : "fail";
    const signed = [...(dkim === null ? [] : [dkim]), ...(isAligned ? [ownDomain] : [])];
    return `<record><row><source_ip>${address}</source_ip><count>${count}</count><policy_evaluated><disposition>none</disposition><dkim>${word}</dkim><spf>fail</spf>${reason === null ? "" : `<reason><type>${reason}</type></reason>`}</policy_evaluated></row><identifiers><header_from>${ownDomain}</header_from></identifiers><auth_results>${signed.map((domain) => `<dkim><domain>${domain}</domain><selector>s1</selector><result>pass</result></dkim>`).join("")}<spf><domain>${spf ?? ownDomain}</domain><result>${spf === null ? "fail" : "pass"}</result></spf></auth_results></record>`;
  });
  const seconds = beginsAt / 1_000;
  return `<feedback><report_metadata><org_name>receiver${reporter}.example</org_name><report_id>${reporter}-${seconds}</report_id><date_range><begin>${seconds}</begin><end>${seconds + 86_399}</end></date_range></report_metadata><policy_published><domain>${ownDomain}</domain><p>none</p></policy_published>${records.join("")}</feedback>`;
}

test("names at least 95% of the senders in 200 reports, none of them wrongly, and counts each message once", async () => {
  const world = await startHttpWorld();
  world.internet.zone = zone;
  const { id: workspace } = await world.createWorkspace("Ours");
  const { token } = await world.issueToken(workspace);
  const ask = (method: string, path: string, body?: unknown) => world.ask(method, path, { token, workspace, body });
  const { id } = (await ask("POST", "/api/domains", { domain: ownDomain })).json;
  const today = world.clock.nowMs - (world.clock.nowMs % 86_400_000);
  const counted = new Map<string, { messages: number; passed: number }>();
  for (let day = 1; day <= 20; day++)
    for (let reporter = 0; reporter < 10; reporter++) {
      const rows = made.flatMap((row, at) => {
        if ((at + day * 7 + reporter * 3) % 12 !== 0) return [];
        const count = 1 + ((at * day + reporter) % 40);
        const sums = counted.getOrInsertComputed(row.address, () => ({ messages: 0, passed: 0 }));
        sums.messages += count;
        sums.passed += row.isAligned ? count : 0;
        return [{ row, count }];
      });
      await world.receive(workspace, null, toReportMail(gzipSync(toXml(reporter, today - day * 86_400_000, rows))));
    }
  await world.analyzeAll();
  const run = async (chore: string) => {
    const found = listChores(world as unknown as Server).find((one) => one.id === chore);
    if (!found) throw new Error(`There is no chore ${chore}.`);
    await found.run(new AbortController().signal, (_id, work) => work());
  };
  await run("feedback");
  // Each run reads a hundred reports, and looks up at most 200 addresses.
  for (let turn = 0; turn < 4; turn++) await run("reverse names");

  const { reports, messages, sources } = (await ask("GET", `/api/domains/${id}/sources`)).json;
  expect(reports).toBe(200);
  const all = [...counted.values()].reduce((sum, each) => sum + each.messages, 0);
  expect(messages).toBe(all);
  type Source = { sourceIp: string; name: string | null; messages: number; passed: number };
  const told = new Map((sources as Source[]).map((source) => [source.sourceIp, source]));
  expect(told.size).toBe(made.length);
  const wrong: string[] = [];
  const missed: string[] = [];
  for (const { address, name } of made) {
    const source = told.get(address);
    const { messages: sent, passed } = counted.get(address) ?? { messages: 0, passed: 0 };
    expect([address, source?.messages, source?.passed]).toEqual([address, sent, passed]);
    if (source?.name === name) continue;
    (source?.name === null ? missed : wrong).push(`${address}: ${source?.name} instead of ${name}`);
  }
  expect(wrong).toEqual([]);
  expect(missed.length).toBeLessThanOrEqual(made.length * 0.05);
  expect(missed).toEqual([]);
});
