// Plants changes in a month of streams and checks that each is found where it happened, with the right causes, and
// that unchanged streams raise no alert. With STREAMS_PROOF=full, it runs with 200 tests and 2,000 unchanged ones.

import { generateKeyPairSync } from "node:crypto";
import { createTransport } from "nodemailer";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SmtpSession } from "../../../../src/analyzer/mail/session/session.ts";
import { splitAmong } from "../../../../src/analyzer/reports/split-score.ts";
import { decodeReport, encodeReport } from "../../../../src/features/tests/rows/reports.ts";
import { type HttpWorld, openHttpWorld } from "../../../http/http-world.ts";

const isFull = process.env.STREAMS_PROOF === "full";
const streamCount = isFull ? 10 : 5;
const perStream = isFull ? 20 : 10;
const unchangedCount = isFull ? 2_000 : 40;

const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
const privateKey = keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const publicKey = keys.publicKey.export({ type: "spki", format: "der" }).toString("base64");

type Change = "template" | "unsubscribe" | "links" | "host" | "spf" | "dmarc" | "dkim" | "ptr" | "rules";
const causeOf: Readonly<Record<Change, string>> = {
  template: "mail",
  unsubscribe: "mail",
  links: "mail",
  host: "infrastructure",
  spf: "dns",
  dmarc: "dns",
  dkim: "dns",
  ptr: "dns",
  rules: "rules",
};

/** Of the stream with this number, from the seventh test and from the fourteenth on; in a small run, from the fifth. */
const plans: readonly (readonly [readonly Change[], readonly Change[]])[] = [
  [["spf"], ["template"]],
  [["host"], ["dmarc"]],
  [["links", "spf"], ["unsubscribe"]],
  [["rules"], ["ptr"]],
  [["dkim"], ["host"]],
  [["ptr"], ["links"]],
  [["template", "dmarc"], ["spf"]],
  [["dmarc"], ["links"]],
  [["unsubscribe"], ["dkim"]],
  [["host", "links"], ["rules"]],
];

const words = "order weekly summer market garden kitchen river window paper music train letter bread winter".split(" ");
const pick = (seed: number) => words[(seed * 7919 + 13) % words.length] ?? "order";
const sentence = (seed: number) =>
  `This is about the ${pick(seed)} and the ${pick(seed + 3)}, which our ${pick(seed + 5)} team chose for you.`;

async function write(domain: string, number: number, changes: ReadonlySet<Change>): Promise<Buffer> {
  const link = changes.has("links") ? "http://203.0.113.77/go" : `https://www.${domain}/go`;
  const articles = Array.from(
    { length: 2 + (number % 3) },
    (_, index) =>
      `<tr><td class="item" style="padding:12px"><h2>${pick(number + index)}</h2><p>${sentence(number + index)}</p><a href="${link}/${number}/${index}">Read more</a></td></tr>`,
  );
  const table = `<table class="outer" width="600" style="max-width:600px" role="presentation">${articles.join("")}<tr><td class="foot">Good Shop Ltd, 12 Mill Lane, York YO1 7HB. <a href="https://www.${domain}/u/${number}">Unsubscribe</a></td></tr></table>`;
  const other = `<section class="wrap"><center><font color="#eeeeee" size="1">${sentence(number)}</font><img src="http://www.${domain}/a.png"><div class="box" style="padding:3px">${articles.length} offers, <a href="http://www.${domain}/u/${number}">click here</a></div></center></section>`;
  const sender = createTransport({
    streamTransport: true,
    buffer: true,
    newline: "windows",
    dkim: { domainName: domain, keySelector: "s1", privateKey },
  });
  const listHeaders = {
    "List-Unsubscribe": `<https://www.${domain}/u/${number}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    "List-Id": `News <news.${domain}>`,
  };
  const { message } = await sender.sendMail({
    from: `Good Shop <news@${domain}>`,
    to: "anyone@seed.example",
    date: new Date(Date.UTC(2026, 10, 21, 5, 59, 0)),
    subject: `News about the ${pick(number)} and the ${pick(number + 2)}`,
    messageId: `<${number}.${Math.abs(number * 7919)}@${domain}>`,
    headers: changes.has("unsubscribe") ? {} : listHeaders,
    text: `${sentence(number)}\n${link}\n\nGood Shop Ltd, 12 Mill Lane, York YO1 7HB\nUnsubscribe: https://www.${domain}/u/${number}\n`,
    html: `<html lang="en"><head><title>News</title></head><body>${changes.has("template") ? other : table}</body></html>`,
  });
  return message as Buffer;
}

const hosts = { usual: ["192.0.2.1", "mail"], other: ["192.0.2.9", "out"] } as const;

