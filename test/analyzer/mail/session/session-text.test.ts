import { expect, test } from "vitest";
import { claimedSession, type SmtpSession } from "../../../../src/analyzer/mail/session/session.ts";
import { parseSessionText, toSessionText } from "../../../../src/analyzer/mail/session/session-text.ts";

const heard: SmtpSession = {
  door: { kind: "smtp" },
  clientAddress: "192.0.2.1",
  clientPort: 25_000,
  clientName: null,
  via: { how: "xclient", address: "127.0.0.1" },
  helo: "Mail.Example",
  protocol: "ESMTPS",
  tls: { version: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384", serverName: null },
  mailFrom: "",
  mailParameters: ["SIZE=100"],
  rcptTo: ["a@seed.example", "b@seed.example"],
  rcptParameters: [[], ["NOTIFY=NEVER"]],
  pipelining: true,
  earlyTalk: true,
  unawaited: [{ behind: "STARTTLS", sent: "EHLO mail.example" }],
  smtpUtf8: false,
  connectedAt: 1_800_000_000_000,
  dataStartedAt: 1_800_000_000_100,
  dataEndedAt: 1_800_000_000_200,
  transcript: [
    { at: 1_800_000_000_010, from: "server", line: "220 seed.example ESMTP" },
    { at: 1_800_000_000_020, from: "client", line: "EHLO  two  spaces \r\0\u2028" },
    { at: 1_800_000_000_015, from: "server", line: "" },
  ],
};

test.each<[string, SmtpSession]>([
  ["with all fields", heard],
  [
    "without optional fields",
    {
      ...heard,
      tls: null,
      via: null,
      mailParameters: [],
      rcptParameters: [[], []],
      pipelining: false,
      earlyTalk: false,
      unawaited: [],
    },
  ],
  ["claimed by an upload", claimedSession({ clientAddress: null, helo: null, mailFrom: null, rcptTo: [] })],
  ["with one recipient", claimedSession({ clientAddress: "::1", helo: "", mailFrom: "x", rcptTo: ["a@b"] })],
])("a session %s can be stored and restored", (_, session) => {
  expect(parseSessionText(toSessionText(session))).toEqual(session);
});

test.each([
  ["{}", "smtp"],
  ['{"source":"claimed"}', "upload"],
  ['{"source":"claimed","protocol":"LMTP","door":{"kind":"lmtp"}}', "lmtp"],
])("the stored session %s has the source %s", (text, kind) => {
  expect(parseSessionText(text).door).toEqual({ kind });
  expect(toSessionText(parseSessionText(text))).toBe(text);
});

test("a stored session without early talk is restored without it", () => {
  const { earlyTalk, unawaited } = parseSessionText('{"helo":"mail.example"}');
  expect({ earlyTalk, unawaited }).toEqual({ earlyTalk: false, unawaited: [] });
});

test("the stored text has half the size of plain JSON", () => {
  const patient = { ...heard, earlyTalk: false, unawaited: [] };
  const plain = { ...patient, tls: null, via: null, mailParameters: [], rcptParameters: [[], []] };
  const steps = Array.from({ length: 9 }, (_, index) => ({
    at: 1_800_000_000_010 + index,
    from: "client" as const,
    line: "RCPT TO:<a@seed.example>",
  }));
  const session = { ...plain, transcript: steps };
  expect(toSessionText(session).length).toBeLessThan(JSON.stringify(session).length / 2 + 50);
});
