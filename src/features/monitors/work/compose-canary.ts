// Composes a canary: a short message that says what it is. It is marked as automatic and has no List-Unsubscribe, because
// it is no bulk mail. Its content has no issues, so that those in its report come from the path.

import MailComposer from "nodemailer/lib/mail-composer";
import type { OwnSender } from "../../../analyzer/mail/headers/own-sender.ts";
import { escapeMarkup } from "../../../analyzer/visible-text.ts";
import type { CanaryTerms } from "../rules/canary.ts";

type Composition = Pick<CanaryTerms, "subject" | "text" | "html"> & {
  readonly sender: OwnSender;
  readonly to: string;
  readonly sentAt: number;
  /** With angle brackets. */
  readonly messageId: string;
  readonly token: string;
};

export const canaryLabel = "canary";

/** Without the canary's name: a word in it, such as "newsletter", would change the type that the message is judged as. */
export const defaultSubject = "Assay canary: delivery check";

export async function composeCanary(asked: Composition): Promise<Uint8Array> {
  const { sender, to, sentAt, messageId, token } = asked;
  const composer = new MailComposer({
    from: { name: sender.name ?? "", address: sender.address },
    to,
    subject: asked.subject ?? defaultSubject,
    date: new Date(sentAt),
    messageId,
    ...pickContent(asked),
    headers: {
      // RFC 3834 §5, and Exchange's own field for the same: no vacation replies.
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "All",
      "X-Assay-Id": token,
    },
    textEncoding: "quoted-printable",
    normalizeHeaderKey: (key) => (key.toLowerCase() === "x-assay-id" ? "X-Assay-Id" : key),
    // A member's content must never make the composer read files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return await composer.compile().build();
}

function pickContent({ text, html, sentAt }: Composition) {
  if (text !== null || html !== null)
    return { ...(html !== null && { html: withLineEnds(html) }), ...(text !== null && { text: withLineEnds(text) }) };
  const lines = [
    "This message is a canary. Assay sends it on a schedule and expects it back, to check that mail gets through on this path.",
    `It was sent on ${new Date(sentAt).toUTCString()} by an Assay server.`,
    "You don’t need to do anything. To stop these messages, pause the canary in Assay.",
  ];
  const paragraphs = lines.map((line) => `<p>${escapeMarkup(line)}</p>`).join("\n");
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${defaultSubject}</title>
</head>
<body style="font-family: Arial, Helvetica, sans-serif; font-size: 16px; line-height: 1.5; color: #222222; background-color: #ffffff">
${paragraphs}
</body>
</html>
`;
  return { html: withLineEnds(page), text: withLineEnds(`${lines.join("\n\n")}\n`) };
}

/** RFC 5321 §2.3.8: the composer leaves bare line feeds unchanged. */
function withLineEnds(text: string): string {
  return text.replace(/\r\n|\r|\n/g, "\r\n");
}
