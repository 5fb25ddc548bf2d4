// The kind that all evidence together gives, for mail as it is written today in many languages.

import { describe, expect, test } from "vitest";
import { known } from "../../../src/analyzer/checks/fact.ts";
import { isUnsure } from "../../../src/analyzer/checks/kind.ts";
import { findKindRule, type RememberedKind, toRuleValue } from "../../../src/analyzer/checks/kind-rules.ts";
import { parseMessage } from "../../../src/analyzer/mail/mime/parse.ts";
import { infer, type Mail } from "./infer-mail.ts";

/** As templates are built: tables of a width, a style sheet, a picture and a button. */
function designed(body: string, button = "Go"): string {
  return `<html><head><style>@media (max-width:600px){.w{width:100%}}</style></head><body><table width="100%"><tr><td><table class="w" width="600"><tr><td><img src="https://cdn.shop.example/top.png" width="600" height="200"></td></tr><tr><td>${body}</td></tr><tr><td><table><tr><td bgcolor="#1a73e8"><a href="https://shop.example/go?id=1">${button}</a></td></tr></table></td></tr></table></td></tr></table></body></html>`;
}

const blackFriday: Mail = {
  from: "Shop <newsletter@shop.example>",
  subject: "Black Friday: 30% off everything",
  html: designed(
    `<h1>30% off everything</h1><p>Only this weekend.</p>${["shoes", "bags", "sale"].map((what) => `<a href="https://shop.example/${what}?utm_source=newsletter&utm_campaign=bf">Shop ${what}</a>`).join(" ")}<img src="https://track.shop.example/o.gif" width="1" height="1">`,
    "Shop now",
  ),
};

describe("bulk mail", () => {
  test.each<[string, Mail]>([
    ["a Black Friday email without an unsubscribe link", blackFriday],
    [
      "a promotion in German",
      {
        from: "Modehaus <hallo@modehaus.example>",
        subject: "Nur heute: 20 % Rabatt auf alles",
        html: designed("<p>Liebe Kundin, sichere dir jetzt 20 % Rabatt. Versandkostenfrei!</p>", "Jetzt shoppen"),
      },
    ],
    [
      "a newsletter from info@",
      {
        from: "Gallery <info@gallery.example>",
        subject: "Our October newsletter",
        html: designed("<h2>New exhibition</h2><p>We open on Friday.</p>", "Read more"),
      },
    ],
    ["promotional spam in plain text", { subject: "Template", html: designed("<p>Lorem ipsum dolor sit amet.</p>") }],
    [
      "spam in plain text",
      {
        from: "Sandra <x81@mail.example>",
        subject: "Lose weight fast",
        text: "Amazing new diet pill! Order now, money back guarantee. Click here: http://pills.example/buy",
      },
    ],
  ])("bulk mail includes %s", (_, mail) => {
    expect(infer(mail)).toMatchObject({ kind: "bulk", scoredAs: "bulk" });
  });

  test.each([
    ["en", "Summer sale: up to 50% off", "Shop now and save. Free shipping this week."],
    ["de", "Sommerschlussverkauf: bis zu 50 % Rabatt", "Jetzt kaufen und sparen. Versandkostenfrei."],
    ["fr", "Soldes : jusqu'à 50 % de réduction", "J'en profite. Livraison gratuite."],
    ["es", "Rebajas: hasta 50 % de descuento", "Compra ahora. Envío gratis."],
    ["it", "Saldi: fino al 50 % di sconto", "Acquista ora. Spedizione gratuita."],
    ["pt", "Saldos: até 50 % de desconto", "Compre agora. Frete grátis."],
    ["nl", "Uitverkoop: tot 50 % korting", "Shop nu. Gratis verzending."],
    ["pl", "Wyprzedaż: do 50 % taniej", "Kup teraz. Darmowa dostawa."],
    ["sv", "Rea: upp till 50 % rabatt", "Handla nu. Fri frakt."],
    ["ja", "セール開催中：最大50%オフ", "今すぐ購入。送料無料。"],
  ])("bulk mail includes a plain-text offer with the subject %s", (_, subject, text) => {
    expect(infer({ from: "Anna <anna@shop.example>", subject, text }).kind).toBe("bulk");
  });
});

