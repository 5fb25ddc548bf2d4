import { describe, expect, test } from "vitest";
import { renderAlertEmail, renderConfirmation, renderPingEmail } from "../../../../src/features/alerts/rules/email.ts";
import { aBounce, aDrift, aLowScore, kept } from "./events.ts";

const hostileWords = [
  "a\r\nBcc: all@evil.example\r\n\r\n",
  "=?utf-8?B?DQpCY2M6IHg=?=",
  "\u202egpj.exe\u2066\u200b",
  "\ud800 \0 \u2028",
];

const frame = {
  baseUrl: "https://assay.example",
  alert: { id: "alr_1", label: "Ann <b>" },
  workspace: "Ours & theirs",
  unsubscribeUrl: "https://assay.example/alert-email/unsubscribe/token",
};
const render = (events: Parameters<typeof kept>[0][], more = 0) =>
  renderAlertEmail({ events: events.map((event) => kept(event)), more }, frame);

describe("an alert by email", () => {
  test("an alert by email says in its subject what happened", () => {
    expect(render([aDrift()]).subject).toBe("shop.example: DMARC got worse");
    expect(render([aLowScore()]).subject).toBe("A test scored 43.5 of 100, below 70: Hello");
    expect(render([aBounce()]).subject).toBe("Hard bounce: mailbox does not exist");
    expect(render([aDrift(), aBounce()], 3).subject).toBe("5 alerts: shop.example: DMARC got worse, and 4 more");
    expect(renderPingEmail(frame).subject).toBe("Test alert: Ann <b>");
  });

  test("an alert by email has the same content in text and HTML, with exact records, and loads nothing", () => {
    const { text, html } = render([aDrift()]);
    for (const part of [text, html]) {
      expect(part).toContain("v=DMARC1; p=reject; rua=mailto:d@shop.example");
      expect(part).toContain("https://assay.example/domains/dom_01kakzq3v1c8w2e5m7r9t0xyza");
      expect(part).toContain(frame.unsubscribeUrl);
    }
    expect(html).not.toMatch(/<(?:img|link|script|iframe|form)|url\(|@import/i);
    expect(html).toContain("prefers-color-scheme:dark");
    expect(html).toContain("Ours &amp; theirs");
  });

  test("an alert by email contains no link or markup from a sender", () => {
    const subject = `<a href="https://evil.example">x</a> http://evil.example www.evil.example "><script>`;
    const mail = render([aLowScore({ subject, from: subject, label: subject })]);
    const hrefs = [...mail.html.matchAll(/href="([^"]*)"/g)].map(([, url]) => url);
    expect(hrefs.every((url) => url?.startsWith("https://assay.example/"))).toBe(true);
    expect(mail.html).not.toContain("<script>");
    expect(mail.text.replaceAll("https://assay.example", "")).not.toContain("://");
    expect(mail.text).not.toMatch(/\bwww\./);
  });

  test.each(hostileWords)("an alert by email shows %j on one short line in the subject", (words) => {
    const { subject } = render([aLowScore({ subject: `${words}${"y".repeat(3_000)}` })]);
    expect(subject.length).toBeLessThanOrEqual(120);
    expect(subject).not.toMatch(/[\r\n\u202a-\u202e\u2066-\u2069]|=\?/);
  });
});

test("the confirmation email names the workspace, and its name cannot become a link", () => {
  const mail = renderConfirmation({
    workspace: "Win https://evil.example now",
    address: "ann@team.example",
    hours: 48,
    confirmUrl: "https://assay.example/alert-email/confirm/x",
    baseUrl: "https://assay.example",
  });
  for (const part of [mail.subject, mail.text, mail.html]) {
    expect(part).not.toContain("evil.example");
    expect(part).toContain("evil[.]example");
  }
});
