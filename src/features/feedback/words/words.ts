// A feedback problem in plain sentences with its figures, for alerts and the web app.

import { toNumber, toPlural } from "../../../analyzer/count-words.ts";
import type { bounceClasses } from "../../../analyzer/mail/reports/mail-class.ts";
import type { FeedbackEvidence, FeedbackKind, Resolution } from "../rules/problem.ts";
import { toDate, toDays, toMessages, toOf, toPercent, toPlainName, toShare } from "./figure-words.ts";
import { kindWords } from "./sender-words.ts";

export type FeedbackWords = {
  /** A label, without the domain. */
  readonly title: string;
  readonly says: readonly string[];
  /** Empty if there is nothing to do. */
  readonly advice: string;
};

type Told = {
  readonly kind: FeedbackKind;
  readonly evidence: FeedbackEvidence;
  /** Null: it is open. */
  readonly resolution: Resolution | null;
};

export function toFeedbackWords({ kind, evidence, resolution }: Told): FeedbackWords {
  const words = writers[kind](evidence);
  if (resolution === null) return { ...words, says: [...words.says, ...toReporterWords(evidence)] };
  const source = toPlainName(evidence.detail.source);
  const title =
    kind === "new-source"
      ? `${sourceEnds[resolution]}: ${source}`
      : `${(resolution === "no-data" ? unknownTitles : endTitles)[kind]}${toSubject(kind, evidence)}`;
  return { title, says: [toEnd(kind, resolution)], advice: "" };
}

const writers: Readonly<Record<FeedbackKind, (evidence: FeedbackEvidence) => FeedbackWords>> = {
  "new-source": toNewSource,
  "broken-selector": toBrokenSelector,
  "pass-rate-fell": toPassRate,
  "tls-failures": toTls,
  "complaint-rate": toComplaints,
  "bounce-class-jump": toBounces,
  "reports-stopped": toStopped,
};

function toNewSource({ count, days, detail }: FeedbackEvidence): FeedbackWords {
  const { passed, addresses, sourceKind } = detail;
  const source = toPlainName(detail.source);
  const pass = passed ?? 0;
  const from = addresses.length > 0 ? ` from ${toAddresses(addresses)}` : "";
  const seen = `${toMessages(count)}${from}, ${toDays(days)}.`;
  const kind = sourceKind && sourceKind !== "unknown" ? ` (${kindWords[sourceKind]})` : "";
  const name = `${source ?? "an unknown sender"}${kind}`;
  if (pass >= count * 0.98)
    return {
      title: `New sender passes DMARC: ${name}`,
      says: [`${seen} ${pass === count ? "All" : toNumber(pass)} pass DMARC.`],
      advice:
        "It is authenticated for your domain, so someone with access to your DNS or a connected service set it up. If you don’t know it, find out who did.",
    };
  if (pass <= count * 0.02)
    return {
      title: `New sender fails DMARC: ${name}`,
      says: [`${seen} ${pass === 0 ? "None" : `Only ${toNumber(pass)}`} pass DMARC.`],
      advice:
        "Reports can’t tell spoofing from one of your services that isn’t set up. If it is yours, set up DKIM or SPF for it. If not, a policy of quarantine or reject stops such mail.",
    };
  return {
    title: `New sender passes DMARC only partly: ${name}`,
    says: [`${seen} ${toNumber(pass)} pass DMARC, ${toNumber(count - pass)} fail.`],
    advice: "If it is yours, its setup is incomplete: some of its mail has no aligned SPF or DKIM.",
  };
}

function toBrokenSelector(evidence: FeedbackEvidence): FeedbackWords {
  const { count, total, days, usual, detail, reporters } = evidence;
  const selector = toPlainName(detail.selector) ?? "?";
  const dkimDomain = toPlainName(detail.dkimDomain) ?? "?";
  return {
    title: `DKIM fails for selector ${selector}`,
    says: [
      `${toOf(count, total)} messages signed with ${selector} (d=${dkimDomain}) fail DKIM, ${toDays(days)}, at ${toPlural(reporters.length, "reporter", "reporters")}.`,
      ...toUsual(usual, "fail"),
    ],
    advice: `Check that ${selector}._domainkey.${dkimDomain} still has the key that your sender signs with, and that nothing changes messages after signing.`,
  };
}

