// The prepared messages in the order in which they are shown: first the healthy ones, then those with one problem each,
// worst first, and last the one that "Send me a sample" sends.

import { type AttachedFile, type Prepared, type SendingHost, site, toLink, toParagraph } from "./letter.ts";
import { fold, toNewsletter, toPictureLetter } from "./newsletter.ts";
import { toOrder } from "./order.ts";

const own: SendingHost = { address: "192.0.2.10", helo: "mail.meadow.example", domain: "bounce.meadow.example" };
const nameless: SendingHost = { ...own, address: "192.0.2.77", helo: "out.meadow.example" };
const unlisted: SendingHost = { ...own, address: "192.0.2.66", helo: "relay.bramble.example" };
const service: SendingHost = {
  address: "192.0.2.140",
  helo: "out.sendwell.example",
  domain: "bounce.sendwell.example",
};

const wellSent = { host: own, signedBy: "meadow.example" };

/** Looks like a Windows program by its first bytes, and is harmless: the rest is a sentence. */
const noProgram: AttachedFile = {
  fileName: "invoice.pdf",
  type: "application/pdf",
  bytes: Buffer.concat([
    Buffer.from("MZ"),
    Buffer.alloc(126),
    Buffer.from("This is no program. It is a sample of the laboratory.\n"),
  ]),
};

/** More than Gmail shows of a message. */
const longTail = Array.from({ length: 420 }, (_, index) =>
  toParagraph(
    fold(
      `Pattern ${index + 1}: cast on ${40 + (index % 60)} stitches, knit ${2 + (index % 9)} rows, change to the next shade, and repeat until the piece is as long as your arm.`,
    ),
  ),
);

const shop = "www.meadow.example/yarns";
const aboutSample = "This message is a sample that Assay wrote, with three mistakes in it. The shop does not exist.";

export const preparedMessages = [
  {
    id: "newsletter",
    title: "Healthy newsletter",
    says: "No issues: signed, authenticated, and with one-click unsubscribe.",
    finding: null,
    ...wellSent,
    letter: toNewsletter(),
  },
  {
    id: "order",
    title: "Healthy order confirmation",
    says: "No issues: a receipt for one customer, signed and authenticated.",
    finding: null,
    ...wellSent,
    letter: toOrder(),
  },
  {
    id: "unaligned",
    title: "Signed for another domain",
    says: "A sending service signs with its own domain, so the From domain is not authenticated.",
    finding: "dmarc-result.policy-reject",
    host: service,
    signedBy: "sendwell.example",
    letter: toNewsletter(),
  },
  {
    id: "changed-body",
    title: "Changed after signing",
    says: "A relay added a footer, so the DKIM signature no longer matches the body.",
    finding: "dkim-signature.body-changed",
    ...wellSent,
    letter: toOrder(),
    changed: (message) =>
      message.replace("\r\n\r\nMeadow and Thread, 4", "\r\n\r\nChecked for viruses.\r\n\r\nMeadow and Thread, 4"),
  },
  {
    id: "no-reverse-name",
    title: "No reverse DNS",
    says: "The sending IP address has no reverse DNS (PTR).",
    finding: "ptr-record.missing",
    host: nameless,
    signedBy: "meadow.example",
    letter: toOrder(),
  },
  {
    id: "disguised-file",
    title: "Program disguised as an invoice",
    says: "The attachment is named invoice.pdf, but it starts like a Windows program. It is harmless.",
    finding: "attachment-refused.blocked",
    ...wellSent,
    letter: toOrder({ files: [noProgram] }),
  },
  {
    id: "unsigned",
    title: "No DKIM signature",
    says: "The message has no DKIM signature. Only SPF authenticates it.",
    finding: "dkim-present.missing",
    host: own,
    signedBy: null,
    letter: toOrder(),
  },
  {
    id: "not-permitted",
    title: "SPF fails",
    says: "The SPF record for the domain does not allow the address that sent the message.",
    finding: "spf-result.fail",
    host: unlisted,
    signedBy: "meadow.example",
    letter: toOrder(),
  },
  {
    id: "no-way-out",
    title: "Newsletter without unsubscribe",
    says: "No List-Unsubscribe header, and no unsubscribe link in the text.",
    finding: "list-unsubscribe.missing",
    ...wellSent,
    letter: toNewsletter({ hasWayOut: false }),
  },
  {
    id: "borrowed-name",
    title: "Misleading sender name",
    says: "The display name is another person’s email address.",
    finding: "display-name.other-address",
    ...wellSent,
    letter: toOrder({ from: '"service@bramble.example" <orders@meadow.example>' }),
  },
  {
    id: "misleading-link",
    title: "Misleading link",
    says: "A link shows one address and opens another.",
    finding: "link-text.mismatch",
    ...wellSent,
    letter: toOrder({
      more: [toParagraph(`Pay here: ${toLink("https://pay.bramble.example/", `${site}/pay`)}`)],
      moreText: ["Pay here: https://pay.bramble.example/"],
    }),
  },
  {
    id: "only-pictures",
    title: "Images only",
    says: "The message contains no text besides its images.",
    finding: "image-balance.image-only",
    ...wellSent,
    letter: toPictureLetter(),
  },
  {
    id: "cut-off",
    title: "Clipped by Gmail",
    says: "The HTML is larger than the 102 KB that Gmail shows, so the unsubscribe link at its end is cut off.",
    finding: "html-clipping.clipped",
    ...wellSent,
    letter: toNewsletter({ more: longTail }),
  },
  {
    id: "hidden-target",
    title: "Short link and tracking pixel",
    says: "A short link hides its destination, and a one-pixel image tracks opens.",
    finding: "link-shortener.public",
    ...wellSent,
    letter: toNewsletter({
      more: [
        toParagraph(`Our winter sale has begun: ${toLink("https://bit.ly/3wool", "see what is left")}.`),
        '<img src="https://click.meadow.example/open?letter=november&amp;reader=7d1f0c"\n width="1" height="1" alt="" style="display:block">',
      ],
      moreText: "Our winter sale has begun: https://bit.ly/3wool",
    }),
  },
  {
    id: "sample",
    title: "Newsletter sent in a hurry",
    says: "Signed and authenticated, with three issues: an unreplaced merge tag, no List-Unsubscribe header, and a misleading link.",
    finding: "placeholders.left-over",
    others: ["list-unsubscribe.missing", "link-text.mismatch"],
    ...wellSent,
    letter: toNewsletter({
      greeting: "Dear {{first_name}},",
      hasWayOutFields: false,
      more: [
        toParagraph(`You can see them all at ${toLink("https://click.sendwell.example/l/3f9a", shop)}.`),
        toParagraph(aboutSample),
      ],
      moreText: `You can see them all at ${shop}.\n\n${aboutSample}`,
    }),
  },
] as const satisfies readonly Prepared[];

export type PreparedId = (typeof preparedMessages)[number]["id"];
export const preparedIds = preparedMessages.map(({ id }) => id) as readonly PreparedId[];