/** As a campaign's template: images, social networks, and tracked links. */
function branded(body: string): string {
  const social = ["facebook.com", "twitter.com", "linkedin.com"].map(
    (host) => `<a href="https://${host}/shop"><img src="https://cdn.shop.example/${host}.png"></a>`,
  );
  return designed(`${body}${social.join("")}<img src="https://cdn.shop.example/hero.png">
    <a href="https://click.shop.example/ls/click?upn=u001.k3QzVb8f3a91c07be2">Open</a>
    <a href="https://shop.example/unsubscribe">Unsubscribe</a>`);
}

describe("mail about the recipient's own trial, plan, or setup", () => {
  test.each([
    ["Your trial ends in 3 days, Anna", "Upgrade now to keep access to all your projects."],
    ["Welcome, finish setting up", "Add your logo. Discover templates."],
    ["We couldn't process your payment", "Please update your payment method."],
    ["Your plan renews on December 1", "No action is required."],
    ["Your first report is one click away", "Create your first report. You haven't created one yet."],
    ["Deine Testphase endet in 3 Tagen", "Wähle jetzt einen Tarif."],
    ["Votre essai gratuit se termine demain", "Choisissez un abonnement."],
    ["Tu prueba gratuita termina en 2 días", "Elige un plan."],
    ["Il tuo pagamento non è andato a buon fine", "Aggiorna il metodo di pagamento."],
    ["無料トライアルが終了します", "プランをお選びください。"],
  ])("mail about the recipient's own trial, plan, or setup with the subject %s is transactional", (subject, body) => {
    const mail: Mail = { from: "Acme <hello@acme.example>", subject, html: branded(`<p>Hi Anna,</p><p>${body}</p>`) };
    expect(infer(mail)).toMatchObject({ kind: "transactional", scoredAs: "transactional" });
  });

  test.each([
    ["Start your free trial of Premium today", "Try it free for 30 days. No commitment."],
    ["Get more from your subscription", "Upgrade to Team and save 25%. Shop now."],
    ["What's new in November", "Introducing boards. Discover how to finish faster."],
    ["Welcome to Bloom: 20% off your first order", "Shop now. Exclusive offers for members only."],
  ])("mail about the recipient's own trial, plan, or setup differs from the promotion %s", (subject, body) => {
    const mail: Mail = { from: "Acme <hello@acme.example>", subject, html: branded(`<p>Hi Anna,</p><p>${body}</p>`) };
    expect(infer(mail).kind).toBe("bulk");
  });
});

describe("transactional mail", () => {
  test("transactional mail includes a receipt with an unsubscribe link and header", () => {
    const html = designed(
      '<h1>Your receipt</h1><p>Order #10023. Total $40.00.</p><a href="https://shop.example/unsubscribe">Unsubscribe</a>',
    );
    const headers = ["List-Unsubscribe: <https://shop.example/u>"];
    const fact = infer({ subject: "Your receipt from Shop", html, headers });
    expect(fact).toMatchObject({ kind: "transactional", scoredAs: "transactional" });
  });

  test.each([
    ["en", "Reset your password", "If you did not request this, ignore this email."],
    ["de", "Passwort zurücksetzen", "Falls Sie das nicht waren, ignorieren Sie diese Nachricht."],
    ["fr", "Réinitialisation du mot de passe", "Si vous n'êtes pas à l'origine, ignorez ce message."],
    ["es", "Restablecer contraseña", "Si no has sido tú, ignora este mensaje."],
    ["it", "Reimposta la password", "Se non sei stato tu, ignora questa email."],
    ["pt", "Redefinição de senha", "Se não foi você, ignore este e-mail."],
    ["nl", "Wachtwoord herstellen", "Als je dit niet was, negeer deze e-mail."],
    ["pl", "Resetowanie hasła", "Jeśli to nie Ty, zignoruj tę wiadomość."],
    ["sv", "Återställ lösenord", "Om det inte var du, ignorera detta."],
    ["ja", "パスワードの再設定", "お心当たりのない場合は無視してください。"],
  ])("transactional mail includes a password message, %s, in HTML and plain text", (_, subject, text) => {
    expect(infer({ subject, html: designed(`<p>${text}</p>`) }).kind).toBe("transactional");
    expect(infer({ subject, text }).kind).toBe("transactional");
  });

  test("transactional mail includes an invitation sent by an app", () => {
    const html = designed("<p>Ana Rossi has invited you to join the team Acme.</p>", "Accept invitation");
    expect(infer({ subject: "Ana invited you to Acme", html }).kind).toBe("transactional");
  });
});

