// Composes the message to send. It is complete before it is signed and is never changed afterwards.

import MailComposer from "nodemailer/lib/mail-composer";
import type { OwnSender } from "../../../analyzer/mail/headers/own-sender.ts";
import { type Sample, toSample } from "../../../analyzer/mail/sample.ts";
import { readUnsubscribe } from "../contract.ts";

type Composition = {
  readonly sender: OwnSender;
  readonly to: string;
  readonly subject: string;
  /** If either is given, it replaces the whole sample. */
  readonly html: string | undefined;
  readonly text: string | undefined;
  readonly sentAt: number;
  /** With angle brackets. */
  readonly messageId: string;
  readonly token: string;
  readonly baseUrl: string;
};

export async function composeSample(asked: Composition): Promise<Uint8Array> {
  const { sender, to, subject, sentAt, messageId, token, baseUrl } = asked;
  const date = new Date(sentAt);
  const unsubscribeUrl = `${baseUrl}${readUnsubscribe.path}`;
  const sample = toSample({ baseUrl, unsubscribeUrl, writtenAt: date.toUTCString(), mark: token });
  const composer = new MailComposer({
    from: { name: sender.name ?? "", address: sender.address },
    to,
    subject,
    date,
    messageId,
    ...pickContent(asked, sample),
    headers: {
      "List-Unsubscribe": `<${unsubscribeUrl}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      "List-Id": `Assay samples <samples.${sender.domain}>`,
      "X-Assay-Id": token,
    },
    textEncoding: "quoted-printable",
    normalizeHeaderKey: (name) => (name.toLowerCase() === "x-assay-id" ? "X-Assay-Id" : name),
    // The caller's content must never make the composer read files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return await composer.compile().build();
}

function pickContent({ html, text }: Composition, sample: Sample) {
  if (html !== undefined || text !== undefined)
    return {
      ...(html !== undefined && { html: withLineEnds(html) }),
      ...(text !== undefined && { text: withLineEnds(text) }),
    };
  const { cid, fileName, type, bytes } = sample.image;
  const attachment = { cid, filename: fileName, contentType: type, content: Buffer.from(bytes) };
  return {
    html: withLineEnds(sample.html),
    text: withLineEnds(sample.text),
    attachments: [{ ...attachment, contentDisposition: "inline" as const }],
  };
}

/** RFC 5321 §2.3.8: the composer leaves bare line feeds unchanged. */
function withLineEnds(text: string): string {
  return text.replace(/\r\n|\r|\n/g, "\r\n");
}
