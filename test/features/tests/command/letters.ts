// Two letters to read the output by: one in order, and one with many faults.

import { type Analysis, analyzeMessage } from "../../../../src/analyzer/analyze-message.ts";
import { createZoneDns } from "../../../../src/analyzer/dns/zone.ts";
import { type Style, toStyle } from "../../../../src/features/tests/formats/style.ts";
import { analystFor, inputOf, type Letter, zoneOf } from "../../../analyzer/domain-cases/verdict-world.ts";
import { testTerminal } from "../../../platform/cli/terminal.ts";

export const healthy: Letter = {
  headers: ["MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8"],
  body: "Dear Bob,\r\n\r\nthe answer is here, as I promised on Monday.\r\n\r\nYours\r\nAnn\r\n",
  sign: { key: "rsa2048" },
  ip: "198.51.100.20",
  helo: "mail.a.example",
  mailFrom: "ann@a.example",
  zone: {
    "a.example": {
      A: ["198.51.100.1"],
      MX: [{ preference: 10, exchange: "mail.a.example" }],
      TXT: ["v=spf1 a:mail.a.example -all"],
    },
    "mail.a.example": { A: ["198.51.100.20"], TXT: ["v=spf1 a -all"] },
    "20.100.51.198.in-addr.arpa": { PTR: ["mail.a.example"] },
    "_dmarc.a.example": { TXT: ["v=DMARC1; p=reject; rua=mailto:dmarc@a.example"] },
  },
};

const page = [
  '<!DOCTYPE html><html lang="en"><head><title>Books</title></head><body>',
  "<p>Dear {{first_name}}, see what is new in our shop this week, and take a book home.</p>",
  '<p><a href="https://shop.example/c?u=7">https://a.example/new</a></p>',
  '<img src="https://a.example/1.png" width="300" height="200"><img src="https://a.example/2.png" width="300" height="200">',
  "<p>Harrow Lane 4, London N1 2AB.</p></body></html>",
];

export const faulty: Letter = {
  headers: ["MIME-Version: 1.0", "Content-Type: text/html; charset=utf-8", "List-Unsubscribe: <mailto:u@a.example>"],
  body: `${page.join("\r\n")}\r\n`,
  sign: [],
  ip: "198.51.100.99",
  helo: "mail.a.example",
  mailFrom: "ann@a.example",
  zone: { ...healthy.zone, "_dmarc.a.example": { TXT: [] } },
};

export function analyze(letter: Letter): Promise<Analysis> {
  return analyzeMessage(inputOf(letter), analystFor(createZoneDns(zoneOf(letter))));
}

export function styleOf(columns: number | null = null): Style {
  return toStyle({ ...testTerminal({ LANG: "C.UTF-8" }), columns });
}
