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

describe("a message is taken for", () => {
  test.each<[string, Kind, Letter]>([
    ["a letter", "personal", {}],
    ["a reply", "personal", { subject: "Re: Lunch", headers: ["In-Reply-To: <1@b.example>"] }],
    ["a newsletter that can be left", "bulk", { headers: [unsubscribe] }],
    ["a newsletter with a name", "bulk", { headers: ["List-Id: News <news.a.example>"] }],
    ["what calls itself bulk", "bulk", { headers: ["Precedence: bulk"] }],
    [
      "a campaign with a link to leave",
      "bulk",
      { headers: campaign, html: '<p>News</p><a href="https://a.example/unsubscribe">Unsubscribe</a>' },
    ],
    ["an offer with a Feedback-ID", "bulk", { headers: ["Feedback-ID: 1:2:3:shop"], subject: "Sale: 50% off" }],
    [
      "tracked links and an offer",
      "bulk",
      {
        subject: "Rabatt! Jetzt kaufen",
        html: [1, 2, 3].map((id) => `<a href="https://a.example/?utm_campaign=x&id=${id}">Go</a>`).join(""),
      },
    ],
    [
      "mark-up of an offer beside a link to leave",
      "bulk",
      {
        html: '<script type="application/ld+json">{"@type":"DiscountOffer"}</script><p>x</p><a href="https://a.example/unsubscribe">Unsubscribe</a>',
      },
    ],
    ["what a service for campaigns sent", "bulk", { headers: campaign }],
    ["an offer alone", "bulk", { subject: "Sale: 50% off" }],
    [
      "a message of a program by a service that adds Feedback-ID and counts clicks by itself",
      "transactional",
      {
        headers: ["X-SES-Outgoing: 2026.11.21", "Feedback-ID: 1.eu-west-1.x=:AmazonSES"],
        html: [1, 2, 3].map((id) => `<a href="https://x.r.eu-west-1.awstrack.me/L0/${id}">Go</a>`).join(""),
      },
    ],
    ["what a program made", "transactional", { headers: ["Auto-Submitted: auto-generated"] }],
    ["what a program's mailbox sent", "transactional", { from: "no-reply@a.example" }],
    ["what a part of a program's mailbox sent", "transactional", { from: "shop-receipts@a.example" }],
    ["a mailbox with a person's name", "personal", { from: "Otto Orderly <otto.orderly@a.example>" }],
    ["an automatic reply", "auto-reply", { headers: ["Auto-Submitted: auto-replied"] }],
    ["an automatic reply of old", "auto-reply", { headers: ["X-Autoreply: yes"] }],
    ["one that calls itself so", "auto-reply", { headers: ["Precedence: auto_reply"] }],
    ["somebody is away", "auto-reply", { subject: "Out of Office", headers: ["In-Reply-To: <1@b.example>"] }],
    ["somebody writes of being away", "personal", { subject: "Out of Office" }],
  ])("%s: %s", (_, kind, letter) => {
    const fact = infer(letter);
    expect(fact.kind, saysOf(fact)).toBe(kind);
    expect(fact.reasons.length).toBeGreaterThan(0);
    for (const { text } of fact.reasons) expect(text).toMatch(/^\S.*\.$/);
  });
});

