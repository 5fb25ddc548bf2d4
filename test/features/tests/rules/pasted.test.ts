// What the box of the start page makes of a pasted text. Other people wrote much of it, so it may be hostile.

import { describe, expect, test } from "vitest";
import { readPasted } from "../../../../src/features/tests/rules/pasted.ts";

const bounce = `From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>
To: ann@example.com
Subject: Delivery Status Notification (Failure)
X-Failed-Recipients: bob@hotmail.com
X-Mailer: 4.2.1
Content-Type: multipart/report; boundary=b; report-type=delivery-status

--b
The response from the remote server was:
550 5.7.1 Unfortunately, messages from [203.0.113.7] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3140). [BN1.outlook.com]
`;

describe("a text pasted on the start page", () => {
  test.each([
    ["a message", "From: ann@example.com\nTo: bob@example.org\nSubject: Hello\n\nHi"],
    [
      "a message with other line ends",
      "Received: from mx.example.com\r\n by mx.example.org\r\nFrom: ann@example.com\r\n\r\nHi",
    ],
    ["a message from a mailbox file", "From ann@example.com Thu Jan  1 00:00:00 2026\nSubject: Hello\n\nHi"],
    ["a message that mentions a code", "Subject: What is 550 5.7.26?\nFrom: ann@example.com\n\n550 5.7.26"],
    ["only headers", "Delivered-To: bob@example.org\nReceived: by 2002:a05"],
    ["a message whose first header is rare", "Sender: x@example.com\nEnvelope-to: bob@example.org\nDate: today\n\nHi"],
    ["a message whose first header is folded", "Feedback-ID:\n 1:2:3:example\nFrom: ann@example.com\n\nHi"],
    ["a bounce without a code", "From: MAILER-DAEMON@example.com\nSubject: Undelivered\n\nIt did not work."],
  ])("%s is tested", (_what, text) => {
    expect(readPasted(text)).toEqual({ kind: "message" });
  });

  test.each([
    [
      "Gmail’s results",
      "Authentication-Results: mx.google.com;\n dkim=pass header.i=@a.example;\nspf=pass (google.com: ok) smtp.mailfrom=a.example;\n dmarc=fail (p=NONE) header.from=a.example",
      "Gmail said: SPF pass, DKIM pass, DMARC fail",
    ],
    [
      "results without a name",
      "authentication-results: spf=softfail; dkim=none",
      "The receiver said: SPF softfail, DKIM none",
    ],
    [
      "results in several fields, with one of a stranger below",
      "Authentication-Results: bimi.icloud.com; bimi=skipped\nAuthentication-Results: bimi.icloud.com; dmarc=pass\nAuthentication-Results: a.example; spf=fail\nReceived-SPF: pass",
      "iCloud said: DMARC pass",
    ],
    ["results of ARC", "ARC-Authentication-Results: i=1; mx.example.org; dkim=pass", "mx.example.org said: DKIM pass"],
    ["results that say nothing", "Received-SPF: pass (google.com: ok)", null],
  ])("%s are read at once, because they are not a message", (_what, text, says) => {
    expect(readPasted(text)).toEqual({ kind: "results", path: "/docs/not-authenticated", says });
  });

  test.each([
    ["a code", "550 5.7.26", "/docs/codes/550+5.7.26"],
    ["a status", " 5.7.515\n", "/docs/codes/5.7.515"],
    ["a name", "blocked (S3150)", "/docs/codes/s3150"],
    ["only a reply", "550 mailbox unavailable", "/docs/codes/550"],
    [
      "a line of a log",
      "status=bounced (host gmail-smtp-in.l.google.com[142.250.1.27] said: 550-5.7.26 This mail has been blocked)",
      "/docs/codes/550+5.7.26+gmail",
    ],
    [
      "a part of a bounce",
      "Final-Recipient: rfc822; bob@example.org\nAction: failed\nStatus: 5.1.1",
      "/docs/codes/5.1.1",
    ],
    ["a whole bounce", bounce, "/docs/codes/550+5.7.1+s3140+microsoft"],
    ["a whole bounce with other line ends", bounce.replaceAll("\n", "\r\n"), "/docs/codes/550+5.7.1+s3140+microsoft"],
  ])("%s opens its explanation", (_what, text, path) => {
    expect(readPasted(text)).toEqual({ kind: "code", path });
  });

  test.each([
    ["goodshop.com", "goodshop.com"],
    [" GoodShop.com. ", "goodshop.com"],
    ["https://www.goodshop.com/about?x=1#y", "goodshop.com"],
    ["s1234.mailer.com", "s1234.mailer.com"],
    ["news@mail.goodshop.co.uk", "mail.goodshop.co.uk"],
    ["bücher.example", "b%C3%BCcher.example"],
    ["xn--bcher-kva.example:8080", "xn--bcher-kva.example"],
  ])("the domain in %s is checked", (text, domain) => {
    expect(readPasted(text)).toEqual({ kind: "domain", path: `/domains?check=${domain}` });
  });

  test.each([
    ["why does my mail go to spam?", "why does my mail go to spam?"],
    ["from where do my bounces come", "from where do my bounces come"],
    ["from: what address do you send", "from: what address do you send"],
    ["Date: my emails arrive late", "Date: my emails arrive late"],
    ["s1024._domainkey.acme.com", "s1024._domainkey.acme.com"],
    ["my DKIM selector s2048 fails", "my DKIM selector s2048 fails"],
    ["exim 4.94.2 tls error", "exim 4.94.2 tls error"],
    ["Thunderbird 5.0.1", "Thunderbird 5.0.1"],
    ["ptr", "ptr"],
    ["203.0.113.7", "203.0.113.7"],
    ["error 404 in version 2.1", "error 404 in version 2.1"],
    ["two\n\nlines", "two lines"],
    ["<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"],
    ["javascript:alert(1)", "javascript:alert(1)"],
    ["//evil.example/docs", "//evil.example/docs"],
  ])("%j is looked up in the handbook", (text, words) => {
    expect(readPasted(text)).toEqual({ kind: "question", path: `/docs?q=${encodeURIComponent(words)}` });
  });

  test("any text is answered quickly, with a short path of this site", () => {
    const parts = [
      "a.",
      "-",
      "550 ",
      "5.",
      "@",
      "From:",
      "Authentication-Results:",
      "x-",
      "\n\n",
      "\ud800",
      "💥",
      "\0",
      "https://",
      "[(#",
      "said: ",
    ];
    for (const part of parts)
      for (const text of [part.repeat(300_000), part.repeat(99), `${part}${"a".repeat(150)}${part}`.repeat(3)]) {
        const answer = readPasted(text);
        if (answer.kind === "message") continue;
        expect(answer.path).toMatch(
          /^\/(?:docs\/codes\/[\w.+-]+|docs\/not-authenticated|domains\?check=[\w.%-]+|docs\?q=[\w.%!~*'()-]*)$/,
        );
        expect(answer.path.length).toBeLessThan(2_500);
      }
  });
});
