// Problems that DMARC reports show: a selector whose signatures stopped verifying, a new source, a falling pass rate.
// One cause is one problem, so what a selector or a source explains is left out of the more general ones.

import { type DmarcEvidence, type JudgedRow, sumOf, toReporterShares, toShare, toSpan } from "./dmarc-evidence.ts";
import { judgeRate, type Past, type RateTerms, shareOf } from "./judge-rate.ts";
import { dayMs, type FeedbackStatus, firstOf, noDetail } from "./problem.ts";

const fullShare = 1;

export function detectDmarc(evidence: DmarcEvidence, past: Past): FeedbackStatus[] {
  const selectors = detectSelectors(evidence, past);
  const broken = new Set(selectors.flatMap(({ suspected, subject }) => (suspected ? [subject] : [])));
  const sources = detectNewSources(evidence, past);
  const fresh = new Set(sources.flatMap(({ suspected, subject }) => (suspected ? [subject] : [])));
  const explained = ({ signed, source }: JudgedRow) =>
    signed.some(({ key }) => broken.has(key)) || (source !== null && fresh.has(source.key));
  const rest = without(evidence, explained);
  const perSource = detectSourceRates(rest, past);
  const falling = new Set(perSource.flatMap(({ suspected, subject }) => (suspected ? [subject] : [])));
  const whole = detectDomainRate(
    without(rest, ({ source }) => source !== null && falling.has(`source ${source.key}`)),
    past,
  );
  return [...selectors, ...sources, ...perSource, whole].map(({ suspected: _, ...status }) => status);
}

/** `suspected`: it explains what the more general ones would see, even if too little is known to raise it. */
type Suspect = FeedbackStatus & { readonly suspected: boolean };

function without(evidence: DmarcEvidence, isLeftOut: (row: JudgedRow) => boolean): DmarcEvidence {
  const keep = (row: JudgedRow) => !isLeftOut(row);
  return { ...evidence, recentRows: evidence.recentRows.filter(keep), usualRows: evidence.usualRows.filter(keep) };
}

// A selector.

const selectorTerms = { leastRecent: 10, leastUsual: 50, leastUsualDays: 5, leastRise: 0.4, mostUsual: 0.2 };
const leastReporters = 2;
/** How long a single reporter's failures are held back, because the others' reports come later. */
const othersComeMs = 2 * dayMs;

function detectSelectors(evidence: DmarcEvidence, past: Past): Suspect[] {
  const { recentRows, usualRows } = evidence;
  const isDirect = ({ forwarded }: JudgedRow) => !forwarded;
  const keys = new Set([
    ...recentRows.flatMap(({ signed }) => signed.map(({ key }) => key)),
    ...past.openSubjects("broken-selector"),
  ]);
  return [...keys].map((subject): Suspect => {
    const has = (row: JudgedRow) => isDirect(row) && row.signed.some(({ key }) => key === subject);
    const isBad = ({ signed }: JudgedRow) => !signed.some(({ key, passed }) => key === subject && passed);
    const rows = { recentRows: recentRows.filter(has), usualRows: usualRows.filter(has) };
    const begin = findBegin(rows.recentRows, isBad);
    const terms = { ...selectorTerms, kind: "broken-selector", subject, isBad, begin } as const;
    const rate = judgeRate(rows, evidence, terms, past);
    const failing = Map.groupBy(rate.rows, ({ reporter }) => reporter);
    const reporters = [...failing.values()].filter((some) => isFailing(some, isBad));
    const isSeveral = reporters.length >= leastReporters;
    const firstBad = begin ?? evidence.today;
    const others = new Set(rows.usualRows.map(({ reporter }) => reporter));
    const isEarly = reporters.length === 1 && others.size > 1 && evidence.today - firstBad <= othersComeMs;
    const [selector = "", dkimDomain = ""] = subject.split(" ");
    return {
      kind: "broken-selector",
      subject,
      level: 0,
      isRaised: rate.isHigh && isSeveral,
      over: rate.over,
      suspected: past.openOf("broken-selector", subject) !== undefined || (rate.isHigh && (isSeveral || isEarly)),
      evidence: {
        ...rate.evidence,
        detail: { ...noDetail, selector, dkimDomain, ...toPlaces(rate.rows.filter(isBad)) },
      },
    };
  });
}

