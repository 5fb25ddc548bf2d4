import { expect, test } from "vitest";
import { claimedSession, type SmtpSession, toConduct } from "../../../../src/analyzer/mail/session/session.ts";

const uploaded = claimedSession({ clientAddress: null, helo: null, mailFrom: null, rcptTo: [] });

function heard(said: readonly string[], mailParameters: readonly string[] = []): SmtpSession {
  const transcript = said.map((line, at) => ({
    at,
    from: line.startsWith("C") ? ("client" as const) : ("server" as const),
    line: line.slice(2),
  }));
  return { ...uploaded, door: { kind: "smtp" }, mailParameters, transcript };
}

test("the offered SMTP extensions are listed, before and after TLS", () => {
  const session = heard([
    "S 220 mx.seed.example ESMTP",
    "C EHLO out.a.example",
    "S 250-mx.seed.example hello",
    "S 250-size 1000",
    "S 250 STARTTLS",
    "C STARTTLS",
    "S 220 2.0.0 Ready",
    "C EHLO out.a.example",
    "S 250-mx.seed.example hello",
    "S 250-SIZE 1000",
    "S 250 8BITMIME",
    "C MAIL FROM:<bo@a.example>",
    "S 250 2.1.0 Noted",
  ]);
  expect(toConduct(session)).toEqual({
    esmtp: true,
    offered: ["SIZE", "STARTTLS", "8BITMIME"],
    declares8Bit: false,
    declaredSizeBytes: null,
  });
});

test("a client that sends HELO is offered no extensions", () => {
  const session = heard(["S 220 x", "C HELO out.a.example", "S 250 mx.seed.example hello", "C MAIL FROM:<>"]);
  expect(toConduct(session)).toMatchObject({ esmtp: false, offered: [] });
});

test("the parameters that the client declared are reported", () => {
  expect(toConduct(heard([], ["size=2048", "Body=8bitMIME"]))).toMatchObject({
    declares8Bit: true,
    declaredSizeBytes: 2_048,
  });
  expect(toConduct(heard([], ["SIZE=many", "BODY=7BIT"]))).toMatchObject({
    declares8Bit: false,
    declaredSizeBytes: null,
  });
});

test("an upload has no session", () => {
  expect(toConduct(uploaded)).toBeNull();
});
