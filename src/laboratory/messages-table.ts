// The prepared messages, in the order that they are shown in: the healthy ones, then one fault each, the gravest first, and
// last the one that "Send me a sample" sends.

import { type AttachedFile, type Prepared, type SendingHost, site, toLink, toParagraph } from "./letter.ts";
import { fold, toNewsletter, toPictureLetter } from "./newsletter.ts";
import { toOrder } from "./order.ts";

const own: SendingHost = {
  address: "192.0.2.10",
  helo: "mail.meadow.example",
  domain: "bounce.meadow.example",
};
const nameless: SendingHost = { ...own, address: "192.0.2.77", helo: "out.meadow.example" };
const unlisted: SendingHost = { ...own, address: "192.0.2.66", helo: "relay.bramble.example" };
const service: SendingHost = {
  address: "192.0.2.140",
  helo: "out.sendwell.example",
  domain: "bounce.sendwell.example",
};

const wellSent = { host: own, signedBy: "meadow.example" };

/** Looks like a program of Windows to whoever goes by its first bytes, and does nothing: the rest is a sentence. */
const noProgram: AttachedFile = {
  fileName: "invoice.pdf",
  type: "application/pdf",
  bytes: Buffer.concat([
    Buffer.from("MZ"),
    Buffer.alloc(126),
    Buffer.from("This is no program. It is a sample of the laboratory.\n"),
  ]),
};

/** More than Gmail shows of a page. */
const longTail = Array.from({ length: 420 }, (_, index) =>
  toParagraph(
    fold(
      `Pattern ${index + 1}: cast on ${40 + (index % 60)} stitches, knit ${2 + (index % 9)} rows, change to the next shade, and repeat until the piece is as long as your arm.`,
    ),
  ),
);

const shop = "www.meadow.example/yarns";
const aboutSample =
  "This message is a sample that Assay wrote, with three mistakes in it. The shop does not exist.";

export const preparedMessages = [
  {
    id: "newsletter",
    title: "A healthy newsletter",
    says: "Everything in order: signed, permitted, and left with one click.",
    finding: null,
    ...wellSent,
    letter: toNewsletter(),
  },
  {
    id: "order",
    title: "A healthy order confirmation",
    says: "Everything in order: what one customer waits for, signed and permitted.",
    finding: null,
    ...wellSent,
    letter: toOrder(),
  },
  {
    id: "unaligned",
    title: "Proved for somebody else",
    says: "A sending service signs as itself, and nothing proves the sender that readers see.",
    finding: "dmarc-result.unaligned",
    host: service,
    signedBy: "sendwell.example",
    letter: toNewsletter(),
  },
  {
    id: "changed-body",
    title: "Changed after signing",
    says: "A relay added a footer, and the DKIM signature no longer fits the body.",
    finding: "dkim-signature.body-changed",
    ...wellSent,
    letter: toOrder(),
    changed: (message) =>
      message.replace(
        "\r\n\r\nMeadow and Thread, 4",
        "\r\n\r\nChecked for viruses.\r\n\r\nMeadow and Thread, 4",
      ),
  },
  {
    id: "no-reverse-name",
    title: "An address without a name",
    says: "The sending address has no reverse name in DNS.",
    finding: "ptr-record.missing",
    host: nameless,
    signedBy: "meadow.example",
    letter: toOrder(),
  },
  {
    id: "disguised-file",
    title: "A program dressed as an invoice",
    says: "The attachment is called invoice.pdf and begins as a program does. It is harmless.",
    finding: "attachment-refused.blocked",
    ...wellSent,
    letter: toOrder({ files: [noProgram] }),
  },
  {
    id: "unsigned",
    title: "No signature",
    says: "The message carries no DKIM signature, and only SPF speaks for it.",
    finding: "dkim-present.missing",
    host: own,
    signedBy: null,
    letter: toOrder(),
  },
  {
    id: "not-permitted",
    title: "An address that may not send",
    says: "SPF, the domain’s list of permitted senders, refuses the address that sent it.",
    finding: "spf-result.fail",
    host: unlisted,
    signedBy: "meadow.example",
    letter: toOrder(),
  },
  {
    id: "no-way-out",
    title: "A newsletter without a way out",
    says: "No unsubscribe header, and no link to unsubscribe in the text.",
    finding: "list-unsubscribe.missing",
    ...wellSent,
    letter: toNewsletter({ hasWayOut: false }),
  },
  {
    id: "borrowed-name",
    title: "A borrowed name",
    says: "The name that readers see is the address of somebody else.",
    finding: "display-name.other-address",
    ...wellSent,
    letter: toOrder({ from: '"service@bramble.example" <orders@meadow.example>' }),
  },
  {
    id: "misleading-link",
    title: "A misleading link",
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
    title: "Only pictures",
    says: "The page holds nothing to read but its pictures.",
    finding: "image-balance.image-only",
    ...wellSent,
    letter: toPictureLetter(),
  },
  {
    id: "cut-off",
    title: "Cut off by Gmail",
    says: "The page is longer than the 102 KB that Gmail shows, and the way out is lost with its end.",
    finding: "html-clipping.clipped",
    ...wellSent,
    letter: toNewsletter({ more: longTail }),
  },
  {
    id: "hidden-target",
    title: "A shortened link and a tracking pixel",
    says: "A link hides where it leads, and a picture of one pixel reports who reads.",
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
    title: "A newsletter sent in a hurry",
    says: "Signed and authenticated, with three issues: a name that was not filled in, no unsubscribe header, and a link that shows another address.",
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
