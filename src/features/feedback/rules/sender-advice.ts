// What to do about a sender, from what reports count and what people said of it. A sender's name doesn't show whose account
// it is: a spoofer can use an email service too.

import { toNumber, toPlural } from "../../../analyzer/count-words.ts";
import type { NamedSource } from "../contract/domain-sources.ts";
import { toPercent } from "../words/figure-words.ts";

type Advised = Pick<NamedSource, "name" | "kind" | "messages" | "passed" | "spfAligned" | "forwarded" | "mark"> & {
  readonly domain: string;
  /** Its authenticated mail was received here. */
  readonly isProven: boolean;
};

type SenderAdvice = Pick<NamedSource, "needs" | "says">;

const fullShare = 0.98;
/** What passes this often has been set up by a person who may. */
const ownShare = 0.1;
/** Mail also comes from these because its recipients forward or filter it there, with a signature that still passes. */
const passingOn: ReadonlySet<NamedSource["kind"]> = new Set(["mailbox", "gateway"]);

export function toSenderAdvice(sender: Advised): SenderAdvice {
  const { messages, passed, forwarded, mark, kind } = sender;
  if (mark === "ignored") return toIgnored(sender);
  if (messages === 0) return { needs: "nothing", says: "Reports count no messages from it." };
  if (passed >= messages * fullShare)
    return {
      needs: "nothing",
      says: `${passed === messages ? "All" : toPercent(passed / messages, 1)} of it passes DMARC.`,
    };
  if (passed + forwarded >= messages * fullShare)
    return { needs: "nothing", says: "Receivers say that what fails was forwarded, so there is nothing to fix." };
  const isMarkedOurs = mark === "approved" || sender.isProven;
  if (kind === "forwarder" && !isMarkedOurs && sender.spfAligned === 0)
    return {
      needs: "nothing",
      says: "It forwards mail or runs mailing lists, which breaks SPF and often DKIM. There is nothing to fix.",
    };
  const ownPassed = passingOn.has(kind) ? sender.spfAligned : passed;
  const isOurs = isMarkedOurs || ownPassed >= messages * ownShare;
  return isOurs ? toSetUp(sender) : toFindOut(sender);
}

function toIgnored({ passed, messages }: Advised): SenderAdvice {
  if (passed === 0)
    return { needs: "policy", says: "You said that it isn’t yours. p=reject asks receivers to reject what fails." };
  return {
    needs: "find-out",
    says: `You said that it isn’t yours, but ${toNumber(passed)} of ${toPlural(messages, "message", "messages")} ${passed === 1 ? "passes" : "pass"} DMARC. Find out who set it up.`,
  };
}

function toFailing({ messages, passed, forwarded }: Advised): string {
  const failed = messages - passed;
  const known = forwarded > 0 ? `, ${toNumber(Math.min(forwarded, failed))} of them forwarded` : "";
  if (messages === 1) return `Its only message fails DMARC${forwarded > 0 ? ", and was forwarded" : ""}.`;
  const all = failed === messages ? "All" : toNumber(failed);
  return `${all} of ${toNumber(messages)} messages ${failed === 1 ? "fails" : "fail"} DMARC${known}.`;
}

function toSetUp(sender: Advised): SenderAdvice {
  const { domain, kind, name } = sender;
  const how: Readonly<Record<string, string>> = {
    service: `Turn on domain authentication for ${domain} at ${name}, in each account that sends.`,
    mailbox: `Turn on DKIM for ${domain} at ${name}.`,
    gateway: `Turn on DKIM for ${domain} at ${name}, or sign before mail gets there.`,
  };
  return {
    needs: "set-up",
    says: `${toFailing(sender)} ${how[kind] ?? `Sign with DKIM for ${domain} what is yours of it.`}`,
  };
}

function toFindOut({ domain, kind, name }: Advised): SenderAdvice {
  const otherwise = "If you don’t, there is nothing to fix: p=reject asks receivers to reject what fails.";
  const says: Readonly<Record<string, string>> = {
    service: `If you send with ${name}, turn on domain authentication for ${domain} there. ${otherwise}`,
    mailbox: `If you write from ${domain} with ${name}, turn on DKIM for it there. ${otherwise}`,
    gateway: `If your mail leaves through ${name}, turn on DKIM for ${domain} there. If it doesn’t, recipients filter mail with it, which can break signatures, and there is nothing to fix.`,
  };
  if (kind === "own")
    return {
      needs: "find-out",
      says: `Your DNS names these hosts, so find out what sends there. What should send, sign with DKIM for ${domain}.`,
    };
  return {
    needs: "find-out",
    says:
      says[kind] ??
      "If you don’t know it, it forwards mail or uses your name, and there is nothing to fix: p=reject asks receivers to reject what fails. If it is yours, sign its mail with DKIM.",
  };
}
