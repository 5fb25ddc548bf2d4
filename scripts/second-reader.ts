// Reads messages twice, as the server does after a report, and shows how often both readers agree, with an example of
// every class of difference.
// Usage: npm run script -- scripts/second-reader.ts [--arc FILE --examples 2 --limit 500 --class text/unknown FOLDER …]
// A folder is one source of messages. Without one, our own fixtures and the SPF suite next to the repository are read.

import { parseArgs } from "node:util";
import { analyzeMessage } from "../src/analyzer/analyze-message.ts";
import { known } from "../src/analyzer/checks/fact.ts";
import { createZoneDns } from "../src/analyzer/dns/zone.ts";
import {
  type ComparisonOutcome,
  comparedThings,
  comparisonOutcomes,
  outcomeOf,
  type SecondReading,
} from "../src/analyzer/reports/second-reading.ts";
import { blameOf } from "../src/analyzer/reports/second-reading-causes-table.ts";
import { examineAgain } from "../src/analyzer/second-reader/examine.ts";
import { createAnalysisContext } from "../src/features/tests/analysis/context.ts";
import { toInput } from "../src/features/tests/analysis/examinations.ts";
import { arcSuite, inFolder, ownFixtures, type Source, spfSuite } from "./second-reader/sources.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    arc: { type: "string" },
    examples: { type: "string", default: "1" },
    /** Messages from each source. */
    limit: { type: "string", default: "1000" },
    /** Shows only this class of difference, such as `text/unknown`. */
    class: { type: "string" },
  },
});

const receiver = "mx.seed.example";
const circumstances = {
  label: null,
  kindOverride: null,
  history: known({ sameMessageId: 0, selectorsSeen: [], keyFirstSeen: null }),
  own: known({ domains: [] }),
};

async function readTwice({ raw, session, receivedAt, zone }: Source): Promise<SecondReading | null> {
  const dns = createZoneDns(zone);
  const options = { receiver, budgetMs: 60_000, dnsbls: [], rspamdUrl: null, spamdAddress: null, dnsClient: {} };
  const analyst = createAnalysisContext(options, () => receivedAt + 200, dns);
  const { report } = await analyzeMessage({ raw, session, receivedAt, circumstances, evidence: null }, analyst);
  if (report === null) return null;
  return await examineAgain(toInput({ raw, session, receivedAt, report }, analyst));
}

type Class = { count: number; readonly examples: string[] };

const outcomes = new Map<string, number>();
const things = new Map<string, number>();
const classes = new Map<string, Class>();
const issues = new Map<string, Class>();
const sources = new Map<string, { messages: number; agree: number; otherMail: number }>();
const mostExamples = Number(values.examples);

function count(map: Map<string, number>, key: string): void {
  map.set(key, (map.get(key) ?? 0) + 1);
}

function keep(map: Map<string, Class>, key: string, example: string): void {
  const entry = map.get(key) ?? { count: 0, examples: [] };
  entry.count++;
  if (entry.examples.length < mostExamples) entry.examples.push(example);
  map.set(key, entry);
}

async function take(one: Source): Promise<void> {
  const entry = sources.get(one.source) ?? { messages: 0, agree: 0, otherMail: 0 };
  sources.set(one.source, entry);
  if (entry.messages + entry.otherMail >= Number(values.limit)) return;
  const reading = await readTwice(one);
  // Bounces and reports aren't tests, so the server doesn't read them twice.
  if (reading === null) {
    entry.otherMail++;
    return;
  }
  entry.messages++;
  const outcome = outcomeOf(reading);
  if (outcome === "agree" || outcome === "explained") entry.agree++;
  count(outcomes, outcome);
  for (const { thing, outcome: each } of reading.compared) count(things, `${thing} ${each}`);
  for (const { thing, about, ours, theirs, cause } of reading.differences)
    keep(classes, `${thing}/${cause}`, `${one.name}: ${about ?? ""} ours ${ours}; theirs ${theirs}`);
  for (const { finding, evidence, bytes } of reading.issues)
    keep(issues, finding, `${one.name}: ${evidence} ${JSON.stringify(bytes)}`);
}

const all = [
  ...(positionals.length === 0 ? [ownFixtures, spfSuite] : []),
  ...(values.arc === undefined ? [] : [() => arcSuite(values.arc ?? "")]),
  ...positionals.map((folder) => () => inFolder(folder)),
];
for (const open of all) for (const one of open()) await take(one);
show();

function show(): void {
  const total = [...sources.values()].reduce((sum, { messages }) => sum + messages, 0);
  if (values.class === undefined) {
    for (const [name, { messages, agree, otherMail }] of sources)
      console.log(
        `${name}: ${messages} messages, ${share(agree, messages)} without an open difference${otherMail ? `, ${otherMail} bounces and reports left out` : ""}`,
      );
    console.log(`\n${total} messages in all`);
    for (const [name, number] of outcomes) console.log(`  ${name}: ${number} (${share(number, total)})`);
    for (const thing of comparedThings)
      console.log(`  ${thing.padEnd(12)} ${comparisonOutcomes.map((one) => shareOf(thing, one)).join("  ")}`);
  }
  showClasses("Differences", classes, (name) => blameOf((name.split("/")[1] ?? "unknown") as "unknown"));
  if (values.class === undefined) showClasses("Issues", issues, () => "message");
}

function showClasses(title: string, map: ReadonlyMap<string, Class>, blame: (name: string) => string): void {
  console.log(`\n${title}`);
  const sorted = [...map].sort(([, left], [, right]) => right.count - left.count);
  for (const [name, { count: number, examples }] of sorted) {
    if (values.class !== undefined && name !== values.class) continue;
    console.log(`  ${name} (${blame(name)}): ${number}`);
    for (const example of examples) console.log(`      ${example}`);
  }
}

function shareOf(thing: string, outcome: ComparisonOutcome): string {
  return `${outcome} ${things.get(`${thing} ${outcome}`) ?? 0}`;
}

function share(part: number, whole: number): string {
  return whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`;
}
