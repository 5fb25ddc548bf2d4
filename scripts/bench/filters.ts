// Compares the whole analysis with rspamd and SpamAssassin, if they are installed: CPU time of all their processes for
// one message after another, against ours.

import type { Zone } from "../../src/analyzer/dns/zone.ts";
import type { ScannedMessage } from "../../src/analyzer/facts/scanners.ts";
import { startDnsServer } from "../../test/dns-server.ts";
import { print, ratioAtMost, runFor, toFigure, type Work } from "./bench.ts";
import type { MailSize } from "./mails.ts";
import { answerPatienceMs, type Engine, engines, findLack, type Running, withEngine } from "./scanner-engines.ts";

const rounds = 5;
const messagesARound: Readonly<Record<MailSize, number>> = { "3 KB": 60, "60 KB": 20, "1 MB": 10 };
const mostTimesRspamd: Readonly<Partial<Record<MailSize, number>>> = { "60 KB": 0.4 };

export type FilterCase = { readonly size: MailSize; readonly scanned: ScannedMessage; readonly analyze: Work };

export async function compareWithFilters(cases: readonly FilterCase[], zone: Zone): Promise<void> {
  const dns = await startDnsServer({ zone });
  try {
    for (const engine of engines) {
      const lack = findLack(engine);
      const [first] = cases;
      if (lack !== null) print(`\n${engine.name}: skipped, this machine lacks ${lack}.`);
      else if (first)
        await withEngine(engine, { dnsPort: dns.port, first: first.scanned }, async (running) => {
          for (const one of cases) await compare(engine, running, one);
        });
    }
  } finally {
    await dns.close();
  }
}

async function compare({ name }: Engine, running: Running, { size, scanned, analyze }: FilterCase) {
  print(`\n${size}, milliseconds of CPU time a message`);
  const theirs: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const their = await measureFilter(running, scanned, messagesARound[size]);
    // While they run, our code idles for half a minute and V8 discards compiled code. This warms ours up again.
    await runFor(analyze);
    const { cpu } = await runFor(analyze);
    if (round === 0) continue;
    theirs.push(their);
    ours.push(cpu);
  }
  ratioAtMost(
    `${size}, whole analysis / ${name}, cpu`,
    toFigure("whole analysis", "ms", ours),
    toFigure(name, "ms", theirs),
    name === "rspamd" ? mostTimesRspamd[size] : undefined,
  );
}

async function measureFilter({ scanners, cpuMs }: Running, scanned: ScannedMessage, count: number) {
  const before = cpuMs();
  for (let asked = 0; asked < count; asked++) {
    const [row] = await scanners.ask(scanned, answerPatienceMs);
    if (!row?.fact.known) throw new Error("The filter did not respond.");
  }
  return (cpuMs() - before) / count;
}
