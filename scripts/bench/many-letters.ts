// The contents of a large database's tests: a dozen messages, and the words for the subject and sender of each copy.
// Few words are common and most are rare, so that a search may find a lot, little or nothing.

import type { Zone } from "../../src/analyzer/dns/zone.ts";
import { commonWords } from "../../src/features/people/rules/common-passwords.ts";
import type { Dice } from "../dice.ts";

export type Letter = { readonly raw: string; readonly ip: string };

const authorized = "127.0.0.1";
const stranger = "192.0.2.9";

export const letterZone: Zone = {
  "shop.example": {
    TXT: ["v=spf1 ip4:127.0.0.1 -all"],
    A: ["127.0.0.1"],
    MX: [{ preference: 10, exchange: "mx.shop.example" }],
  },
  "mx.shop.example": { A: ["127.0.0.1"] },
  "_dmarc.shop.example": { TXT: ["v=DMARC1; p=reject; rua=mailto:dmarc@shop.example"] },
  "loose.example": { TXT: ["v=spf1 +all"], A: ["127.0.0.1"] },
  "_dmarc.loose.example": { TXT: ["v=DMARC1; p=none"] },
};

const bodies = [
  "Your order has been sent.\r\n\r\nIt should be with you within three days.\r\n",
  "ACT NOW!!! You have been selected as a WINNER. Click http://192.0.2.1/claim before midnight!\r\n",
  "Hello,\r\n\r\nthe minutes of Tuesday are below. Please mend what I got wrong.\r\n",
];

/** Good and bad ones, so that scores, findings and placements differ. */
export const letters: readonly Letter[] = ["shop.example", "loose.example", "bare.example"].flatMap((domain) =>
  bodies.flatMap((body, index) =>
    [authorized, stranger].map((ip) => ({
      ip,
      raw: `From: Sender <news@${domain}>\r\nTo: reader@receiver.example\r\nSubject: Letter ${index}\r\nDate: Mon, 05 Jan 2026 09:00:00 +0000\r\nMessage-ID: <${index}.${ip}@${domain}>\r\n\r\n${body}`,
    })),
  ),
);

const oftenWords = "your order news account update invoice sale week offer welcome".split(" ");
/** Real words, so that their letters follow one another as in language. */
const rareWords = [...commonWords].filter((word) => /^[a-z]{5,}$/.test(word));

export function rareWord(number: number): string {
  return rareWords[number % rareWords.length] ?? "";
}

export function throwSubject(dice: Dice): string {
  const common = Array.from({ length: 3 }, () => oftenWords[Math.min(dice(10), dice(10))]);
  return [...common, rareWord(dice(rareWords.length)), `${dice(1_000_000)}`].join(" ");
}

/** Lower numbers send more mail. */
export function throwSenderDomain(dice: Dice): string {
  return `sender${Math.min(dice(2_000), dice(2_000), dice(2_000))}.example`;
}