function toPassRate(evidence: FeedbackEvidence): FeedbackWords {
  const { count, total, days, usual, detail } = evidence;
  const { failedFromUnknown } = detail;
  const source = toPlainName(detail.source);
  const rate = toShare((total ?? 0) - count, total);
  const before = usual ? toShare((usual.total ?? 0) - usual.count, usual.total) : null;
  const from = before === null ? "" : ` from ${before}`;
  const unknown = failedFromUnknown ?? 0;
  return {
    title:
      source === null
        ? `DMARC pass rate fell${from} to ${rate}`
        : `DMARC pass rate of ${source} fell${from} to ${rate}`,
    says: [
      `${toOf(count, total)} messages fail DMARC, ${toDays(days)}.`,
      ...(source === null && count > 0
        ? [
            unknown === count
              ? "All of them come from sources that never passed before, which may be spoofing."
              : unknown === 0
                ? "All of them come from sources that passed before."
                : `${toNumber(unknown)} come from sources that never passed before, which may be spoofing. The others come from sources that passed before.`,
          ]
        : []),
    ],
    advice:
      source === null
        ? "The domain’s page lists the sources with what passes and fails."
        : `Check the SPF record and the DKIM keys that ${source} uses.`,
  };
}

function toTls({ count, total, days, detail }: FeedbackEvidence): FeedbackWords {
  const listed = detail.failures.map(({ resultType, mxHost, sessions }) => {
    const at = mxHost === null ? "" : ` at ${toPlainName(mxHost)}`;
    return `${toPlainName(resultType) ?? "other failures"}${at}: ${toPlural(sessions, "session", "sessions")}.`;
  });
  return {
    title: `TLS fails for ${toShare(count, total)} of sessions`,
    says: [`${toOf(count, total)} sessions with your mail servers failed TLS, ${toDays(days)}.`, ...listed],
    advice:
      "Check the certificate and STARTTLS of the named servers. With MTA-STS or DANE in force, mail in such sessions isn’t delivered.",
  };
}

function toComplaints({ count, total, days, detail }: FeedbackEvidence): FeedbackWords {
  const { threshold } = detail;
  const reporter = toPlainName(detail.reporter);
  const when = toDays(days);
  const complaints = toPlural(count, "complaint", "complaints");
  if (total === null || threshold === null)
    return {
      title: `${complaints} in a week`,
      says: [
        `${toPlural(count, "recipient", "recipients")} reported your mail as spam, ${when}. There is no rate, because no DMARC report says how much you sent.`,
      ],
      advice: complaintAdvice,
    };
  const rate = toPercent(count / total, 2);
  return {
    title: `Complaint rate${reporter === null ? "" : ` at ${reporter}`} over ${toPercent(threshold, 1)}`,
    says: [
      reporter === null
        ? `${complaints}, ${when}, for ${toMessages(total)} that DMARC reports count as passing: ${rate}. Not every receiver sends complaints or reports, so the true rate may differ.`
        : `${reporter} reported ${complaints}, ${when}, and ${toMessages(total)} delivered ${toDays(detail.delivered ?? days)}: ${rate}. Not every receiver passes complaints on, so the true rate may be higher.`,
    ],
    advice: complaintAdvice,
  };
}

const complaintAdvice =
  "Stop the campaign that causes it, remove the people who complained, and make unsubscribing easier than reporting spam.";

const classWords: Readonly<Record<(typeof bounceClasses)[number], string>> = {
  user_unknown: "unknown recipients",
  host_unknown: "unknown domains",
  mailbox_full: "full mailboxes",
  disabled: "disabled mailboxes",
  too_big: "messages that are too big",
  policy: "policy rejections",
  authentication: "authentication failures",
  reputation: "reputation blocks",
  content: "content rejections",
  rate: "rate limits",
  system: "system errors",
  expired: "expired deliveries",
  unknown: "unclassified bounces",
};

function toBounces({ count, days, usual, detail }: FeedbackEvidence): FeedbackWords {
  const name = toClass(detail);
  return {
    title: `More bounces than usual: ${name}`,
    says: [
      `${toPlural(count, "bounce", "bounces")}, ${toDays(days)}.`,
      ...(usual ? [`In the 28 days before: ${toNumber(usual.count)}.`] : []),
    ],
    advice: "The bounces page shows what each receiver replied.",
  };
}

function toClass({ bounceClass }: FeedbackEvidence["detail"]): string {
  return bounceClass === null ? "bounces" : classWords[bounceClass];
}

