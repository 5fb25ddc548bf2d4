import { defineCheck, notApplicable, passed } from "../check.ts";
import { authorOf, noAuthor, quoted, toParty } from "../party.ts";

export const senderHeader = defineCheck({
  id: "sender-header",
  helpPage: "fix-sender-identity",
  label: "Sender header",
  owner: "email-service",
  asks: "whether Sender and From belong to the same organization",
  why: 'Outlook shows a different Sender as "on behalf of".',
  refs: ["RFC 5322 §3.6.2"],
  needs: ["message"],
  wants: ["kind"],
  passes: "No Sender header from another organization.",
  findings: {
    differs: {
      severity: "info",
      title: "Sender header differs from From",
      says: "Outlook may show that {sender} sent it on behalf of {from}.",
      fix: "Optional: remove the Sender header.",
    },
  },
  run({ message, kind }) {
    if (kind.known && kind.value.mailingList) return notApplicable("Mailing lists put their own address in Sender.");
    const author = authorOf(message);
    if (author === null) return notApplicable(noAuthor);
    const [mailbox] = message.sender.list;
    const sender = mailbox ? toParty(mailbox) : null;
    if (mailbox && sender === null) return notApplicable("Sender has no address that can be read.");
    if (sender === null || sender.organisation === author.organisation) return passed();
    return [{ finding: "differs", data: { sender: quoted(sender.address), from: quoted(author.address) } }];
  },
});
