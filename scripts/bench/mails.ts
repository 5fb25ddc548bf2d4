// The messages that the benchmarks send: one of each common kind, signed with DKIM like nearly all real mail, and the
// DNS zone for their verdicts. Generated from a seed, so that every run sends the same.

import { createCipheriv, generateKeyPairSync } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTransport, type SendMailOptions } from "nodemailer";
import type { Zone } from "../../src/analyzer/dns/zone.ts";

export const mailSizes = ["3 KB", "60 KB", "1 MB"] as const;
export type MailSize = (typeof mailSizes)[number];

export type Mails = {
  readonly sender: string;
  /** Each in a file, with the line ends that smtp-source needs. */
  readonly files: Readonly<Record<MailSize, string>>;
  readonly bodies: Readonly<Record<MailSize, string>>;
  readonly zone: Zone;
};

const domain = "sender.example";
const selector = "bench";

export async function writeMails(folder: string): Promise<Mails> {
  mkdirSync(folder, { recursive: true });
  const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const privateKey = keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const publicKey = keys.publicKey.export({ type: "spki", format: "der" }).toString("base64");
  const transport = createTransport({
    streamTransport: true,
    buffer: true,
    newline: "windows",
    dkim: { domainName: domain, keySelector: selector, privateKey },
  });
  const write = async (size: MailSize): Promise<[string, string]> => {
    const { message } = await transport.sendMail({ ...envelope, ...contents[size]() });
    const body = message.toString().replaceAll("\r\n", "\n");
    const file = join(folder, `${size.replace(" ", "-")}.eml`);
    writeFileSync(file, body);
    return [file, body];
  };
  const written = { "3 KB": await write("3 KB"), "60 KB": await write("60 KB"), "1 MB": await write("1 MB") };
  return {
    sender: `news@${domain}`,
    files: { "3 KB": written["3 KB"][0], "60 KB": written["60 KB"][0], "1 MB": written["1 MB"][0] },
    bodies: { "3 KB": written["3 KB"][1], "60 KB": written["60 KB"][1], "1 MB": written["1 MB"][1] },
    zone: {
      [domain]: { TXT: ["v=spf1 ip4:127.0.0.1 -all"] },
      [`_dmarc.${domain}`]: { TXT: ["v=DMARC1; p=reject; rua=mailto:dmarc@sender.example"] },
      [`${selector}._domainkey.${domain}`]: { TXT: [inParts(`v=DKIM1; k=rsa; p=${publicKey}`)] },
    },
  };
}

const envelope: SendMailOptions = {
  from: `Sender's News <news@${domain}>`,
  to: "Reader <reader@receiver.example>",
  date: new Date(Date.UTC(2026, 0, 5, 9)),
  messageId: `<20260105.0900@${domain}>`,
};

const contents: Readonly<Record<MailSize, () => SendMailOptions>> = {
  "3 KB": () => ({ subject: "Your account summary", text: prose(2_300, 1) }),
  "60 KB": () => ({
    subject: "New this week: forty offers for the season",
    headers: {
      "List-Unsubscribe": `<https://${domain}/unsubscribe?u=8a3f>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    },
    textEncoding: "quoted-printable",
    text: prose(7_000, 2),
    html: newsletter(61),
  }),
  "1 MB": () => ({
    subject: "Invoice 2026-0117",
    text: prose(1_500, 3),
    attachments: [{ filename: "invoice.pdf", contentType: "application/pdf", content: incompressible(725_000) }],
  }),
};

const words =
  "the of and to in is you that it for was on are as with his they at be this from have or by one had not but what all were when we there can an your which their said if do will each about how up out them then she many some so these would other into has more her two like him see time could no make than first been its who now people my made over did down only way find use may water long little very after words called just where most know get through back much before go good new write our used me man too any day same right look think also around another came come work three word must because does part even place well such here take why things help put years different away again off went old number great tell men say small every found still between name should home big give air line set own under read last never us left end along while might next sound below saw something thought both few those always looked show large often together asked house".split(
    " ",
  );

/** A linear congruential generator: the same seed gives the same numbers. */
function createDraw(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

function prose(length: number, seed: number): string {
  const draw = createDraw(seed);
  let text = "";
  let column = 0;
  while (text.length < length) {
    const word = words[draw(words.length)] ?? "";
    const isLineEnd = column + word.length > 70;
    text += word + (isLineEnd ? "\n" : " ");
    column = isLineEnd ? 0 : column + word.length + 1;
  }
  return `${text.trimEnd()}.\n`;
}

export function newsletter(offers: number): string {
  const draw = createDraw(4);
  const rows = Array.from({ length: offers }, (_, offer) => {
    const url = `https://click.${domain}/track?c=${draw(1e9).toString(36)}&amp;o=${offer}&amp;utm_source=news`;
    return `<tr><td style="padding:16px;font-family:Arial,sans-serif;font-size:14px;color:#333333"><a href="${url}"><img src="https://img.${domain}/offers/${draw(1e9).toString(36)}.png" width="280" height="180" alt="${prose(20, offer).trim()}" style="display:block;border:0"></a><h2 style="margin:8px 0;font-size:18px">${prose(24, offer + 100).trim()}</h2><p style="line-height:1.5">${prose(160, offer + 200).trim()} — nur 19,90 €</p><a href="${url}" style="background:#0055aa;color:#ffffff;padding:8px 14px">Buy now</a></td></tr>`;
  });
  const footer = `<tr><td style="padding:16px;font-family:Arial,sans-serif;font-size:12px;color:#595959">You get this letter because you asked for it. <a href="https://${domain}/unsubscribe?u=8a3f">Unsubscribe</a><br>Sender's News, Hauptstraße 5, 10115 Berlin</td></tr>`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>News</title><style>@media (max-width:600px){td{display:block}}</style></head><body><table role="presentation" width="600">${rows.join("\n")}${footer}</table></body></html>`;
}

/** Like the content of a PDF, which is already compressed. */
function incompressible(sizeBytes: number): Buffer {
  const key = Buffer.alloc(16, 7);
  return createCipheriv("aes-128-ctr", key, key).update(Buffer.alloc(sizeBytes));
}

/** A string in DNS has at most 255 bytes. */
function inParts(text: string): string[] {
  return text.match(/.{1,255}/g) ?? [];
}