function isFailing(rows: readonly JudgedRow[], isBad: RateTerms["isBad"]): boolean {
  const share = toShare(rows, isBad);
  return share.count >= 5 && shareOf(share) >= 0.5;
}

/** The first recent day on which a reporter saw it fail. Days before it would hide the failure. */
function findBegin(rows: readonly JudgedRow[], isBad: RateTerms["isBad"]): number | null {
  const seen = Map.groupBy(rows, ({ reporter, day }) => `${day} ${reporter}`);
  const days = [...seen.values()].flatMap((some) => (isFailing(some, isBad) ? [some[0]?.day ?? 0] : []));
  return days.length === 0 ? null : Math.min(...days);
}

function toPlaces(rows: readonly JudgedRow[]) {
  const bySize = rows.toSorted((one, other) => other.messages - one.messages);
  return {
    addresses: firstOf(bySize.flatMap(({ sourceIp }) => sourceIp ?? [])),
    headerFroms: firstOf(bySize.flatMap(({ headerFrom }) => headerFrom ?? [])),
  };
}

// A source that was not seen before.

/** Below this, it isn't worth a person's time: scattered spoofing, or one user's forwarding. */
const leastOfNewSource = 20;
const quietMs = 7 * dayMs;
/** A new source that passes is a usual one after this. */
const knownAfterMs = 14 * dayMs;
const knownShare = 0.98;

function detectNewSources(evidence: DmarcEvidence, past: Past): Suspect[] {
  const { recentRows, usualRows } = evidence;
  const isNamed = ({ source, forwarded }: JudgedRow) => source !== null && !forwarded;
  const keyOf = ({ source }: JudgedRow) => source?.key ?? "";
  const usual = new Set(usualRows.filter(isNamed).map(keyOf));
  const bySource = Map.groupBy(recentRows.filter(isNamed), keyOf);
  // A sender may get its name after its alert.
  const open = past.openSubjects("new-source");
  const addressesOf = (subject: string) => past.openOf("new-source", subject)?.evidence.detail.addresses ?? [];
  const told = new Set(open.flatMap(addressesOf));
  const isToldOf = (addresses: ReadonlySet<string>, { sourceIp }: JudgedRow) => addresses.has(sourceIp ?? "");
  const fresh = [...bySource].filter(
    ([key, rows]) => !usual.has(key) && !past.wasKnown("new-source", key) && !rows.every((row) => isToldOf(told, row)),
  );
  const keys = new Set([...fresh.map(([key]) => key), ...open]);
  const rowsOf = (key: string) => {
    const addresses = new Set(addressesOf(key));
    return bySource.get(key) ?? recentRows.filter((row) => isNamed(row) && isToldOf(addresses, row));
  };
  return [...keys].map((key) => toNewSource(key, rowsOf(key), evidence, past));
}

