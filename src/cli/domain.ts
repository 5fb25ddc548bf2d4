// Checks the DNS records that a domain publishes for email. Needs no server or database.

import { toDomainReportJson } from "../api/domain-report.ts";
import { checkCatalog } from "../checks/catalog.ts";
import { type Fact, known } from "../checks/fact.ts";
import { whyWords } from "../checks/inner-title.ts";
import { readDomainName } from "../dns/domain-name.ts";
import { readSelector } from "../dns/signing-names.ts";
import { Refusal } from "../errors.ts";
import { toJudgmentText } from "../formats/judgment-text.ts";
import { toJunit } from "../formats/junit.ts";
import { toSarif } from "../formats/sarif.ts";
import { type Style, toStyle } from "../formats/style.ts";
import { toTable } from "../formats/table.ts";
import {
  type DomainFacts,
  type DomainReport,
  factOf,
  isWhollyChecked,
  type Verdict,
  type VerdictMechanism,
  verdictMechanisms,
} from "../reports/domain-report.ts";
import {
  type Arguments,
  type Command,
  type ExitCode,
  exitCodes,
  type Terminal,
  toExitCodeHelp,
} from "./command.ts";
import { readZone, zoneOption } from "./input-files.ts";
import { compareScore, type Form, outputOptions, readFailUnder, readForm } from "./output-options.ts";
import { loadConfig } from "./settings.ts";

export const domain: Command = {
  name: "domain",
  summary: "Check a domain's SPF, DKIM, DMARC, and other records.",
  usage: "domain <name> [options]",
  example: "assay domain example.com --selector s1",
  positionals: { min: 1, max: 1 },
  options: {
    selector: {
      value: "selector",
      isList: true,
      doc: "DKIM selector that must exist (s= in the signature). Can be repeated. Without it, common selectors are tried.",
    },
    dns: zoneOption,
    ...outputOptions,
  },
  details: () =>
    "Queries DNS, the domain's own name servers, and its MTA-STS policy server, if it has one.\n\n" +
    toExitCodeHelp({
      0: "OK",
      1: "score below --fail-under",
      2: "usage error",
      3: "only partly checked: DNS or the policy server did not respond",
    }),
  run: checkNamed,
};

/** A person is waiting for it. */
const budgetMs = 20_000;

async function checkNamed(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const name = toDomain(args);
  const configured = args.list("selector").map((selector) => toAskable(selector, name));
  const form = readForm(args);
  const failUnder = readFailUnder(args);
  const config = await loadConfig(args, terminal);
  const zoneFile = args.option("dns");
  const zone = zoneFile === undefined ? null : await readZone(zoneFile);
  const [
    { createSystem },
    { createDomainContext: createDomainAnalyst, createZoneContext: createZoneAnalyst },
    { checkDomain },
  ] = await Promise.all([
    import("../system/real.ts"),
    import("../tasks/analysis/domain-context.ts"),
    import("../tasks/analysis/check-domain.ts"),
  ]);
  const system = createSystem(config, { write: terminal.err, format: "text", level: "warn" });
  const analyst = zone
    ? createZoneAnalyst(config, { dns: zone, now: system.now }, budgetMs)
    : createDomainAnalyst(config, system, budgetMs);
  try {
    const input = {
      domain: name,
      configured,
      senders: [],
      history: nothingSeen,
      own: known({ domains: [] }),
      evidence: null,
    };
    const { report } = await checkDomain(input, analyst);
    terminal.out(`${toOutput(report, form, terminal)}\n`);
    const scored = compareScore(report.judgment, { failUnder, name }, terminal);
    // A score that is too low matters more than missing responses, which could not raise it.
    if (scored !== exitCodes.fine) return scored;
    return isWhollyChecked(report) ? exitCodes.fine : exitCodes.notWhollyChecked;
  } finally {
    await system.close();
  }
}

/** Without a database there are no earlier messages. */
const nothingSeen = known({ sameMessageId: 0, selectorsSeen: [], keyFirstSeen: null });

function toOutput(report: DomainReport, form: Form, terminal: Terminal): string {
  const judged = [{ name: report.domain, path: null, judgment: report.judgment }];
  if (form === "json") return JSON.stringify(toDomainReportJson(report, checkCatalog));
  if (form === "junit") return toJunit(judged).trimEnd();
  if (form === "sarif") return JSON.stringify(toSarif(judged));
  return toDomainText(report, toStyle(terminal));
}

function toDomain({ positionals: [typed = ""] }: Arguments): string {
  const reading = readDomainName(typed);
  if (!reading.ok) throw new Refusal("invalid_request", reading.problem);
  return reading.domain;
}

function toAskable(written: string, domain: string): string {
  const selector = readSelector(written, domain);
  if (selector === null)
    throw new Refusal("invalid_request", "--selector must be the s= value of a DKIM signature, like s1.");
  return selector;
}

// The check of a domain as text: the four verdicts with their records, then the findings.

export function toDomainText({ domain, verdicts, facts, judgment }: DomainReport, style: Style): string {
  const rows = [
    ["Domain", domain],
    ...verdictMechanisms.map((name) => [name.toUpperCase(), toWords(verdicts[name]), toShown(name, facts)]),
  ];
  return `${toTable(rows, style.columns)}\n\n${toJudgmentText(judgment, style)}`;
}

function toWords({ word }: Verdict): string {
  return word === "error" ? "unknown" : word;
}

function toShown(name: VerdictMechanism, facts: DomainFacts): string {
  const fact = facts[factOf[name]];
  return fact.known ? readPublished[name](facts) || nothing[name] : whyWords[fact.why];
}

const between = <T>(fact: Fact<T>, read: (value: T) => readonly string[], separator = " | ") =>
  fact.known ? read(fact.value).join(separator) : "";

const readPublished: Readonly<Record<VerdictMechanism, (facts: DomainFacts) => string>> = {
  spf: ({ spfRecord }) => between(spfRecord, ({ records }) => records),
  dkim: ({ dkimKeys }) => between(dkimKeys, (keys) => keys.map(({ selector }) => selector), ", "),
  dmarc: ({ dmarc }) => between(dmarc, ({ records }) => records),
  bimi: ({ bimi }) => between(bimi, ({ records }) => records),
};

const nothing: Readonly<Record<VerdictMechanism, string>> = {
  spf: "no record",
  dkim: "no key found; set the selector with --selector",
  dmarc: "no record",
  bimi: "no record",
};
