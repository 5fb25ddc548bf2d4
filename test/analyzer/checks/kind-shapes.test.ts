// Messages that once got the wrong kind: donation appeals, first sales emails, system notices, messages with a
// logo, and forwarded ones.

import { describe, expect, test } from "vitest";
import { isUnsure, type Kind } from "../../../src/analyzer/checks/kind.ts";
import { infer, type Mail } from "./infer-mail.ts";

const signature =
  '<table><tr><td><img src="cid:logo" width="120" height="40" alt="Logo"></td><td>Tel. 030 1234</td></tr></table>';

function forwardInHtml(mark: string, headers: string): string {
  return `<div dir="ltr">shall we get it?</div><div class="gmail_quote">${mark}<br>${headers}<table><tr><td><a href="https://shop.example/s?utm_source=nl">Shop now: 30% off</a> <a href="https://shop.example/u">Unsubscribe</a></td></tr></table></div>`;
}

test.each<[string, Kind, Mail]>([
  [
    "a donation appeal",
    "bulk",
    {
      from: "Red Kite Trust <appeal@kites.example>",
      subject: "Will you help us this winter?",
      text: "Dear supporter,\n\n300 kites need food. Please donate today: https://kites.example/donate\n\nThank you",
    },
  ],
  [
    "a donation appeal in French",
    "bulk",
    {
      from: "Les Amis du Lac <contact@lac.example>",
      subject: "Le lac a besoin de vous",
      text: "Chers amis,\n\nFaites un don : https://lac.example/don\n\nL'équipe",
    },
  ],
  [
    "a first sales email",
    "bulk",
    {
      from: "Tim Weber <tim@leads.example>",
      subject: "Kurze Frage, Frau Maier",
      text: "Hallo Frau Maier,\n\nwir helfen Unternehmen wie Ihrem, mehr Anfragen zu bekommen. Hätten Sie diese Woche 15 Minuten?\n\nBeste Grüße\nTim Weber",
    },
  ],
  [
    "a promise of money",
    "bulk",
    {
      from: "Ana <ana@ganhos.example>",
      subject: "Ganhe dinheiro em casa",
      text: "Olá amigo,\n\nganhe R$ 3.000 por semana trabalhando em casa.\n\nAna",
    },
  ],
  [
    "a monitoring alert",
    "transactional",
    {
      from: "zabbix@ops.example",
      subject: "Problem: Disk space low on db1",
      text: "Problem started at 14:00\nProblem name: Disk space low\nHost: db1\nSeverity: High",
    },
  ],
  [
    "a log watcher's report",
    "transactional",
    {
      from: "root@ops.example",
      subject: "Report for web1",
      text: "######## Report 7.5 ########\n------- SSHD Begin -------\n------- SSHD End -------",
    },
  ],
  [
    "an appointment reminder",
    "transactional",
    {
      from: "Praxis Dr. Weiss <praxis@weiss.example>",
      subject: "Terminerinnerung",
      text: "Guten Tag,\n\nwir erinnern Sie an Ihren Termin am 3. Dezember um 10:30 Uhr.\n\nIhre Praxis Dr. Weiss",
    },
  ],
  [
    "a notice from a home camera",
    "transactional",
    {
      from: "Home <home@jane.example>",
      subject: "Camera motion",
      html: '<p>Motion seen. <a href="http://192.168.1.60/cam">Open camera</a></p>',
    },
  ],
  [
    "a quotation with a logo in the signature",
    "personal",
    {
      from: "Hans Müller <hans.mueller@fenster.example>",
      subject: "Angebot Fenster",
      html: `<div>Sehr geehrter Herr Schmidt,<br><br>anbei unser Angebot.<br><br>Mit freundlichen Grüßen<br>Hans Müller<br>${signature}</div>`,
    },
  ],
  [
    "two lines of HTML",
    "personal",
    {
      from: "Jane Doe <jane@jane.example>",
      subject: "holiday",
      html: "<p>We are off to Spain tomorrow. Can you water the plants?</p><p>Thanks! Jane</p>",
    },
  ],
])("%s: the kind is %s", (_, kind, mail) => {
  expect(infer(mail)).toMatchObject({ kind, scoredAs: kind });
});

describe("a forwarded message counts as personal", () => {
  test.each([
    ["---------- Forwarded message ---------", "From: Shop &lt;news@shop.example&gt;<br>Date: Mon<br>Subject: 30% off"],
    ["---------- Doorgestuurd bericht ---------", "Van: Shop &lt;news@shop.example&gt;<br>Onderwerp: 30% korting"],
    ["", "De : Boutique &lt;news@shop.example&gt;<br>Envoyé : lundi<br>À : Luc<br>Objet : Soldes"],
  ])("a message forwarded in HTML with %s counts as personal", (mark, headers) => {
    const html = forwardInHtml(mark, headers);
    const fact = infer({ from: "Jane Doe <jane@jane.example>", subject: "Fwd: Black Friday: 30% off", html });
    expect(fact).toMatchObject({ kind: "personal", scoredAs: "personal" });
  });

  test.each([
    ["---------- Forwarded message ---------\nDe: Tienda\nAsunto: Rebajas 50% de descuento"],
    ["Begin forwarded message:\n\nFrom: Shop <n@shop.example>\nSubject: Sale\nDate: 20 November"],
    ["Von: Shop <n@shop.example>\nGesendet: Montag\nAn: Jane\nBetreff: Rabatt"],
  ])("a message forwarded in plain text with %j counts as personal", (headers) => {
    const text = `look at this\n\n${headers}\n\n50% off. Shop now https://shop.example/a\nUnsubscribe: https://shop.example/u`;
    expect(infer({ from: "Jane Doe <jane@jane.example>", subject: "Fwd: Sale", text }).kind).toBe("personal");
  });

  test("the fields of a contact form do not count as a forwarded message", () => {
    const text = "From: Bob\nDate: 3 May\nSubject: Question\n\nDo you ship to Norway?";
    const texts = infer({ from: "noreply@shop.example", subject: "Contact form", text }).reasons.map((one) => one.text);
    expect(texts.join()).not.toContain("passes on");
  });
});

test("plain text alone leaves the kind uncertain", () => {
  expect(isUnsure(infer({ from: "x@a.example", subject: "Today", text: "It rains here." }))).toBe(true);
});

test("a request for fifteen minutes of a colleague's time is not a sales pitch", () => {
  const text = "Hi Sam,\n\nquick question: do you have 15 minutes tomorrow?\n\nBen";
  expect(infer({ from: "Ben Cole <ben@cole.example>", subject: "Quick question", text })).toMatchObject({
    kind: "personal",
  });
});
