// Measures the cost of a message: MIME alone, authentication alone with all answers known, checks alone, and the whole
// analysis. Compared with mailparser and mailauth on the same messages and answers, in one process and one run.
// Usage: npm run script -- scripts/bench/analyze.ts [--sizes "3 KB,60 KB,1 MB" --record]

import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { authenticate, type DNSResolver } from "mailauth";
import { simpleParser } from "mailparser";
import { analyzeMessage } from "../../src/analyzer/analyze-message.ts";
import { unknown } from "../../src/analyzer/checks/fact.ts";
import { checks } from "../../src/analyzer/checks/list.ts";
import { runChecks } from "../../src/analyzer/checks/run.ts";
import { type Dns, type DnsAnswer, toQuestionKey } from "../../src/analyzer/dns/answer.ts";
import { createZoneDns } from "../../src/analyzer/dns/zone.ts";
import { gatherAuthentication } from "../../src/analyzer/facts/authentication.ts";
import { gatherFacts } from "../../src/analyzer/facts/gather.ts";
import { noMalwareScanner } from "../../src/analyzer/facts/malware.ts";
import { readContent } from "../../src/analyzer/mail/content.ts";
import { tracePath } from "../../src/analyzer/mail/headers/delivery-path.ts";
import { readHeaderSection } from "../../src/analyzer/mail/headers/fields.ts";
import { readMessage } from "../../src/analyzer/mail/mime/parse.ts";
import { claimedSession } from "../../src/analyzer/mail/session/session.ts";
import { judgeMessage } from "../../src/analyzer/reports/judgment.ts";
import { noCircumstances, toKnownFacts } from "../../src/analyzer/reports/known-facts.ts";
import type { AnalysisContext } from "../../src/analyzer/world.ts";
import { collectWithoutHelpers } from "../../src/features/server/command/serve.ts";
import { toResolve } from "../../test/platform/system/dns-resolve.ts";
import { type Figure, print, printMachine, ratio, runFor, toFigure, type Work } from "./bench.ts";
import { type Figures, record } from "./figures.ts";
import { type MailSize, type Mails, mailSizes, writeMails } from "./mails.ts";

type Cost = { readonly cpu: Figure; readonly wall: Figure };

const rounds = 7;
/** The analysis is a lot of code. Until V8 has compiled all of it, it takes several times as long. */
const warmUps = 4;

const client = { clientAddress: "127.0.0.1", helo: "client.sender.example" };
const receiver = "mx.receiver.example";
/** The messages are signed today. */
const receivedAt = Date.now();

/** Turns off its most expensive parts, which we don't parse either. */
const mailparserOptions = {
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipTextLinks: true,
  skipImageLinks: true,
  keepCidLinks: true,
};

const { values } = parseArgs({
  options: { sizes: { type: "string", default: mailSizes.join(",") }, record: { type: "boolean", default: false } },
});
await main(mailSizes.filter((size) => values.sizes.split(",").includes(size)));