describe("a mark of a transaction outweighs List-Unsubscribe and the signs of a campaign", () => {
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
  ])("%s: %s", (_, subject) => {
    const fact = infer({ headers, subject });
    expect(fact.kind, saysOf(fact)).toBe("transactional");
  });

  test("also at the beginning of the text", () => {
    expect(infer({ headers, html: "<p>Thank you for your order, Bob.</p>" }).kind).toBe("transactional");
  });

  test("also by its mark-up", () => {
    const html = '<script type="application/ld+json">{"@type":"ParcelDelivery"}</script><p>On its way</p>';
    expect(infer({ headers, html }).kind).toBe("transactional");
  });

  test("also under the List-Id and Precedence that ticket systems write", () => {
    const subject = "Order confirmation";
    for (const declared of ["List-Id: <n.a.example>", "Precedence: bulk"])
      expect(infer({ subject, headers: ["Auto-Submitted: auto-generated", declared] }).kind).toBe("transactional");
  });

  test("not where the label of the address says that it is bulk", () => {
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
  ])("and “%s” is none", (subject) => {
    const fact = infer({ headers, subject });
    expect(fact.kind, saysOf(fact)).toBe("bulk");
  });

  test("nor is what stands far below", () => {
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
    ["its successors", "Precedence: list\r\nSender: list-owner@l.example"],
    ["Listar", "Precedence: list\r\nSender: list-bounce@l.example"],
    ["LISTSERV, where replies go to the list", "Precedence: list\r\nReply-To: List <BOB@b.example>"],
    ["an owner's list where answers go to the list", "Sender: list-errors@l.example\r\nReply-To: bob@b.example"],
    ["a list that takes its bounces itself", "Precedence: list\r\nSender: <list-bounces@l.example>"],
  ])("is told by %s", (_, header) => {
    const fact = infer({ headers: [header] });
    expect(fact).toMatchObject({
      kind: "bulk",
      mailingList: true,
      forwarded: { value: { is: true, verified: false } },
    });
  });

  test.each([
    ["a list that nobody can post to", "List-Post: NO"],
    ["a newsletter with a web page", "List-Post: <https://a.example/p/1>"],
    ["a newsletter with a name", "List-Id: <news.a.example>"],
    ["a newsletter that is answered elsewhere", "Precedence: bulk\r\nReply-To: help@a.example"],
    ["a newsletter that a service sends", "Precedence: bulk\r\nSender: bounces+1@esp.example"],
  ])("is not %s", (_, header) => {
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

  test("is proved by a chain of seals that verifies, with what its first stop found", () => {
    const results =
      "mx.l.example; spf=pass smtp.mailfrom=a.example; dkim=fail (bad; body) header.d=x; dkim=pass header.d=a.example; dmarc=pass";
    expect(infer({}, chain("l.example", results)).forwarded).toMatchObject({
      value: { is: true, verified: true, by: "l.example", first: { spf: "pass", dkim: "pass", dmarc: "pass" } },
    });
  });

  test.each([
    ["the author's own organisation", chain("mail.a.example"), {}],
    ["the service that the author sends by", chain("sendgrid.net"), { headers: ["X-SG-EID: 1"] }],
    [
      "Microsoft 365 on the way out",
      chain("microsoft.com", "mx.microsoft.com 1; spf=pass smtp.mailfrom=a.example; dmarc=pass action=none"),
      {},
    ],
  ])("is not proved by a seal of %s", (_, evidence, letter) => {
    expect(infer(letter, evidence).forwarded).toMatchObject({ value: { is: false, verified: false, first: null } });
  });

  test("is proved by Microsoft 365 where it took the message from elsewhere", () => {
    const results = "mx.microsoft.com 1; spf=pass (sender ip is 192.0.2.1) smtp.mailfrom=a.example; dmarc=pass";
    expect(infer({}, chain("microsoft.com", results)).forwarded).toMatchObject({ value: { verified: true } });
  });

  test("is not proved by a chain that is broken", () => {
    const broken = {
      ...noArc,
      present: true,
      result: "fail",
      sealers: [{ instance: 1, domain: "l.example", selector: "s" }],
    } as const;
    expect(infer({}, { arc: known(broken) }).forwarded).toMatchObject({ value: { is: false, verified: false } });
  });

  test("is not known while DNS does not answer for the chain", () => {
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
  ])("is claimed by %s", (_, headers, by) => {
    expect(infer({ headers }).forwarded).toMatchObject({ value: { is: true, verified: false, by, first: null } });
  });

  test("is not claimed by a Delivered-To of our own, nor by one of a message without a session", () => {
    expect(infer({ headers: ["Delivered-To: y@seed.example"] }).forwarded).toMatchObject({ value: { is: false } });
    const session = { mailFrom: null, rcptTo: [] };
    expect(infer({ headers: ["Delivered-To: me@c.example"] }, { session }).forwarded).toMatchObject({
      value: { is: false },
    });
  });

  test("reads results behind comments, in linear time", () => {
    expect(readResults("x; SPF = softfail (why; dmarc=pass); dkim/1=none")).toEqual({
      spf: "softfail",
      dkim: "none",
      dmarc: null,
    });
    expect(readResults("(".repeat(10_000)).spf).toBeNull();
  });
});

describe("the service", () => {
  test("is told by the return path, also that of an upload", () => {
    const session = { mailFrom: "b-1@eu-west-1.amazonses.com", rcptTo: [] };
    expect(infer({}, { session }).esp).toEqual({ name: "Amazon SES", shared: true, transactional: true });
    const upload = { mailFrom: null, rcptTo: [] };
    expect(infer({ headers: ["Return-Path: <x@bounce.mcsv.net>"] }, { session: upload }).esp?.name).toBe("Mailchimp");
  });

  const ptr = (...names: string[]): Partial<KindEvidence> => ({
    ptr: known({ count: 1, names, forward: [], confirmed: names, generic: null, pattern: null }),
  });

  test("is told by the reverse name", () => {
    expect(infer({}, ptr("mail1.rsgsv.net")).esp?.name).toBe("Mailchimp");
  });

  test("sends from a dedicated address when the reverse name is the author's", () => {
    expect(infer({ headers: ["X-SG-EID: 1"] }, ptr("o1.news.a.example")).esp?.shared).toBe(false);
    expect(infer({ headers: ["X-SG-EID: 1"] }, ptr("o1.sendgrid.net")).esp?.shared).toBe(true);
  });

  test("is none for a letter", () => {
    expect(infer({}).esp).toBeNull();
  });
});

test("a person may say otherwise, and the report still tells what it looked like", () => {
  const fact = infer({ headers: [unsubscribe] }, { override: "transactional" });
  expect(fact).toMatchObject({ kind: "transactional", overridden: true });
  expect(fact.source).toBe("person");
  expect(fact.confidence).toBe(1);
  const [said] = fact.reasons;
  expect(said?.text).toBe("Set manually. Detected as bulk.");
  expect(fact.reasons.map(({ text }) => text)).toContain("It has a List-Unsubscribe header.");
});

test.each([1, 2])("the reasons say nothing false about %i images", (count) => {
  const html = `<p>News</p>${'<img src="https://a.example/i.png">'.repeat(count)}`;
  expect(saysOf(infer({ html }))).toContain("at least one image");
});