function toStopped({ count, days, detail }: FeedbackEvidence): FeedbackWords {
  const { lastDay, silentDays } = detail;
  const reporter = toPlainName(detail.reporter);
  const last = lastDay === null ? "" : `The last one is about ${toDate(lastDay)}. `;
  return {
    title: reporter === null ? "DMARC reports stopped" : `DMARC reports from ${reporter} stopped`,
    says: [
      `No report for ${toPlural(silentDays ?? 0, "day", "days")}. ${last}Before that, reports covered ${toPlural(count, "day", "days")}, ${toDays(days)}.`,
    ],
    advice:
      reporter === null
        ? "The DMARC record still asks for reports to this server. Check that its mail arrives here, and that the domain still sends mail."
        : `Either ${reporter} gets no more mail from the domain, or it stopped reporting or can’t reach this server.`,
  };
}

const endTitles: Readonly<Record<Exclude<FeedbackKind, "new-source">, string>> = {
  "broken-selector": "DKIM passes again",
  "pass-rate-fell": "DMARC pass rate is back",
  "tls-failures": "TLS works again",
  "complaint-rate": "Complaints are back to normal",
  "bounce-class-jump": "Bounces are back to normal",
  "reports-stopped": "DMARC reports arrive again",
};

/** Without data, nothing shows that it is over. */
const unknownTitles: typeof endTitles = {
  "broken-selector": "DKIM is no longer reported",
  "pass-rate-fell": "DMARC pass rate is no longer reported",
  "tls-failures": "TLS is no longer reported",
  "complaint-rate": "Complaints are no longer reported",
  "bounce-class-jump": "Bounces are no longer reported",
  "reports-stopped": "DMARC reports still missing",
};

function toSubject(kind: FeedbackKind, { detail }: FeedbackEvidence): string {
  const reporter = toPlainName(detail.reporter);
  if (kind === "complaint-rate") return reporter === null ? "" : `: ${reporter}`;
  const [source, selector] = [toPlainName(detail.source), toPlainName(detail.selector)];
  if (kind === "broken-selector") return ` for selector ${selector}`;
  if (kind === "bounce-class-jump") return `: ${toClass(detail)}`;
  if (kind === "pass-rate-fell") return source === null ? "" : `: ${source}`;
  return kind === "reports-stopped" && reporter !== null ? ` from ${reporter}` : "";
}

const sourceEnds: Readonly<Record<Resolution, string>> = {
  over: "New sender is gone",
  known: "New sender is known now",
  "no-data": "New sender is known now",
  acknowledged: "New sender is known now",
  "not-yours": "Sender isn’t yours",
};

function toEnd(kind: FeedbackKind, resolution: Resolution): string {
  if (resolution === "acknowledged") return "A member marked it as known.";
  if (resolution === "not-yours") return "A member said that it isn’t yours. Only a DMARC policy stops it.";
  if (resolution === "no-data")
    return kind === "reports-stopped"
      ? "It was closed, because no report came or is asked for anymore."
      : "Reports no longer say anything about it, so it was closed.";
  if (resolution === "known") return "It has sent authenticated mail for two weeks and counts as a usual source now.";
  return kind === "new-source"
    ? "It hasn’t been reported for a week."
    : "The newest reports show the usual figures again.";
}

// Figures.

/** At most this many names, because people read them. */
const shownReporters = 3;

function toReporterWords({ reporters }: FeedbackEvidence): string[] {
  if (reporters.length === 0) return [];
  const shown = reporters
    .slice(0, shownReporters)
    .map(({ reporter, count, total }) =>
      total === null || total === count
        ? `${toPlainName(reporter)} (${toNumber(count)})`
        : `${toPlainName(reporter)} (${toOf(count, total)})`,
    );
  const more = reporters.length - shown.length;
  return [`Reported by ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`];
}

function toUsual(usual: FeedbackEvidence["usual"], what: string): string[] {
  if (usual === null || usual.total === null || usual.total === 0) return [];
  return [`In the 28 days before, ${toShare(usual.count, usual.total)} of ${toNumber(usual.total)} did ${what}.`];
}

function toAddresses(addresses: readonly string[]): string {
  const first = toPlainName(addresses[0] ?? "");
  return addresses.length === 1
    ? first
    : `${first} and ${toPlural(addresses.length - 1, "other address", "other addresses")}`;
}
