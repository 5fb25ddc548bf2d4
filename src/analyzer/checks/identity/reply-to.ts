import { defineCheck, notApplicable, passed, skipped } from "../check.ts";
import type { Facts } from "../facts.ts";
import { freemailProviderOf } from "../freemail-table.ts";
import { valuesOf } from "../mail-domain.ts";
import { authorOf, isSameMailbox, noAuthor, type Party, quoted, toParty } from "../party.ts";
import { isAuthentic } from "./envelope-sender.ts";

export const replyTo = defineCheck({
  id: "reply-to",
  helpPage: "fix-sender-identity",
  label: "Reply-To",
  owner: "email-service",
  asks: "whether replies go where recipients expect",
  why: "Fraudsters often direct replies away from the address that recipients see.",
  refs: ["RFC 5322 §3.6.2"],
  needs: ["message", "kind"],
  wants: ["dmarcResult"],
  passes: "No Reply-To header from another organization.",
  findings: {
    freemail: {
      severity: "major",
      title: "Replies go to a free mailbox",
      says: "Mail from {fromDomain} directs replies to the free mailbox {address}.",
      fix: "Set Reply-To to an address at {fromDomain}.",
    },
    elsewhere: {
      severity: "info",
      title: "Replies go to another organization",
      says: "Replies go to {address}, not to {fromDomain}.",
      fix: null,
    },
    "to-recipient": {
      severity: "minor",
      cost: 8,
      title: "Replies go to the recipient",
      says: "Replies would go to the recipient, {address}.",
      fix: "Set Reply-To to your own address.",
    },
    unreadable: {
      severity: "minor",
      cost: 8,
      title: "Unreadable Reply-To",
      says: "The Reply-To header has no valid address ({value}).",
      fix: "Set Reply-To to one address, or remove it.",
      why: "Replies go to the From address, or fail.",
    },
  },
  run({ message, kind, dmarcResult }) {
    const author = authorOf(message);
    if (author === null) return notApplicable(noAuthor);
    const answering = message.replyTo.list.slice(0, maxAnswering).flatMap((mailbox) => toParty(mailbox) ?? []);
    const [value = ""] = valuesOf(message, "reply-to");
    if (value !== "" && message.replyTo.list.every(({ problem }) => problem !== null))
      return [{ finding: "unreadable", data: { value: quoted(value) } }];
    if (answering.length === 0) return passed();
    if (!kind.mailingList && areRecipients(answering, author, message))
      return [{ finding: "to-recipient", data: { address: quoted(answering[0]?.address ?? "") } }];
    const foreign = answering.filter(({ organisation }) => organisation !== author.organisation);
    const [first] = foreign;
    if (first === undefined) return passed();
    const free = freemailProviderOf(author.domain) === null ? foreign.find(isFree) : undefined;
    const elsewhere = [
      { finding: "elsewhere", data: { fromDomain: author.domain, address: quoted(first.address) } },
    ] as const;
    if (free === undefined) return elsewhere;
    const authentic = dmarcResult.known ? isAuthentic(dmarcResult.value) : dmarcResult;
    if (!authentic.known) return skipped(authentic.why);
    if (authentic.value) return elsewhere;
    return [{ finding: "freemail", data: { fromDomain: author.domain, address: quoted(free.address) } }];
  },
});

const maxAnswering = 20;

function isFree({ domain }: Party): boolean {
  return freemailProviderOf(domain) !== null;
}

/** True if all reply addresses are recipients. A group conversation also lists the author. */
function areRecipients(answering: readonly Party[], author: Party, { to }: Facts["message"]): boolean {
  const recipients = to.list.slice(0, maxAnswering).flatMap((mailbox) => toParty(mailbox) ?? []);
  const isRecipient = (one: Party) => recipients.some((recipient) => isSameMailbox(one, recipient));
  return answering.every(isRecipient) && !isRecipient(author);
}