function publish(domain: string, changes: ReadonlySet<Change>): Record<string, object> {
  const has = (change: Change) => !changes.has(change);
  return {
    [domain]: {
      A: ["192.0.2.80"],
      MX: [{ preference: 1, exchange: `mail.${domain}` }],
      ...(has("spf") && { TXT: ["v=spf1 ip4:192.0.2.1 -all"] }),
    },
    [`www.${domain}`]: { A: ["192.0.2.80"] },
    [`mail.${domain}`]: { A: ["192.0.2.1"] },
    [`out.${domain}`]: { A: ["192.0.2.9"] },
    [`s1._domainkey.${domain}`]: { TXT: [has("dkim") ? `v=DKIM1; k=rsa; p=${publicKey}` : "v=DKIM1; p="] },
    ...(has("dmarc") && { [`_dmarc.${domain}`]: { TXT: [`v=DMARC1; p=none; rua=mailto:d@${domain}`] } }),
    "9.2.0.192.in-addr.arpa": { PTR: [`out.${domain}`] },
    ...(has("ptr") && { "1.2.0.192.in-addr.arpa": { PTR: [`mail.${domain}`] } }),
  };
}

function hear(domain: string, changes: ReadonlySet<Change>): Partial<SmtpSession> {
  const [clientAddress, name] = changes.has("host") ? hosts.other : hosts.usual;
  return { clientAddress, helo: `${name}.${domain}`, mailFrom: `bounce@${domain}` };
}

let world: HttpWorld;
let ask: (path: string, body?: unknown) => Promise<{ json: Awaited<ReturnType<HttpWorld["ask"]>>["json"] }>;
let workspace: string;
let elsewhere: string;
beforeAll(async () => {
  world = await openHttpWorld();
  workspace = (await world.createWorkspace("Ours")).id;
  elsewhere = (await world.createWorkspace("Elsewhere")).id;
  const { token } = await world.issueToken(workspace);
  ask = (path, body) =>
    world.ask(body === undefined ? "GET" : "POST", `/api/${path}`, {
      token,
      workspace,
      ...(body !== undefined && { body }),
    });
});
afterAll(() => world.close());

/** Half of the streams have no label, so that nothing but their kind and layout keeps them together. */
function labelOf(domain: string): string | null {
  return /[02468]\.|^quiet/.test(domain) ? null : "news";
}

async function receive(into: string, domain: string, number: number, changes: ReadonlySet<Change>): Promise<string> {
  world.internet.zone = publish(domain, changes) as never;
  const id = await world.receive(into, labelOf(domain), await write(domain, number, changes), hear(domain, changes));
  await world.analyzeAll();
  return id;
}

/** As if an earlier version of Assay had judged this test, by ten points more. */
async function judgeAsBefore(id: string): Promise<void> {
  await world.store.write(async (db) => {
    const { report: kept } = await db
      .selectFrom("reports")
      .select("report")
      .where("test_id", "=", id)
      .executeTakeFirstOrThrow();
    const report = JSON.parse(decodeReport(kept));
    report.judgment.score.composite = Math.min(100, report.judgment.score.composite + 10);
    report.analysis.version = "0.0.9";
    const { traits } = await db.selectFrom("tests").select("traits").where("id", "=", id).executeTakeFirstOrThrow();
    const { composite } = report.judgment.score;
    await db
      .updateTable("reports")
      .set({ report: encodeReport(JSON.stringify(report)) })
      .where("test_id", "=", id)
      .execute();
    const before = JSON.stringify({ ...JSON.parse(traits ?? "{}"), version: "0.0.9" });
    await db.updateTable("tests").set({ composite, traits: before }).where("id", "=", id).execute();
    const stream = await db.selectFrom("streams").selectAll().where("last_test_id", "=", id).executeTakeFirstOrThrow();
    const state = JSON.parse(stream.state ?? "{}");
    const raised = { ...state, level: [...state.level.slice(0, -1), composite], traits: JSON.parse(before) };
    await db
      .updateTable("streams")
      .set({ state: JSON.stringify(raised) })
      .where("id", "=", stream.id)
      .execute();
  });
}

async function scoreOf(id: string, inWorkspace = workspace): Promise<number> {
  const { composite } = await world.store.read
    .selectFrom("tests")
    .select("composite")
    .where("id", "=", id)
    .where("workspace_id", "=", inWorkspace)
    .executeTakeFirstOrThrow();
  return composite ?? 0;
}

type Planted = {
  readonly changes: readonly Change[];
  readonly before: string;
  readonly at: string;
  readonly domain: string;
  readonly number: number;
  readonly standing: ReadonlySet<Change>;
};

