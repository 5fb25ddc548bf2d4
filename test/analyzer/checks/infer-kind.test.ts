import { describe, expect, test } from "vitest";
import type { Arc } from "../../../src/analyzer/checks/authentication-facts.ts";
import { known, unknown } from "../../../src/analyzer/checks/fact.ts";
import { readResults } from "../../../src/analyzer/checks/forwarding.ts";
import { inferKind, type KindEvidence } from "../../../src/analyzer/checks/infer-kind.ts";
import type { Kind, KindFact } from "../../../src/analyzer/checks/kind.ts";
import { readPage, toHtml } from "../../../src/analyzer/mail/html/page.ts";
import { toLinks } from "../../../src/analyzer/mail/links/links.ts";
import { parseMessage } from "../../../src/analyzer/mail/mime/parse.ts";

type Letter = {
  readonly from?: string;
  readonly subject?: string;
  readonly headers?: readonly string[];
  readonly text?: string;
  readonly html?: string;
};

const noArc: Arc = { present: false, result: "none", instances: 0, sealers: [], failure: null, firstResults: null };

test.each([
  ["Votre colis est prêt à partir.", false],
  ["Obtenez un prêt rapide sans justificatif.", true],
])("the stated reasons tell a loan from the French word for ready: %s", (text, isSold) => {
  expect(/bulk: .*prêt/.test(saysOf(infer({ text })))).toBe(isSold);
});

function infer(letter: Letter, rest: Partial<KindEvidence> = {}) {
  const { from = "Ann <ann@a.example>", subject = "Hello", headers = [], html, text = "See you soon." } = letter;
  const type = html === undefined ? "text/plain" : "text/html";
  const head = [`From: ${from}`, "To: bob@b.example", `Subject: ${subject}`, ...headers, "MIME-Version: 1.0"];
  const lines = [...head, `Content-Type: ${type}; charset=utf-8`, "", html ?? text];
  const message = parseMessage(Buffer.from(lines.join("\r\n"), "utf8"));
  const page = message.html ? readPage(message.html.text) : null;
  return inferKind({
    message,
    html: page && toHtml(page, { text: message.html?.text ?? "" }),
    links: toLinks(page, message.text?.text ?? ""),
    session: { mailFrom: "ann@a.example", rcptTo: ["x@seed.example"] },
    arc: known(noArc),
    dkim: unknown("timeout"),
    ptr: unknown("no-session"),
    label: null,
    override: null,
    ...rest,
  });
}

function saysOf({ reasons }: KindFact): string {
  return reasons.map(({ text, points, kind }) => `${points} ${kind}: ${text}`).join("\n");
}

const unsubscribe = "List-Unsubscribe: <https://a.example/u>";
const campaign = ["X-MC-User: 30ee3041"];

describe("the kind of a message", () => {
  test.each<[string, Kind, Letter]>([
    ["a personal message", "personal", {}],
    ["a reply", "personal", { subject: "Re: Lunch", headers: ["In-Reply-To: <1@b.example>"] }],
    ["a newsletter with an unsubscribe header", "bulk", { headers: [unsubscribe] }],
    ["a newsletter with a List-Id", "bulk", { headers: ["List-Id: News <news.a.example>"] }],
    ["a message with Precedence: bulk", "bulk", { headers: ["Precedence: bulk"] }],
    [
      "a campaign with an unsubscribe link",
      "bulk",
      { headers: campaign, html: '<p>News</p><a href="https://a.example/unsubscribe">Unsubscribe</a>' },
    ],
    ["an offer with a Feedback-ID", "bulk", { headers: ["Feedback-ID: 1:2:3:shop"], subject: "Sale: 50% off" }],
    [
      "an offer with tracked links",
      "bulk",
      {
        subject: "Rabatt! Jetzt kaufen",
        html: [1, 2, 3].map((id) => `<a href="https://a.example/?utm_campaign=x&id=${id}">Go</a>`).join(""),
      },
    ],
    [
      "markup of an offer with an unsubscribe link",
      "bulk",
      {
        html: '<script type="application/ld+json">{"@type":"DiscountOffer"}</script><p>x</p><a href="https://a.example/unsubscribe">Unsubscribe</a>',
      },
    ],
    ["a message from a campaign service", "bulk", { headers: campaign }],
    ["a promotional subject alone", "bulk", { subject: "Sale: 50% off" }],
    [
      "a transactional message through a service that adds Feedback-ID and tracks clicks",
      "transactional",
      {
        headers: ["X-SES-Outgoing: 2026.11.21", "Feedback-ID: 1.eu-west-1.x=:AmazonSES"],
        html: [1, 2, 3].map((id) => `<a href="https://x.r.eu-west-1.awstrack.me/L0/${id}">Go</a>`).join(""),
      },
    ],
    ["an auto-generated message", "transactional", { headers: ["Auto-Submitted: auto-generated"] }],
    ["a message from a no-reply address", "transactional", { from: "no-reply@a.example" }],
    ["a message from a receipts address", "transactional", { from: "shop-receipts@a.example" }],
    ["a mailbox with a person's name", "personal", { from: "Otto Orderly <otto.orderly@a.example>" }],
    ["an automatic reply", "auto-reply", { headers: ["Auto-Submitted: auto-replied"] }],
    ["an automatic reply with the old X-Autoreply header", "auto-reply", { headers: ["X-Autoreply: yes"] }],
    ["a message with Precedence: auto_reply", "auto-reply", { headers: ["Precedence: auto_reply"] }],
    ["an out-of-office reply", "auto-reply", { subject: "Out of Office", headers: ["In-Reply-To: <1@b.example>"] }],
    ["an out-of-office subject without a reply header", "personal", { subject: "Out of Office" }],
  ])("the kind is right for %s: %s", (_, kind, letter) => {
    const fact = infer(letter);
    expect(fact.kind, saysOf(fact)).toBe(kind);
    expect(fact.reasons.length).toBeGreaterThan(0);
    for (const { text } of fact.reasons) expect(text).toMatch(/^\S.*\.$/);
  });
});