function toNewSource(
  subject: string,
  rows: readonly JudgedRow[],
  { recentRows, usualRows, recent, today }: DmarcEvidence,
  past: Past,
): Suspect {
  const open = past.openOf("new-source", subject);
  const messages = sumOf(rows);
  const passed = sumOf(rows.filter((row) => row.passed));
  const since = open === undefined ? 0 : today - open.openedAt;
  const isQuiet = rows.length === 0 && since > quietMs && isSilent(usualRows, subject, today);
  const isKnown = since > knownAfterMs && messages > 0 && passed >= messages * knownShare;
  return {
    kind: "new-source",
    subject,
    level: 0,
    isRaised: messages >= leastOfNewSource,
    over: isQuiet ? "over" : isKnown ? "known" : null,
    // Half of it in the first report is likely to become enough with the others.
    suspected: messages >= leastOfNewSource / 2,
    evidence: {
      days: toSpan(rows, recent),
      count: messages,
      total: sumOf(recentRows),
      usual: null,
      reporters: toReporterShares(rows, () => true),
      detail: {
        ...noDetail,
        source: rows[0]?.source?.name ?? open?.evidence.detail.source ?? subject,
        sourceKind: rows[0]?.source?.kind ?? open?.evidence.detail.sourceKind ?? null,
        passed,
        selector: rows.flatMap(({ signed }) => signed)[0]?.key.split(" ")[0] ?? null,
        ...toPlaces(rows),
      },
    },
  };
}

function isSilent(rows: readonly JudgedRow[], key: string, today: number): boolean {
  return !rows.some(({ source, day }) => source?.key === key && today - day <= quietMs);
}

// The pass rate of a source, and of the domain.

const sourceTerms = { leastRecent: 50, leastUsual: 200, leastUsualDays: 7, leastRise: 0.1, mostUsual: 0.2 };
const domainTerms = { leastRecent: 100, leastUsual: 500, leastUsualDays: 10, leastRise: 0.05, mostUsual: fullShare };

function isFailed({ passed }: JudgedRow): boolean {
  return !passed;
}

function detectSourceRates(evidence: DmarcEvidence, past: Past): Suspect[] {
  const { recentRows, usualRows } = evidence;
  const keyOf = ({ source, forwarded }: JudgedRow) => (source && !forwarded ? `source ${source.key}` : "");
  const recent = Map.groupBy(recentRows, keyOf);
  const usual = Map.groupBy(usualRows, keyOf);
  const open = past.openSubjects("pass-rate-fell").filter((subject) => subject !== "domain");
  const keys = new Set([...recent.keys(), ...open].filter((key) => key !== ""));
  return [...keys].map((subject): Suspect => {
    const rows = { recentRows: recent.get(subject) ?? [], usualRows: usual.get(subject) ?? [] };
    const terms = { ...sourceTerms, kind: "pass-rate-fell", subject, isBad: isFailed } as const;
    const rate = judgeRate(rows, evidence, terms, past);
    const source =
      rows.recentRows[0]?.source?.name ??
      past.openOf("pass-rate-fell", subject)?.evidence.detail.source ??
      subject.slice("source ".length);
    const suspected = rate.isHigh || past.openOf("pass-rate-fell", subject) !== undefined;
    return toFallen(subject, rate, suspected, { source });
  });
}

function detectDomainRate(evidence: DmarcEvidence, past: Past): Suspect {
  const { recentRows, usualRows } = evidence;
  const subject = "domain";
  const terms = { ...domainTerms, kind: "pass-rate-fell", subject, isBad: isFailed } as const;
  const rate = judgeRate({ recentRows, usualRows }, evidence, terms, past);
  const proved = new Set(usualRows.flatMap(({ passed, source }) => (passed && source ? [source.key] : [])));
  const fromUnknown = ({ source, passed }: JudgedRow) => !passed && (source === null || !proved.has(source.key));
  return toFallen(subject, rate, false, { failedFromUnknown: sumOf(rate.rows.filter(fromUnknown)) });
}

function toFallen(
  subject: string,
  { isHigh, over, evidence, rows }: ReturnType<typeof judgeRate>,
  suspected: boolean,
  detail: Partial<FeedbackStatus["evidence"]["detail"]>,
): Suspect {
  return {
    kind: "pass-rate-fell",
    subject,
    level: 0,
    isRaised: isHigh,
    over,
    suspected,
    evidence: { ...evidence, detail: { ...noDetail, ...detail, ...toPlaces(rows.filter(isFailed)) } },
  };
}