/** What begins at a test of this number. */
function changesAt(index: number, number: number): readonly Change[] {
  return plans[index]?.[starts.indexOf(number)] ?? [];
}

/** Whether Assay's rules change after this test. */
function isJudgedBefore(index: number, number: number): boolean {
  return starts.some((start) => number < start && changesAt(index, start).includes("rules"));
}

const starts = isFull ? [7, 14] : [5];

async function runStream(index: number): Promise<Planted[]> {
  const domain = `s${index}.example`;
  const standing = new Set<Change>();
  const planted: Planted[] = [];
  let before = "";
  for (let place = 0; place < perStream; place++) {
    world.clock.nowMs += (30 * 86_400_000) / perStream;
    const number = index * 100 + place;
    const changes = changesAt(index, place);
    const was = new Set(standing);
    for (const change of changes) standing.add(change);
    const at = await receive(workspace, domain, number, standing);
    if (isJudgedBefore(index, place)) await judgeAsBefore(at);
    if (changes.length > 0) planted.push({ changes, before, at, domain, number, standing: was });
    before = at;
  }
  return planted;
}

/** The score of the same message with only some of the changes, measured by receiving it. */
async function measure({ domain, number, standing }: Planted, changes: readonly Change[]): Promise<number> {
  const id = await receive(elsewhere, domain, number, new Set([...standing, ...changes]));
  return await scoreOf(id, elsewhere);
}

type Shares = ReadonlyMap<string, number>;

/** The shares of the causes, from the scores of messages that were really received with each combination of changes. */
async function measureShares(planted: Planted, distance: number): Promise<Shares> {
  const outer = planted.changes.filter((change) => change !== "rules");
  const scores: number[] = [];
  for (let mask = 0; mask < 1 << outer.length; mask++)
    scores.push(
      await measure(
        planted,
        outer.filter((_, index) => mask & (1 << index)),
      ),
    );
  const shares = new Map<string, number>();
  const add = (cause: string, points: number) => shares.set(cause, (shares.get(cause) ?? 0) + points);
  for (const [index, points] of splitAmong(outer.length, (mask) => scores[mask] ?? 0).entries())
    add(causeOf[outer[index] ?? "rules"], points);
  if (outer.length < planted.changes.length) add("rules", distance);
  return shares;
}

type Step = { readonly changes: readonly { readonly what: string }[]; readonly isNew: boolean };

async function readSteps(): Promise<ReadonlyMap<string, Step>> {
  const steps = new Map<string, Step>();
  for (const { id } of (await ask("streams?limit=100")).json.items)
    for (const step of (await ask(`streams/${id}`)).json.steps) steps.set(step.testId, step);
  return steps;
}

async function expectFound(one: Planted, steps: ReadonlyMap<string, Step>): Promise<void> {
  const step = steps.get(one.at);
  const { causes, before, after } = (await ask(`tests/${one.at}/compare/${one.before}/causes`)).json;
  const found = new Map<string, number>(
    causes.map(({ cause, points }: { cause: string; points: number }) => [cause, points]),
  );
  const measured = await measureShares(one, after - before);
  const told = `${one.changes.join(" and ")}: ${before} to ${after}, found ${JSON.stringify([...found])}, measured ${JSON.stringify([...measured])}`;
  if (isFull) console.log(told);
  expect(step?.isNew || (step?.changes.length ?? 0) > 0 || before === after, told).toBe(true);
  for (const cause of new Set([...found.keys(), ...measured.keys()]))
    expect(Math.abs((found.get(cause) ?? 0) - (measured.get(cause) ?? 0)), told).toBeLessThanOrEqual(2);
}

test(`${isFull ? "twenty" : "five"} planted changes are found at their tests, with the right causes`, async () => {
  const planted: Planted[] = [];
  for (let index = 0; index < streamCount; index++) planted.push(...(await runStream(index)));
  const steps = await readSteps();
  const places = new Set(planted.map(({ at }) => at));
  const found = [...steps].filter(([, { changes, isNew }]) => isNew || changes.length > 0).map(([id]) => id);
  expect(found.filter((id) => !places.has(id))).toEqual([]);
  for (const one of planted) await expectFound(one, steps);
}, 1_800_000);

test(`no change is reported in ${unchangedCount} unchanged tests`, async () => {
  const domain = "quiet.example";
  for (let number = 0; number < unchangedCount; number++) {
    world.clock.nowMs += 600_000;
    await receive(workspace, domain, 10_000 + number, new Set());
  }
  const rows = await world.store.read
    .selectFrom("streams")
    .select(["kind", "moved_test_id"])
    .where("from_domain", "=", domain)
    .execute();
  expect(rows).toEqual([{ kind: "bulk", moved_test_id: null }]);
}, 3_600_000);