describe("personal mail", () => {
  const person = { from: "Anna Miller <anna.miller@firm.example>", subject: "Re: Friday" };
  const answers = ["In-Reply-To: <1@mail.example>", "References: <1@mail.example>"];

  test.each([
    [
      "Outlook",
      '<html><head><style>@font-face{font-family:Calibri}p.MsoNormal{margin:0}</style></head><body><div class="WordSection1"><p class="MsoNormal">Hi Bob, the invoice is on its way.</p><table><tr><td><img src="cid:logo@x"></td><td>Anna Miller<br>Firm Ltd.</td></tr></table></div></body></html>',
    ],
    [
      "Gmail",
      '<div dir="ltr">Sounds good, are you free at noon?<div>Anna</div></div><br><div class="gmail_quote"><div class="gmail_attr">On Mon, Bob wrote:</div><blockquote class="gmail_quote">Lunch? There is a sale next door.</blockquote></div>',
    ],
    [
      "Apple Mail",
      '<html><body style="-webkit-nbsp-mode: space; line-break: after-white-space;">See you there.<br><blockquote type="cite">Friday?</blockquote></body></html>',
    ],
  ])("personal mail includes a reply with HTML from %s", (_, html) => {
    expect(infer({ ...person, headers: answers, html }).kind).toBe("personal");
  });

  test.each([
    ["en", "Are you free on Friday? I have some news.\n\nBest,\nAnna"],
    ["de", "Hast du Freitag Zeit? Es gibt Neuigkeiten.\n\nLiebe Grüße\nAnna"],
    ["fr", "Es-tu libre vendredi ?\n\nÀ bientôt,\nAnna"],
    ["es", "¿Tienes tiempo el viernes?\n\nUn abrazo,\nAnna"],
    ["it", "Sei libera venerdì?\n\nA presto,\nAnna"],
    ["ja", "金曜日は空いていますか。\n\nよろしくお願いします\nAnna"],
  ])("personal mail includes a first message in plain text, %s", (_, text) => {
    expect(infer({ ...person, subject: "Friday", text }).kind).toBe("personal");
  });
});

describe("headers that providers require", () => {
  const letter = { from: "Anna <anna@firm.example>", subject: "Friday", text: "See you soon." };
  const mails: readonly Mail[] = [
    blackFriday,
    letter,
    { subject: "Your receipt", html: designed("<p>Order 10023</p>") },
  ];
  const headers = ["List-Unsubscribe: <https://shop.example/u>", "List-Unsubscribe-Post: List-Unsubscribe=One-Click"];
  const asked: Readonly<Record<string, (mail: Mail) => Mail>> = {
    "an unsubscribe header": (mail) => ({ ...mail, headers }),
    "an unsubscribe link": (mail) =>
      mail.html === undefined
        ? { ...mail, text: `${mail.text}\nUnsubscribe from this newsletter: https://shop.example/unsubscribe?u=1` }
        : {
            ...mail,
            html: mail.html.replace(
              "</body>",
              '<p><a href="https://shop.example/u?x=1">Unsubscribe from this newsletter</a></p></body>',
            ),
          },
    "a Message-ID and a Date": (mail) => ({
      ...mail,
      headers: ["Message-ID: <1@shop.example>", "Date: Tue, 3 Mar 2026 10:00:00 +0000"],
    }),
    "alternative texts": (mail) => ({
      ...mail,
      ...(mail.html && { html: mail.html.replaceAll("<img ", '<img alt="Sale" ') }),
    }),
  };

  test.each(Object.entries(asked))(
    "headers that providers require do not change the scored kind if %s is added",
    (_, add) => {
      for (const mail of mails) expect(infer(add(mail)).scoredAs).toBe(infer(mail).scoredAs);
    },
  );

  test("headers that providers require do not change the kind through reverse DNS and DKIM of a service", () => {
    const ptr = { count: 1, names: [], forward: [], confirmed: ["mail1.rsgsv.net"], generic: null, pattern: null };
    const plain = infer(letter);
    const named = infer(letter, { ptr: known(ptr) });
    expect(named.esp?.name).toBe("Mailchimp");
    expect([named.kind, named.scoredAs, named.confidence]).toEqual([plain.kind, plain.scoredAs, plain.confidence]);
  });

  test("headers that providers require make a personal message with an unsubscribe header uncertain, and keep scoring it as personal", () => {
    const fact = infer({ ...letter, headers });
    expect(fact).toMatchObject({ kind: "bulk", scoredAs: "personal" });
    expect(isUnsure(fact) || fact.confidence === null || fact.confidence < 0.9).toBe(true);
  });
});

