// Starts Debian's rspamd and SpamAssassin on loopback, asks them about three messages and parses their answers.
// Usage: node scripts/real-scanners.ts [--all]
// Scanners missing on this machine are skipped with a note. With --all that is a failure.

import { parseArgs } from "node:util";
import type { ScannerResult } from "../src/analyzer/checks/infrastructure-facts.ts";
import type { ScannedMessage, Scanners } from "../src/analyzer/facts/scanners.ts";
import { claimedSession } from "../src/analyzer/mail/session/session.ts";
import { startDnsServer } from "../test/dns-server.ts";
import { answerPatienceMs, type Engine, engines, findLack, withEngine } from "./scanner-engines.ts";

/** What each says about the test string that every filter knows, whatever its score. */
const callsSpam: Readonly<Record<Engine["name"], (result: ScannerResult) => boolean>> = {
  rspamd: ({ action }) => action === "reject",
  spamassassin: ({ symbols }) => symbols.some(({ name, points }) => name === "GTUBE" && points === 1000),
};

const header = [
  "From: Ann <ann@sender.example>",
  "To: one@seed.example",
  "Subject: a message",
  "Date: Sat, 21 Nov 2026 12:00:00 +0000",
  "Message-ID: <scanned@sender.example>",
  "MIME-Version: 1.0",
  "Content-Type: text/plain; charset=utf-8",
  "",
  "",
].join("\r\n");

/** In two parts, so that no filter matches this file. */
const testString = ["XJS*C4JDBQADN1.NSBN3*2IDNEN*", "GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X"].join("");

const bodies = {
  // SpamAssassin has a rule for this greeting.
  plain: "Dear Friend,\r\nhere is what you asked for.\r\n",
  "test string": `${testString}\r\n`,
  "eight-bit": `Dear Friend,\r\n${"Gr\u00fc\u00dfe, \u{1f600} ".repeat(20_000)}\r\n`,
};

function toMessage(body: string): ScannedMessage {
  return {
    raw: Buffer.from(header + body),
    session: claimedSession({
      clientAddress: "8.8.4.4",
      helo: "out.sender.example",
      mailFrom: "ann@sender.example",
      rcptTo: ["one@seed.example", "two@seed.example"],
    }),
    clientName: "out.sender.example",
    receiver: "mx.seed.example",
    receivedAt: Date.UTC(2026, 10, 21, 12),
  };
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { all: { type: "boolean", default: false } } });
  const dns = await startDnsServer({});
  try {
    for (const engine of engines) {
      const lack = findLack(engine);
      if (lack === null) await tryEngine(engine, dns.port);
      else if (values.all) throw new Error(`${engine.name} could not be tested: this machine lacks ${lack}.`);
      else console.log(`skip  ${engine.name}: this machine lacks ${lack}`);
    }
  } finally {
    await dns.close();
  }
}

async function tryEngine(engine: Engine, dnsPort: number): Promise<void> {
  await withEngine(engine, { dnsPort, first: toMessage(bodies.plain) }, async ({ scanners }) => {
    for (const [name, body] of Object.entries(bodies)) {
      const result = await ask(scanners, body);
      check(engine, name, result);
      console.log(`pass  ${engine.name}: ${name}: ${JSON.stringify(result)}`);
    }
  });
}

async function ask(scanners: Scanners, body: string): Promise<ScannerResult> {
  const [row] = await scanners.ask(toMessage(body), answerPatienceMs);
  if (row?.fact.known) return row.fact.value;
  throw new Error(`No result: ${JSON.stringify(row)}.`);
}

function check({ name: engine }: Engine, name: string, result: ScannerResult): void {
  const sum = result.symbols.reduce((points, symbol) => points + symbol.points, 0);
  const isTest = name === "test string";
  const problems = [
    ...(result.engine === engine ? [] : ["another engine"]),
    ...(result.symbols.length > 0 ? [] : ["no symbols"]),
    ...(isTest || result.symbols.some(({ text }) => text !== null) ? [] : ["no descriptions"]),
    ...(callsSpam[engine](result) === isTest ? [] : ["another verdict on the test string"]),
    // Each symbol is rounded to the tenths that a report shows.
    ...(isTest || Math.abs(sum - result.score) < 0.06 * result.symbols.length ? [] : [`symbols that sum up to ${sum}`]),
  ];
  if (problems.length > 0) throw new Error(`${engine}: ${name}: ${problems.join(", ")}: ${JSON.stringify(result)}`);
}

await main();