describe("a transactional subject outweighs List-Unsubscribe and the signs of a campaign", () => {
  const headers = [...campaign, unsubscribe, "Feedback-ID: 1:2:3:shop"];

  test.each([
    ["en", "Your verification code is 482913"],
    ["en", "482913 is your code"],
    ["en", "Order confirmation"],
    ["en", "Your order 8812"],
    ["en", "Your order #8812 has shipped"],
    ["en", "Invoice INV-20441"],
    ["en", "Reset your password"],
    ["de", "Ihre Rechnung Nr. R-2026-81"],
    ["de", "Dein Bestätigungscode: 123456"],
    ["fr", "Commande n° 123456789"],
    ["fr", "Votre code de vérification : 1234"],
    ["es", "Confirmación de pedido"],
    ["es", "Pedido 40012345"],
    ["it", "Reimposta la password"],
    ["pt", "Código de verificação: 9921"],
    ["nl", "Bestelnummer: 30012345"],
    ["pl", "Potwierdzenie zamówienia"],
    ["cs", "Objednávka č. 20261121"],
    ["sv", "Orderbekräftelse"],
    ["fi", "Vahvistuskoodi 883311"],
    ["tr", "Doğrulama kodu: 552211"],
    ["ru", "Заказ № 77812 принят"],
    ["uk", "Відновлення пароля"],
    ["ar", "رمز التحقق 123456"],
    ["he", "קוד אימות 123456"],
    ["ja", "ご注文番号：AB-1234567"],
    ["zh", "您的验证码：394857"],
    ["ko", "인증번호 [123456]"],
    ["vi", "Mã xác minh 123456"],
  ])("in the language %s, the subject “%s” is transactional", (_, subject) => {
    const fact = infer({ headers, subject });
    expect(fact.kind, saysOf(fact)).toBe("transactional");
  });

  test("a transactional phrase at the beginning of the text counts", () => {
    expect(infer({ headers, html: "<p>Thank you for your order, Bob.</p>" }).kind).toBe("transactional");
  });

  test("transactional markup counts", () => {
    const html = '<script type="application/ld+json">{"@type":"ParcelDelivery"}</script><p>On its way</p>';
    expect(infer({ headers, html }).kind).toBe("transactional");
  });

  test("a transactional subject counts despite the List-Id and Precedence of a ticket system", () => {
    const subject = "Order confirmation";
    for (const declared of ["List-Id: <n.a.example>", "Precedence: bulk"])
      expect(infer({ subject, headers: ["Auto-Submitted: auto-generated", declared] }).kind).toBe("transactional");
  });

  test("a bulk label on the test address overrides the subject", () => {
    const subject = "Order confirmation";
    expect(infer({ subject }, { label: "bulk" }).kind).toBe("bulk");
  });

  test.each([
    "Order now: the 2026 collection",
    "Reorder your favourites",
    "Tickets for 12 concerts from 20 euros",
    "Use code SAVE20 for 20% off",
    "News of 21.11.2026",
    "Your order: 2026-11-21 at the latest",
    "Ihr Code lautet SOMMER",
    "Rechnungswesen 2026",
    "A pedido do público: 50% off",
    "Securing codes of conduct 2026",
  ])("the subject “%s” is not transactional", (subject) => {
    const fact = infer({ headers, subject });
    expect(fact.kind, saysOf(fact)).toBe("bulk");
  });

  test("a transactional phrase far down in the text does not count", () => {
    expect(infer({ headers, html: `<p>${"News. ".repeat(120)}Order confirmation</p>` }).kind).toBe("bulk");
  });
});