describe("kind rules of a workspace", () => {
  const rules: readonly RememberedKind[] = [
    { match: "label", value: "receipts", kind: "transactional" },
    { match: "from-domain", value: "shop.example", kind: "personal" },
    { match: "from", value: "newsletter@shop.example", kind: "transactional" },
  ];
  const from = (address: string, label: string | null = null) => {
    const message = parseMessage(Buffer.from(`From: A <${address}>\r\n\r\nx`));
    return findKindRule(rules, { from: message.from, label });
  };

  test("kind rules of a workspace apply the address first, then the domain, then the label", () => {
    expect(from("Newsletter@SHOP.example", "receipts")?.kind).toBe("transactional");
    expect(from("anna@mail.shop.example", "receipts")?.kind).toBe("personal");
    expect(from("anna@other.example", "Receipts")?.kind).toBe("transactional");
    expect(from("anna@notshop.example")).toBeNull();
  });

  test("kind rules of a workspace override the detected kind, and a user's choice overrides a rule", () => {
    const rule = from("newsletter@shop.example");
    const ruled = infer(blackFriday, { rule });
    expect(ruled).toMatchObject({ kind: "transactional", source: "rule", confidence: 1 });
    expect(ruled.reasons[0]?.text).toContain("newsletter@shop.example");
    expect(infer(blackFriday, { rule, override: "personal" })).toMatchObject({ kind: "personal", source: "person" });
  });

  test("kind rules of a workspace are stored in one normalized form", () => {
    expect(toRuleValue("from", " News@Example.COM ")).toBe("news@example.com");
    expect(toRuleValue("from-domain", "@Example.com")).toBe("example.com");
    for (const wrong of ["example.com", "a b@example.com", "@example.com"])
      expect(toRuleValue("from", wrong)).toBeNull();
    expect(toRuleValue("from", "a@b@c.example")).toBeNull();
    expect(toRuleValue("from", "ann@gov.uk")).toBe("ann@gov.uk");
    for (const wide of ["localhost", "com", "co.uk", "@com.br"])
      expect(toRuleValue("from-domain", wide), wide).toBeNull();
    for (const fine of ["news.co.uk", "github.io", "own.test"]) expect(toRuleValue("from-domain", fine)).toBe(fine);
  });
});

describe("a sign-off with the sender's name", () => {
  const signed = "It is signed with the sender's name.";
  const reasonsOf = (from: string, last: string) =>
    infer({ from, subject: "Our opening hours", text: `Hello Bob,\n\nWe open at nine.\n\n${last}` }).reasons.map(
      ({ text }) => text,
    );

  test.each([
    ["Good Shop <hello@shop.example>", "Good Shop Ltd, 12 Mill Lane, York YO1 7HB"],
    ["Good Shop <hello@shop.example>", "Good Shop GmbH"],
    ["Good Shop <hello@shop.example>", "© Good Shop"],
    ["Mill Lane <hello@mill.example>", "Mill Lane 12, York"],
    ["Ann Smith <ann@a.example>", "Ann will call you about the keys on Monday."],
  ])("a sign-off with the sender's name is not a postal address, a legal name, or a sentence: %s, %s", (from, last) => {
    expect(reasonsOf(from, last)).not.toContain(signed);
  });

  test.each(["Ann", "Ann Smith", "– Ann", "Ann Smith, Sales", "Regards, Ann"])(
    "a sign-off with the sender's name is recognized for %s",
    (last) => {
      expect(reasonsOf("Ann Smith <ann@a.example>", last)).toContain(signed);
    },
  );
});
