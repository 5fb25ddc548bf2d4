// Checks the DNS records that a domain publishes for email: here, without a server or database, or at a server.

import { checkCatalog } from "../../../analyzer/checks/catalog.ts";
import { known, type Why } from "../../../analyzer/checks/fact.ts";
import { readDomainName } from "../../../analyzer/dns/domain-name.ts";
import { readSelector } from "../../../analyzer/dns/signing-names.ts";
import { isTrouble } from "../../../analyzer/reports/domain-report.ts";
import {
  type Arguments,
  type Command,
  type ExitCode,
  type Terminal,
  toExitCodeHelp,
} from "../../../platform/cli/command.ts";
import { readZone, zoneOption } from "../../../platform/cli/input-files.ts";
import {
  type Address,
  findServer,
  openServer,
  type Server,
  ServerRefusal,
  serverExitCodes,
  serverOptions,
} from "../../../platform/cli/server.ts";
import { loadConfig } from "../../../platform/cli/settings.ts";
import { Refusal } from "../../../platform/errors.ts";
import {
  type Checked,
  type Output,
  outputOptions,
  readOutput,
  type Subject,
  tellResult,
  toMissing,
} from "../../tests/command/output-options.ts";
import { toLook, toPrintable } from "../../tests/command/remote-tests.ts";
import { formatDomain } from "../../tests/contract/report-formats.ts";
import { formatDomainReport } from "../../tests/formats/format-report.ts";
import { toStyle } from "../../tests/formats/style.ts";
import { toDomainReportJson } from "../contract/domain-report.ts";
import {
  addDomain,
  type DomainSummary,
  listDomains,
  type MonitoredDomain,
  readDomain,
  recheckDomain,
} from "../contract/domains.ts";
import { readStanding } from "../contract/standing.ts";
import { requireSendingDomain } from "../rules/named-domain.ts";
import { areaNames, type DomainStanding } from "../rules/standing.ts";

export const domain: Command = {
  group: "test",
  name: "domain",
  isFirst: true,
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
    add: { doc: "With --url: monitor the domain if the server does not yet." },
    ...serverOptions,
    ...outputOptions,
  },
  details: () =>
    "Queries DNS, the domain's own name servers, and its MTA-STS policy server, if it has one. With --url, the server checks a\ndomain that it monitors, which it does at most once a minute.\n\n" +
    toExitCodeHelp({
      0: "OK",
      1: "score below --fail-under",
      2: "usage error",
      3: "only partly checked: DNS or the policy server did not respond; with --strict, any check not completed",
      ...serverExitCodes,
    }),
  run: checkNamed,
};

/** A person is waiting for it. */
const budgetMs = 20_000;

