import { parseReportUri } from "../../dns/dmarc.ts";
import type { Dmarc, DmarcReportTarget } from "../authentication-facts.ts";
import { defineCheck, notApplicable, passed, type Raised, skipped } from "../check.ts";
import { reportAddressOf, rewriteDmarc } from "./dmarc-text.ts";
import { readAppliedPolicy, whyNotExpected } from "./policy-owner.ts";

type Finding = "none" | "bad-address" | "unauthorised" | "no-mailbox" | "many";

/** RFC 9989 §4.6: reporters must send to two addresses of a list and may ignore the rest. */
const servedAddresses = 2;

export const dmarcReports = defineCheck({
  id: "dmarc-reports",
  helpPage: "fix-dmarc-reports",
  label: "DMARC reports",
  owner: "dns",
  asks: "whether DMARC reports reach you",
  why: "Without reports, you cannot see who sends as your domain.",
  refs: ["RFC 9989 §4.6", "RFC 9990 §4"],
  needs: ["dmarc"],
  wants: ["kind", "parked"],
  passes: "The DMARC record at {name} requests reports at {addresses}.",
  findings: {
    none: {
      severity: "minor",
      cost: 3,
      title: "No DMARC reports requested",
      says: "The DMARC record at {name} does not request reports.",
      fix: "Add `rua=mailto:{rua}`: `{corrected}`.",
    },
    "bad-address": {
      severity: "minor",
      cost: 8,
      title: "Invalid DMARC report address",
      says: '"{uri}" at {name} is not a valid report address. {problem}.',
      fix: "Replace it with `{suggestion}`.",
    },
    unauthorised: {
      severity: "minor",
      cost: 8,
      title: "DMARC report recipient not authorized",
      says: "{host} has not agreed to receive reports for {domain}, so no reports are sent there.",
      fix: "Ask the owner of {host} to publish this TXT record at `{domain}._report._dmarc.{host}` in their DNS, not in yours: `v=DMARC1;`. Or use an address at {domain}.",
    },
    "no-mailbox": {
      severity: "minor",
      cost: 8,
      title: "Undeliverable DMARC report address",
      says: "Reports to {uri} cannot be delivered: {host} accepts no mail.",
      fix: "Use an address at a domain with MX records.",
    },
    many: {
      severity: "info",
      title: "Too many DMARC report addresses",
      says: "{list}= at {name} has {count} report addresses. Some reporters use only the first two.",
      fix: "Keep at most two addresses.",
    },
  },
  run({ dmarc, kind, parked }) {
    const applied = readAppliedPolicy(dmarc, kind);
    if (typeof applied === "string") return notApplicable(applied);
    const { foundAt, name, record, tags } = applied;
    const bad = dmarc.faults.filter((fault) => fault.kind === "bad-uri");
    const lacksReports = tags.rua.length === 0 && !bad.some(({ tag }) => tag === "rua");
    const notExpected = lacksReports ? whyNotExpected(parked) : null;
    const raised = [
      ...(lacksReports && notExpected === null ? [noReports(foundAt, record)] : []),
      ...bad.map(({ value, says }) => badAddress(value ?? "", says, foundAt)),
      ...dmarc.reportTargets.flatMap((target) => deaf(target, foundAt) ?? []),
      ...(["rua", "ruf"] as const).flatMap((list) =>
        tags[list].length > servedAddresses ? [many(list, tags[list], foundAt)] : [],
      ),
    ];
    if (raised.length > 0) return raised;
    if (notExpected !== null) return notExpected;
    const open = aggregateOf(dmarc).find(({ authorised, receivesMail }) => !authorised.known || !receivesMail.known);
    const why = open && [open.authorised, open.receivesMail].find((fact) => !fact.known);
    return why && !why.known ? skipped(why.why) : passed({ name, addresses: tags.rua });
  },
});

function aggregateOf({ reportTargets }: Dmarc): DmarcReportTarget[] {
  return reportTargets.filter(({ list }) => list === "rua");
}

function noReports(foundAt: string, record: string): Raised<Finding> {
  const rua = reportAddressOf(foundAt);
  const corrected = rewriteDmarc(record, { set: { rua: `mailto:${rua}` } });
  return { finding: "none", data: { name: `_dmarc.${foundAt}`, rua, corrected }, evidence: { record } };
}

function badAddress(uri: string, problem: string, foundAt: string): Raised<Finding> {
  const suggestion = mendReportUri(uri, foundAt);
  return {
    finding: "bad-address",
    subject: uri,
    data: { uri, name: `_dmarc.${foundAt}`, problem: problem.replace(/\.$/, ""), suggestion },
  };
}

export function mendReportUri(uri: string, domain: string): string {
  const withScheme = `mailto:${uri.replace(/^mailto:?\/*/i, "").replace(/\s+/g, "")}`;
  return parseReportUri(withScheme).problem === null ? withScheme : `mailto:${reportAddressOf(domain)}`;
}

/** Only for aggregate reports: hardly any reporter sends failure reports (ruf). */
function deaf({ uri, list, host, external, authorised, receivesMail }: DmarcReportTarget, domain: string) {
  if (list !== "rua" || host === null) return null;
  const data = { uri, host, domain };
  if (external && authorised.known && !authorised.value)
    return { finding: "unauthorised", subject: uri, data } satisfies Raised<Finding>;
  if (receivesMail.known && !receivesMail.value)
    return { finding: "no-mailbox", subject: uri, data } satisfies Raised<Finding>;
  return null;
}

function many(list: string, uris: readonly string[], foundAt: string): Raised<Finding> {
  return { finding: "many", subject: list, data: { count: uris.length, list, name: `_dmarc.${foundAt}` } };
}