describe("a mailing list", () => {
  test.each([
    ["List-Post with an address", "List-Post: <mailto:list@l.example>"],
    ["Mailman", "X-Mailman-Version: 3.3"],
    ["Google Groups", "X-Google-Group-Id: 123"],
    ["ezmlm", "Mailing-List: contact list-help@l.example; run by ezmlm"],
    ["the lists of the Linux kernel and of Debian", "X-Mailing-List: linux-kernel@l.example"],
    ["Majordomo, which sends as the list's owner", "Precedence: bulk\r\nSender: owner-list@l.example"],
    ["the successors of Majordomo", "Precedence: list\r\nSender: list-owner@l.example"],
    ["Listar", "Precedence: list\r\nSender: list-bounce@l.example"],
    ["LISTSERV, where replies go to the list", "Precedence: list\r\nReply-To: List <BOB@b.example>"],
    ["a list with an owner and replies to the list", "Sender: list-errors@l.example\r\nReply-To: bob@b.example"],
    ["a list that handles its own bounces", "Precedence: list\r\nSender: <list-bounces@l.example>"],
  ])("a mailing list is recognized by %s", (_, header) => {
    const fact = infer({ headers: [header] });
    expect(fact).toMatchObject({
      kind: "bulk",
      mailingList: true,
      forwarded: { value: { is: true, verified: false } },
    });
  });

  test.each([
    ["an announcement list", "List-Post: NO"],
    ["a newsletter with a web page", "List-Post: <https://a.example/p/1>"],
    ["a newsletter with a name", "List-Id: <news.a.example>"],
    ["a newsletter with another reply address", "Precedence: bulk\r\nReply-To: help@a.example"],
    ["a newsletter sent by a service", "Precedence: bulk\r\nSender: bounces+1@esp.example"],
  ])("a mailing list is not recognized by %s", (_, header) => {
    expect(infer({ headers: [header, unsubscribe] })).toMatchObject({ kind: "bulk", mailingList: false });
  });
});