async function checkNamed(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const address = findDomainServer(args, terminal);
  // A server may monitor a name from before that it would refuse now.
  const [typed = ""] = args.positionals;
  const name = address === null ? requireSendingDomain(typed) : toDomain(typed);
  const configured = args.list("selector").map((selector) => toAskable(selector, name));
  const output = readOutput(args);
  if (address !== null) return await checkAtServer(name, configured, output, { address, args, terminal, typed });
  const config = await loadConfig(args, terminal);
  const zoneFile = args.option("dns");
  const zone = zoneFile === undefined ? null : await readZone(zoneFile);
  const [
    { createSystem },
    { createDomainContext: createDomainAnalyst, createZoneContext: createZoneAnalyst },
    { checkDomain },
  ] = await Promise.all([
    import("../../../platform/system/real.ts"),
    import("../work/domain-context.ts"),
    import("../../../analyzer/check-domain.ts"),
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
    const { skipped } = toDomainReportJson(report, checkCatalog);
    const { composite: score, coverage } = report.judgment.score;
    const checked = toDomainChecked({ score, coverage, skipped });
    const write: Subject["write"] = (form, place) => formatDomainReport(report, form, toStyle(place));
    return await tellResult({ name, checked, write }, output, terminal);
  } finally {
    await system.close();
  }
}

/** Without a database there are no earlier messages. */
const nothingSeen = known({ sameMessageId: 0, selectorsSeen: [], keyFirstSeen: null });

function toDomainChecked({
  score,
  coverage,
  skipped,
}: Pick<MonitoredDomain, "score" | "coverage" | "skipped">): Checked {
  const troubles = skipped?.filter(({ why }) => isTrouble(why as Why)) ?? [];
  const [first] = troubles;
  return {
    composite: score,
    points: score,
    coverage,
    trouble: first === undefined ? null : `only partly checked, because ${first.says}`,
    isPartial: false,
    missing: toMissing(skipped),
    note: null,
  };
}

/** Null: checked here. A zone file is always read here. */
function findDomainServer(args: Arguments, terminal: Terminal): Address | null {
  const hasZone = args.option("dns") !== undefined;
  if (hasZone && args.option("url"))
    throw new Refusal("invalid_request", "--dns checks records here, so it can't be used with --url.");
  const address = hasZone ? null : findServer(args, terminal);
  if (address === null && args.flag("add"))
    throw new Refusal("invalid_request", "--add needs the server that is to monitor the domain. Pass --url https://….");
  return address;
}

type Place = {
  readonly address: Address;
  readonly args: Arguments;
  readonly terminal: Terminal;
  readonly typed: string;
};

/** A server checks only domains that it monitors, because it keeps their history. */
async function checkAtServer(
  name: string,
  selectors: readonly string[],
  output: Output,
  { address, args, terminal, typed }: Place,
): Promise<ExitCode> {
  const server = await openServer(address);
  const known = await findMonitored(name, server);
  if (known === undefined && !args.flag("add"))
    throw new Refusal("invalid_request", `${name} is not monitored by this server. To monitor it, pass --add.`);
  if (selectors.length > (known === undefined ? 1 : 0))
    throw new Refusal(
      "invalid_request",
      "With --url, the server's own selector is used. --selector only sets it, once, with --add.",
    );
  const body = { domain: typed, dkimSelector: selectors[0] ?? null };
  const checked = await (known === undefined ? server.call(addDomain, { body }) : recheck(known.id, server, terminal));
  if (known === undefined) terminal.err(`The server monitors ${name} from now on.\n`);
  const params = { id: checked.id };
  const write: Subject["write"] = async (form, place) => {
    const report = toPrintable(await server.download(formatDomain, { params, query: toLook(form, place) }));
    return form === "text" ? `${toPrintable(toText(await server.call(readStanding, { params })))}\n${report}` : report;
  };
  return await tellResult({ name, checked: toDomainChecked(checked), write }, output, terminal);
}

/** What a reader of the report alone would miss: listings, senders, complaints, and the next step. */
function toText({ says, items }: DomainStanding): string {
  const open = items.filter(({ state, says: it }) => state !== "fine" && state !== "unknown" && it !== says);
  return [says, ...open.map((item) => `${areaNames[item.area]}: ${item.says}`), ""].join("\n");
}

async function findMonitored(name: string, server: Server): Promise<DomainSummary | undefined> {
  let cursor: string | undefined;
  do {
    const { items, next } = await server.call(listDomains, { query: { cursor } });
    const found = items.find(({ domain }) => domain === name);
    if (found !== undefined) return found;
    cursor = next ?? undefined;
  } while (cursor !== undefined);
  return undefined;
}

/** The last result is at most about an hour old. */
async function recheck(id: string, server: Server, terminal: Terminal): Promise<MonitoredDomain> {
  try {
    return await server.call(recheckDomain, { params: { id } });
  } catch (error) {
    if (!(error instanceof ServerRefusal) || error.code !== "rate_limited") throw error;
    const last = await server.call(readDomain, { params: { id } });
    terminal.err(`Not checked again: ${error.message} This is the result of ${last.checkedAt}.\n`);
    return last;
  }
}

function toDomain(typed: string): string {
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