async function main(sizes: readonly MailSize[]): Promise<void> {
  // Like the server.
  collectWithoutHelpers();
  mkdirSync("build", { recursive: true });
  const folder = mkdtempSync(resolve("build", "bench-analyze-"));
  try {
    const mails = await writeMails(folder);
    printMachine();
    const figures: Record<string, Figures[string]> = {};
    for (const size of sizes)
      for (const [name, milliseconds] of await compareWithLibraries(toCase(size, mails), mails))
        figures[name] = { ...figures[name], [size]: [milliseconds, "ms"] };
    record("libraries", figures);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function toCase(size: MailSize, mails: Mails) {
  const raw = Buffer.from(readFileSync(mails.files[size], "latin1").replaceAll("\n", "\r\n"), "latin1");
  const dns = withKnownAnswers(createZoneDns(mails.zone));
  const session = claimedSession({ ...client, mailFrom: mails.sender, rcptTo: ["reader@receiver.example"] });
  const input = { raw, session, receivedAt, receiver };
  const analyst: AnalysisContext = {
    dns,
    now: () => Date.now(),
    receiver,
    budgetMs: 8_000,
    lists: { states: async () => [] },
    enter() {},
    scanners: { ask: async () => [] },
    malware: noMalwareScanner,
  };
  const analyze = () =>
    analyzeMessage({ raw, session, receivedAt, evidence: null, circumstances: noCircumstances }, analyst);
  return { size, raw, dns, input, analyze };
}

type Case = ReturnType<typeof toCase>;

/** Returns the processor time of each work. */
async function compareWithLibraries({ size, raw, dns, input, analyze }: Case, mails: Mails) {
  const facts = await readFacts({ raw, dns, input });
  const parse = async () => readMessage(raw);
  const verify = () =>
    gatherAuthentication({ ...input, section: readHeaderSection(raw) }, { verdicts: dns, spfTree: dns });
  const theirParse = () => simpleParser(raw, mailparserOptions);
  const theirVerify = createPeer(raw, dns, mails.sender);
  await requirePasses(verify, theirVerify);
  const costs = await measureCosts(size, {
    "MIME, Assay": parse,
    "MIME, mailparser": theirParse,
    "SPF, DKIM, and DMARC, Assay": verify,
    "SPF, DKIM, and DMARC, mailauth": theirVerify,
    "both, Assay": () => Promise.all([parse(), verify()]),
    "both, mailparser and mailauth": () => Promise.all([theirParse(), theirVerify()]),
    "checks, Assay": async () => runChecks(checks, { on: "message", kind: facts.kind.value.kind, facts }, rethrow),
    "checks, scores, and placement, Assay": async () => judgeMessage(facts, checks, rethrow),
    "whole analysis, Assay": analyze,
  });
  for (const kind of ["cpu", "wall"] as const) {
    const printRatio = (one: string, other: string) => {
      const [a, b] = [costs.get(one), costs.get(other)];
      if (a && b) ratio(`${size}, ${kind}: ${one} / ${other}`, a[kind], b[kind]);
    };
    printRatio("MIME, Assay", "MIME, mailparser");
    printRatio("SPF, DKIM, and DMARC, Assay", "SPF, DKIM, and DMARC, mailauth");
    printRatio("both, Assay", "both, mailparser and mailauth");
    printRatio("checks, Assay", "MIME, mailparser");
    printRatio("whole analysis, Assay", "both, mailparser and mailauth");
  }
  return [...costs].map(([name, { cpu }]) => [name, cpu.median] as const);
}

function rethrow(check: string, error: unknown): never {
  throw new Error(`${check} threw.`, { cause: error });
}

/** All facts of a message, as the checks get them. */
async function readFacts({ raw: bytes, dns, input }: Pick<Case, "raw" | "dns" | "input">) {
  const { message, raw } = readMessage(bytes);
  const section = readHeaderSection(bytes);
  const content = readContent(bytes, message);
  const sources = {
    share: () => dns,
    lists: async () => [],
    scan: async () => [],
    findMalware: async () => unknown("off"),
  };
  const contentDomains = content.links.list.flatMap(({ host }) =>
    host === null ? [] : [{ domain: host, roles: ["link"] }],
  );
  const gathered = await gatherFacts({ ...input, message, section, contentDomains }, sources);
  const received = tracePath({ ...input, section });
  return toKnownFacts({ ...input, message, raw, content, received, ...gathered }, noCircumstances);
}

/** After the first time all answers are known, for us and the peers alike. */
function withKnownAnswers(dns: Dns): Dns {
  const known = new Map<string, Promise<DnsAnswer>>();
  return {
    query: (name, type) => {
      const key = toQuestionKey(name, type);
      const answer = known.get(key) ?? dns.query(name, type);
      known.set(key, answer);
      return answer;
    },
  };
}

/** With its default options, which aren't strict. */
function createPeer(raw: Buffer, dns: Dns, sender: string) {
  const resolver = toResolve(dns) as DNSResolver;
  const { clientAddress: ip, helo } = client;
  return () => authenticate(raw, { ip, helo, sender, mta: receiver, resolver });
}

/** Both must do all the work, because failing early is cheap. */
async function requirePasses(
  verify: () => ReturnType<typeof gatherAuthentication>,
  theirVerify: ReturnType<typeof createPeer>,
): Promise<void> {
  const [ours, theirs] = await Promise.all([verify(), theirVerify()]);
  const verdict = ours.dmarcResult.known ? ours.dmarcResult.value.result : "unknown";
  const theirVerdict = theirs.dmarc ? theirs.dmarc.status.result : "none";
  if (verdict !== "pass" || theirVerdict !== "pass")
    throw new Error(`DMARC is ${verdict} with us and ${theirVerdict} with mailauth.`);
}

/** All of them in turn, so that noise affects them equally. The first rounds warm up and don't count. */
async function measureCosts(size: MailSize, works: Readonly<Record<string, Work>>): Promise<Map<string, Cost>> {
  const runs = Object.entries(works).map(([name, work]) => ({ name, work, cpu: [] as number[], wall: [] as number[] }));
  for (let round = -warmUps; round < rounds; round++) {
    for (const { work, cpu, wall } of runs) {
      const cost = await runFor(work);
      if (round < 0) continue;
      cpu.push(cost.cpu);
      wall.push(cost.wall);
    }
  }
  print(`\n${size}, milliseconds a message`);
  return new Map(
    runs.map(({ name, cpu, wall }) => [
      name,
      { cpu: toFigure(`${name}, cpu`, "ms", cpu), wall: toFigure(`${name}, wall`, "ms", wall) },
    ]),
  );
}
