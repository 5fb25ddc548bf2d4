// What reports, bounces and complaints say of how a domain stands.

import { toNumber, toPlural } from "../../../analyzer/count-words.ts";
import type { DmarcPolicy } from "../../../analyzer/dns/dmarc.ts";
import type { DomainSources, NamedSource } from "../contract/domain-sources.ts";
import type { FeedbackKind } from "../rules/problem.ts";
import { toPercent } from "./figure-words.ts";

type StandingWords = {
  readonly state: "bad" | "warning" | "unknown" | "next" | "fine";
  readonly says: string;
  readonly page: string;
};

/** The area of each kind of problem. New senders are in the table of senders. */
export const problemAreas: Readonly<Record<FeedbackKind, "senders" | "complaints" | "records" | null>> = {
  "new-source": null,
  "broken-selector": "senders",
  "pass-rate-fell": "senders",
  "reports-stopped": "senders",
  "tls-failures": "records",
  "complaint-rate": "complaints",
  "bounce-class-jump": "complaints",
};

type OpenProblem = { readonly title: string; readonly advice: string };

export function toProblemStanding([first, ...others]: readonly OpenProblem[]): StandingWords | null {
  if (first === undefined) return null;
  const more = others.length === 0 ? "" : ` ${toPlural(others.length, "more problem.", "more problems.")}`;
  return { state: "bad", says: `${first.title}. ${first.advice}${more}`, page: "#feedback" };
}

type Sources = Pick<DomainSources, "domain" | "messages" | "passed" | "senders">;

/** With less of the mail, it is worth a look and doesn't hurry. */
const badShares = { own: 0.02, strangers: 0.1 };

/** `policy`: in force. Null: none, or it isn't known. */
export function toSendersStanding(
  { domain, messages, passed, senders }: Sources,
  policy: DmarcPolicy | null,
): StandingWords {
  const page = "#senders";
  if (messages === 0)
    return {
      state: "unknown",
      says: `No authenticated DMARC report has arrived in 30 days, so it isn’t known who sends as ${domain}.`,
      page,
    };
  const failedOf = (sender: NamedSource) => sender.messages - sender.passed;
  const [first, ...others] = senders
    .filter(({ needs }) => needs === "set-up")
    .toSorted((one, other) => failedOf(other) - failedOf(one));
  if (first !== undefined) {
    const more = others.length === 0 ? "" : ` ${toPlural(others.length, "more sender fails.", "more senders fail.")}`;
    const state = failedOf(first) >= messages * badShares.own ? "bad" : "warning";
    return { state, says: `${first.name}: ${first.says}${more}`, page };
  }
  const strangers = senders.filter(({ needs }) => needs === "find-out" || needs === "policy");
  const passing = `${toPercent(passed / messages, 1)} of mail passes DMARC`;
  if (strangers.length === 0)
    return { state: "fine", says: `${passing}, from ${toPlural(senders.length, "sender", "senders")}.`, page };
  const from = toPlural(strangers.length, "sender", "senders");
  if (policy === "reject")
    return { state: "fine", says: `${passing}. Your policy of reject stops what fails, from ${from}.`, page };
  const failed = strangers.reduce((sum, sender) => sum + failedOf(sender), 0);
  const known = strangers.every(({ needs }) => needs === "policy");
  const step = known ? "p=reject stops it." : "If none of them is yours, p=reject stops it.";
  return {
    state: failed >= messages * badShares.strangers ? "bad" : "warning",
    says: `Mail in your name that fails DMARC (${toNumber(failed)} of ${toPlural(messages, "message", "messages")}) comes from ${from}. ${step}`,
    page,
  };
}

type Evaluated = { readonly notices: number; readonly isLearning: boolean };

/** Null: not evaluated yet. */
export function toComplaintsStanding(evaluated: Evaluated | null): StandingWords {
  const page = "#feedback";
  if (evaluated === null) return { state: "unknown", says: "Not evaluated yet. This happens once an hour.", page };
  const { notices, isLearning } = evaluated;
  if (notices === 0)
    return { state: "unknown", says: "No bounce or complaint has arrived here in 35 days, so there is no rate.", page };
  const count = `${toPlural(notices, "bounce or complaint", "bounces and complaints")} in 35 days`;
  if (isLearning) return { state: "unknown", says: `${count}. What is usual isn’t known yet.`, page };
  return { state: "fine", says: `${count}, none of their rates too high.`, page };
}

type Coached = {
  readonly isSafe: boolean | null;
  readonly next: object | null;
  readonly policy: object | null;
  readonly reporters: number;
  readonly says: string;
};

/** Null: the records say what is wrong. */
export function toPolicyStanding(
  { isSafe, next, policy, reporters, says }: Coached,
  page: string,
): StandingWords | null {
  if (policy === null) return null;
  if (next === null) return { state: "fine", says, page };
  return { state: isSafe === null || reporters === 0 ? "unknown" : "next", says, page };
}
