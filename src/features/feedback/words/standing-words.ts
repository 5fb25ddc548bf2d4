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

/** Muting a problem ends its alerts, not the problem. */
export function toMutedStanding([first]: readonly OpenProblem[]): StandingWords | null {
  return first === undefined ? null : { state: "warning", says: `${first.title} (muted).`, page: "#feedback" };
}

/** `words`: of the same area. */
export function withMuted(words: StandingWords, muted: readonly OpenProblem[]): StandingWords {
  const isWorse = words.state === "bad" || words.state === "warning";
  return isWorse ? words : (toMutedStanding(muted) ?? words);
}

type Sources = Pick<DomainSources, "domain" | "messages" | "passed" | "senders">;

/** With less of the mail, it is worth a look and doesn't hurry. */
const badShares = { own: 0.02, service: 0.005, strangers: 0.1 };

/** In force, for the domain and for its subdomains. Null: none, or it isn't known. */
type Policy = { readonly p: DmarcPolicy; readonly sp: DmarcPolicy } | null;

export function toSendersStanding({ domain, messages, passed, senders }: Sources, policy: Policy): StandingWords {
  const page = "#senders";
  if (messages === 0)
    return {
      state: "unknown",
      says: `No receiver that reports on three days or more has counted mail from ${domain} in 30 days, so it isn’t known who sends as it.`,
      page,
    };
  const signing = senders.find((sender) => sender.mark === "ignored" && sender.passed > 0);
  if (signing !== undefined) return { state: "bad", says: `${signing.name}: ${signing.says}`, page };
  const own = toOwnStanding(senders, messages);
  const others = toStrangersStanding({ messages, passed, senders }, policy);
  // One's own small sender doesn't hide that many others fail.
  return own === null || (own.state === "warning" && others.state === "bad") ? others : own;
}

const failedOf = (sender: NamedSource) => sender.messages - sender.passed;
const sendersPage = "#senders";

function toOwnStanding(senders: readonly NamedSource[], messages: number): StandingWords | null {
  const [first, ...others] = senders
    .filter(({ needs }) => needs === "set-up")
    .toSorted((one, other) => failedOf(other) - failedOf(one));
  if (first === undefined) return null;
  const more = others.length === 0 ? "" : ` ${toPlural(others.length, "more sender fails.", "more senders fail.")}`;
  const state = failedOf(first) >= messages * badShares.own ? "bad" : "warning";
  return { state, says: `${first.name}: ${first.says}${more}`, page: sendersPage };
}

function toStrangersStanding(
  { messages, passed, senders }: Pick<Sources, "messages" | "passed" | "senders">,
  policy: Policy,
): StandingWords {
  const page = sendersPage;
  const strangers = senders.filter(({ needs }) => needs === "find-out" || needs === "policy");
  const passing = `${toPercent(passed / messages, 1)} of mail passes DMARC`;
  if (strangers.length === 0) return toNamelessStanding({ messages, passed, senders }, passing);
  const from = toPlural(strangers.length, "sender", "senders");
  const failed = strangers.reduce((sum, sender) => sum + failedOf(sender), 0);
  if (policy?.p === "reject") {
    const lost = strangers.find(
      ({ kind, needs, ...sums }) =>
        kind === "service" && needs === "find-out" && sums.messages - sums.passed >= messages * badShares.service,
    );
    if (lost !== undefined)
      return {
        state: "warning",
        says: `Your policy asks receivers to reject mail from ${lost.name}. ${lost.says}`,
        page,
      };
    const stops = `${passing}. Your policy asks receivers to reject what fails, from ${from}`;
    if (policy.sp === "reject") return { state: "fine", says: `${stops}.`, page };
    return { state: "warning", says: `${stops}, but subdomains follow sp=${policy.sp}.`, page };
  }
  const known = strangers.every(({ needs }) => needs === "policy");
  const step = `${known ? "" : "If none of them is yours, "}p=reject asks receivers to reject it.`;
  return {
    state: failed >= messages * badShares.strangers ? "bad" : "warning",
    says: `Mail in your name that fails DMARC (${toNumber(failed)} of ${toPlural(messages, "message", "messages")}) comes from ${from}. ${step}`,
    page,
  };
}

function toNamelessStanding(
  { messages, passed, senders }: Pick<Sources, "messages" | "passed" | "senders">,
  passing: string,
): StandingWords {
  const page = sendersPage;
  const nameless = messages - passed - senders.reduce((sum, sender) => sum + failedOf(sender), 0);
  if (nameless >= messages * badShares.strangers)
    return {
      state: "warning",
      says: `${passing}. Reports don’t say which addresses sent ${toNumber(nameless)} of the messages that fail.`,
      page,
    };
  return { state: "fine", says: `${passing}, from ${toPlural(senders.length, "sender", "senders")}.`, page };
}

type Evaluated = { readonly notices: number; readonly authenticatedNotices: number; readonly isLearning: boolean };

/** Null: not evaluated yet. */
export function toComplaintsStanding(evaluated: Evaluated | null): StandingWords {
  const page = "#feedback";
  if (evaluated === null) return { state: "unknown", says: "Not evaluated yet. This happens once an hour.", page };
  const { notices, authenticatedNotices, isLearning } = evaluated;
  if (notices === 0)
    return { state: "unknown", says: "No bounce or complaint has arrived here in 35 days, so there is no rate.", page };
  const toCount = (some: number) => `${toPlural(some, "bounce or complaint", "bounces and complaints")} in 35 days`;
  if (authenticatedNotices === 0)
    return { state: "unknown", says: `${toCount(notices)}, none authenticated, so they don’t count.`, page };
  const count = toCount(authenticatedNotices);
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
  if (reporters === 0) return { state: "unknown", says, page };
  if (next === null) return { state: "fine", says, page };
  return { state: isSafe === null ? "unknown" : "next", says, page };
}