describe("forwarding", () => {
  const chain = (domain: string, firstResults: string | null = null): Partial<KindEvidence> => ({
    arc: known({
      ...noArc,
      present: true,
      result: "pass",
      instances: 1,
      sealers: [{ instance: 1, domain, selector: "s" }],
      firstResults,
    }),
  });

  test("forwarding is verified by a valid ARC chain, with the results of its first hop", () => {
    const results =
      "mx.l.example; spf=pass smtp.mailfrom=a.example; dkim=fail (bad; body) header.d=x; dkim=pass header.d=a.example; dmarc=pass";
    expect(infer({}, chain("l.example", results)).forwarded).toMatchObject({
      value: { is: true, verified: true, by: "l.example", first: { spf: "pass", dkim: "pass", dmarc: "pass" } },
    });
  });

  test.each([
    ["the author's organization", chain("mail.a.example"), {}],
    ["the author's email service", chain("sendgrid.net"), { headers: ["X-SG-EID: 1"] }],
    [
      "Microsoft 365 for outgoing mail",
      chain("microsoft.com", "mx.microsoft.com 1; spf=pass smtp.mailfrom=a.example; dmarc=pass action=none"),
      {},
    ],
  ])("forwarding is not verified by an ARC seal of %s", (_, evidence, letter) => {
    expect(infer(letter, evidence).forwarded).toMatchObject({ value: { is: false, verified: false, first: null } });
  });

  test("forwarding is verified by Microsoft 365 if it received the message from another service", () => {
    const results = "mx.microsoft.com 1; spf=pass (sender ip is 192.0.2.1) smtp.mailfrom=a.example; dmarc=pass";
    expect(infer({}, chain("microsoft.com", results)).forwarded).toMatchObject({ value: { verified: true } });
  });

  test("forwarding is not verified by a broken ARC chain", () => {
    const broken = {
      ...noArc,
      present: true,
      result: "fail",
      sealers: [{ instance: 1, domain: "l.example", selector: "s" }],
    } as const;
    expect(infer({}, { arc: known(broken) }).forwarded).toMatchObject({ value: { is: false, verified: false } });
  });

  test("forwarding is unknown while DNS does not answer for the ARC chain", () => {
    const arc = known({ ...noArc, present: true, result: "temperror" } as const);
    expect(infer({}, { arc }).forwarded).toEqual({ known: false, why: "timeout" });
  });

  test.each([
    ["Resent-From", ["Resent-From: Carl <carl@c.example>", "Resent-To: x@seed.example"], "c.example"],
    [
      "X-Forwarded-For",
      ["X-Forwarded-To: x@seed.example", "X-Forwarded-For: carl@c.example x@seed.example"],
      "c.example",
    ],
    ["a foreign Delivered-To", ["Delivered-To: carl@c.example"], "c.example"],
  ])("forwarding is claimed by %s", (_, headers, by) => {
    expect(infer({ headers }).forwarded).toMatchObject({ value: { is: true, verified: false, by, first: null } });
  });

  test("forwarding is not claimed by our own Delivered-To header, nor in an upload", () => {
    expect(infer({ headers: ["Delivered-To: y@seed.example"] }).forwarded).toMatchObject({ value: { is: false } });
    const session = { mailFrom: null, rcptTo: [] };
    expect(infer({ headers: ["Delivered-To: me@c.example"] }, { session }).forwarded).toMatchObject({
      value: { is: false },
    });
  });

  test("authentication results after comments are parsed in linear time", () => {
    expect(readResults("x; SPF = softfail (why; dmarc=pass); dkim/1=none")).toEqual({
      spf: "softfail",
      dkim: "none",
      dmarc: null,
    });
    expect(readResults("(".repeat(10_000)).spf).toBeNull();
  });
});

describe("the email service provider", () => {
  test("the email service provider is recognized by the return path, in an upload too", () => {
    const session = { mailFrom: "b-1@eu-west-1.amazonses.com", rcptTo: [] };
    expect(infer({}, { session }).esp).toEqual({ name: "Amazon SES", shared: true, transactional: true });
    const upload = { mailFrom: null, rcptTo: [] };
    expect(infer({ headers: ["Return-Path: <x@bounce.mcsv.net>"] }, { session: upload }).esp?.name).toBe("Mailchimp");
  });

  const ptr = (...names: string[]): Partial<KindEvidence> => ({
    ptr: known({ count: 1, names, forward: [], confirmed: names, generic: null, pattern: null }),
  });

  test("the email service provider is recognized by reverse DNS", () => {
    expect(infer({}, ptr("mail1.rsgsv.net")).esp?.name).toBe("Mailchimp");
  });

  test("the email service provider sends from a dedicated IP if reverse DNS names the author's domain", () => {
    expect(infer({ headers: ["X-SG-EID: 1"] }, ptr("o1.news.a.example")).esp?.shared).toBe(false);
    expect(infer({ headers: ["X-SG-EID: 1"] }, ptr("o1.sendgrid.net")).esp?.shared).toBe(true);
  });

  test("the email service provider is not taken from a header of an unsigned message, because services sign", () => {
    const dkim = known({ signatures: [], best: null, ignored: 0 });
    expect(infer({ headers: ["X-SG-EID: 1"] }, { dkim }).esp).toBeNull();
    expect(infer({ headers: ["X-SG-EID: 1"] }, { dkim, ...ptr("o1.sendgrid.net") }).esp?.name).toBe("SendGrid");
  });

  test("the email service provider is null for a personal message", () => {
    expect(infer({}).esp).toBeNull();
  });
});

test("a user can override the kind, and the report keeps the detected reasons", () => {
  const fact = infer({ headers: [unsubscribe] }, { override: "transactional" });
  expect(fact).toMatchObject({ kind: "transactional", overridden: true });
  expect(fact.source).toBe("person");
  expect(fact.confidence).toBe(1);
  const [said] = fact.reasons;
  expect(said?.text).toBe("Set manually. Detected as bulk.");
  expect(fact.reasons.map(({ text }) => text)).toContain("It has a List-Unsubscribe header.");
});

test.each([1, 2])("the stated reasons are true for %i images", (count) => {
  const html = `<p>News</p>${'<img src="https://a.example/i.png">'.repeat(count)}`;
  expect(saysOf(infer({ html }))).toContain("at least one image");
});
