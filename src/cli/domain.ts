// A domain's name → what it publishes for its mail, and what to mend. Needs no server and no database.

import { known } from "../checks/fact.ts";
import { readDomainName } from "../dns/domain-name.ts";
import { toKeyName, toSelector } from "../dns/signing-names.ts";
import { Refusal } from "../errors.ts";
import { type DomainReport, isWhollyChecked } from "../reports/domain-report.ts";
import { type Arguments, answer, type Command, type ExitCode, exitCodes, type Terminal } from "./command.ts";
import { readZone } from "./input-files.ts";
import { loadConfig } from "./settings.ts";

export const domain: Command = {
  name: "domain",
  summary: "Say what a domain publishes for its mail, and what to mend.",
  usage: "domain <name> [--selector <selector>]… [--dns <zone.txt>] [--json] [--fail-under <score>]",
  example: "assay domain example.com --selector s1",
  positionals: { min: 1, max: 1 },
  options: {
    selector: {
      value: "selector",
      isList: true,
      doc: "DKIM selector that must be there (the s= tag of a signature); may be given several times. Without one well-known selectors are tried.",
    },
    dns: {
      value: "zone.txt",
      doc: "Answer DNS from this zone file, to try records before they are published.",
    },
    "fail-under": { value: "score", doc: "End with status 1 when the score is below this." },
  },
  details: () =>
    "DNS is asked, the name servers of the domain themselves, and the server of its MTA-STS policy if it announces one.\n" +
    "Exit status: 0 fine, 1 under the score of --fail-under, 2 wrong use, 3 DNS or that server did not answer for all.",
  run: checkNamed,
};

/** A person waits for it. */
const budgetMs = 20_000;

async function checkNamed(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const name = toDomain(args);
  const configured = args.list("selector").map((selector) => toAskable(selector, name));
  const least = toLeastScore(args);
  const config = await loadConfig(args, terminal);
  const zoneFile = args.option("dns");
  const zone = zoneFile === undefined ? null : await readZone(zoneFile);
  const [{ createSystem }, { createDomainAnalyst, createZoneAnalyst }, { checkDomain }] = await Promise.all([
    import("../system/real.ts"),
    import("../tasks/domain-analyst.ts"),
    import("../tasks/check-domain.ts"),
  ]);
  const system = createSystem(config, { write: terminal.err, format: "text", level: "warn" });
  const analyst = zone
    ? createZoneAnalyst(config, { dns: zone, now: system.now }, budgetMs)
    : createDomainAnalyst(config, system, budgetMs);
  try {
    const input = {
      domain: name,
      configured,
      history: nothingSeen,
      own: known({ domains: [] }),
      evidence: null,
    };
    const { report } = await checkDomain(input, analyst);
    const [{ toDomainReportJson }, { toDomainText }] = await Promise.all([
      import("../api/domain-report.ts"),
      import("./domain-text.ts"),
    ]);
    if (args.flag("json")) answer(args, terminal, toDomainReportJson(report), () => "");
    else terminal.out(toDomainText(report, terminal.columns));
    return toExitCode(report, least);
  } finally {
    await system.close();
  }
}

/** Here nobody keeps what was received. */
const nothingSeen = known({ sameMessageId: 0, selectorsSeen: [], keyFirstSeen: null });

/** Under the score outweighs what did not answer: it would be no better with it. */
function toExitCode(report: DomainReport, least: number | null): ExitCode {
  const { composite } = report.judgment.score;
  if (least !== null && composite !== null && composite < least) return exitCodes.failed;
  return isWhollyChecked(report) ? exitCodes.fine : exitCodes.notWhollyChecked;
}

function toDomain({ positionals: [typed = ""] }: Arguments): string {
  const reading = readDomainName(typed);
  if (!reading.ok) throw new Refusal("invalid_request", reading.problem);
  return reading.domain;
}

function toAskable(written: string, domain: string): string {
  // The forms of a signature's tag; one character a byte.
  const selector = toSelector(Buffer.from(written).toString("latin1"));
  if (selector === null || toKeyName(selector, domain) === null)
    throw new Refusal("invalid_request", "--selector takes the s= tag of a signature, like s1.");
  return selector;
}

function toLeastScore(args: Arguments): number | null {
  const written = args.option("fail-under");
  if (written === undefined) return null;
  const score = /^\d{1,3}(\.\d+)?$/.test(written) ? Number(written) : Number.NaN;
  if (score >= 0 && score <= 100) return score;
  throw new Refusal("invalid_request", "--fail-under takes a score from 0 to 100.");
}
