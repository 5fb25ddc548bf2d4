// The default message of send-test: what a careful newsletter sender sends, so that any issue comes from how it was
// sent. All words are ours, and links lead only to the server that sent it.

type SampleTerms = {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Unsubscribing there does nothing, because there is no subscription. */
  readonly unsubscribeUrl: string;
  /** The date in words. */
  readonly writtenAt: string;
  /** Identifies the message wherever it is seen. */
  readonly mark: string;
};

export type Sample = { readonly text: string; readonly html: string; readonly image: SampleImage };

type SampleImage = {
  readonly cid: string;
  readonly fileName: string;
  readonly type: string;
  readonly bytes: Uint8Array;
};

/** Eight growing bars, 560 by 120. */
const bars =
  "iVBORw0KGgoAAAANSUhEUgAAAjAAAAB4AgMAAACRCyDUAAAACVBMVEX08eorOkq0UyomQerdAAAAhUlEQVR42u3UMQrAIAxAUZcuPZ2L9+vcU7pIB4cipVFK398CQt4gSUmSJO1n64CBgYF52lZaGQYGBmYKphth/om5/6IwMDAw0WcNBgYGJvqswcDAwMDATMC8OMLAwMDAwAxi4rbDwMDAwMDAwMDAwMDAwMDAwMDAwMAsx1zvV5RhBjHSJ6tBBHj4QuRwhgAAAABJRU5ErkJggg==";
const imageName = "bars.png";
const alternative = "A row of eight bars, with the last one tallest";

const title = "A sample from your own server";
const paragraphs = [
  "Assay, the email tester on your server, generated this message. A member of your team sent it to see how your mail arrives.",
  "It is built like a well-made newsletter, with a plain-text part and an HTML part, an embedded image, headings, and an unsubscribe link that works with one click. The report is therefore about how the message was sent. It covers the sending IP address, the signatures, and your domain's DNS records.",
  "Open the report, start with the first fix in its plan, and then send another sample. Compare the two tests side by side.",
];
const footer = [
  "You are receiving this email because your address is a seed inbox. It was sent to no other address.",
  "Assay sample desk, 1 Example Street, Springfield, IL 62701, United States (an example, as in every sample)",
];

export function toSample({ baseUrl, unsubscribeUrl, writtenAt, mark }: SampleTerms): Sample {
  const cid = `${mark}@assay.invalid`;
  const image = { cid, fileName: imageName, type: "image/png", bytes: Buffer.from(bars, "base64") };
  const shown = { reportUrl: `${baseUrl}/`, unsubscribeUrl, writtenAt, mark };
  return { text: toText(shown), html: toHtml({ ...shown, cid }), image };
}

type SampleContent = Omit<SampleTerms, "baseUrl"> & { readonly reportUrl: string };

function toHtml({ reportUrl, unsubscribeUrl, writtenAt, mark, cid }: SampleContent & { readonly cid: string }): string {
  const shown = paragraphs.map((words) => `<p style="margin:0 0 16px">${words}</p>`).join("\n");
  const small = footer.map((words) => `<p style="margin:0 0 8px">${words}</p>`).join("\n");
  return `<!DOCTYPE html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
</head>
<body style="margin:0;padding:0;background-color:#f4f1ea;color:#2b3a4a">
<div style="display:none">How well does your mail arrive? Use this sample to find out.</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background-color:#f4f1ea">
<tr><td align="center" style="padding:24px">
<table role="presentation" width="560" cellpadding="0" cellspacing="0" style="width:100%;max-width:560px;background-color:#ffffff">
<tr><td><img src="cid:${toAttribute(cid)}" width="560" height="120" alt="${alternative}" style="display:block;width:100%;height:auto"></td></tr>
<tr><td style="padding:24px;font-family:Georgia,serif;font-size:16px;line-height:24px;color:#2b3a4a">
<h1 style="margin:0 0 16px;font-size:24px;line-height:32px">${title}</h1>
${shown}
<p style="margin:0 0 16px"><a href="${toAttribute(reportUrl)}" style="color:#8a3a18">Open your Assay server</a></p>
</td></tr>
<tr><td style="padding:0 24px 24px;font-family:Georgia,serif;font-size:14px;line-height:20px;color:#4a5866">
${small}
<p style="margin:0 0 8px"><a href="${toAttribute(unsubscribeUrl)}" style="color:#8a3a18">Unsubscribe from samples</a></p>
<p style="margin:0">Written ${toAttribute(writtenAt)}. assay-${toAttribute(mark)}</p>
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

function toText({ reportUrl, unsubscribeUrl, writtenAt, mark }: SampleContent): string {
  return [
    title,
    ...paragraphs,
    `Open your Assay server: ${reportUrl}`,
    ...footer,
    `Unsubscribe from samples: ${unsubscribeUrl}`,
    `Generated ${writtenAt}. assay-${mark}`,
    "",
  ].join("\n\n");
}

/** A server's own address needs no escaping, but an operator's may. */
function toAttribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
