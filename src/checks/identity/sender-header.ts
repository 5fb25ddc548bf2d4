import { defineCheck, notApplicable, passed } from "../check.ts";
import { authorOf, noAuthor, quoted, toParty } from "../party.ts";

export const senderHeader = defineCheck({
  id: "sender-header",
  area: "identity",
  label: "Sender header",
  owner: "email-service",
  asks: "whether Sender fits From",
  why: 'Outlook shows "on behalf of".',
  refs: ["RFC 5322 §3.6.2"],
  needs: ["message"],
  wants: ["kind"],
  kinds: "all",
  domain: "no",
  passes: "There is no Sender of another organisation.",
  findings: {
    differs: {
      severity: "info",
      cost: 0,
      title: "Sender header differs from From",
      says: 'Outlook will show "{sender} on behalf of {from}".',
      fix: "Optional: leave Sender out.",
    },
  },
  run({ message, kind }) {
    if (kind.known && kind.value.mailingList)
      return notApplicable("The list that sent it on names itself there.");
    const author = authorOf(message);
    if (author === null) return notApplicable(noAuthor);
    const [mailbox] = message.sender.list;
    const sender = mailbox ? toParty(mailbox) : null;
    if (sender === null || sender.organisation === author.organisation) return passed();
    return [{ finding: "differs", data: { sender: quoted(sender.address), from: quoted(author.address) } }];
  },
});
