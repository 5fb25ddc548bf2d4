import { expect, test } from "vitest";
import {
  claimedSession,
  type SessionStep,
  sessionOfRecipients,
} from "../../../../src/analyzer/mail/session/session.ts";

const client = (line: string): SessionStep => ({ at: 1, from: "client", line });
const server = (line: string): SessionStep => ({ at: 1, from: "server", line });

const greeting = [
  server("220 mx.example Assay"),
  client("EHLO sender.example"),
  server("250-mx.example"),
  server("250 PIPELINING"),
];
const rcptTo = ["ours@seed.example", "theirs@seed.example", "Ours+two@seed.example"];

function seen(transcript: readonly SessionStep[], own = ["ours@seed.example", "Ours+two@seed.example"]) {
  const session = {
    ...claimedSession({ clientAddress: "192.0.2.1", helo: null, mailFrom: "", rcptTo }),
    rcptParameters: [["NOTIFY=NEVER"], ["ORCPT=rfc822;secret@x.example"], []],
    transcript,
  };
  return sessionOfRecipients(session, own);
}

test("a workspace sees only its own recipients, with their parameters", () => {
  const { rcptTo: recipients, rcptParameters } = seen([]);
  expect(recipients).toEqual(["ours@seed.example", "Ours+two@seed.example"]);
  expect(rcptParameters).toEqual([["NOTIFY=NEVER"], []]);
});

test("commands for other recipients are left out with their replies", () => {
  const { transcript } = seen([
    ...greeting,
    client("RCPT TO:<ours@seed.example>"),
    server("250 2.1.5 first"),
    client("rcpt to: <THEIRS@seed.example> NOTIFY=NEVER"),
    server("250-2.1.5 second"),
    server("250 2.1.5 second"),
    client("DATA"),
    server("354 Go ahead"),
    server("250 2.0.0 kept"),
  ]);
  expect(transcript).toEqual([
    ...greeting,
    client("RCPT TO:<ours@seed.example>"),
    server("250 2.1.5 first"),
    client("DATA"),
    server("354 Go ahead"),
    server("250 2.0.0 kept"),
  ]);
});

test("replies are assigned correctly to pipelined commands", () => {
  const { transcript } = seen([
    ...greeting,
    client("MAIL FROM:<a@sender.example>"),
    client("RCPT TO:<theirs@seed.example>"),
    client("RCPT TO:<ours@seed.example>"),
    client("DATA"),
    server("250 sender"),
    server("250 theirs"),
    server("250 ours"),
    server("354 Go ahead"),
  ]);
  expect(transcript.map(({ line }) => line).slice(greeting.length)).toEqual([
    "MAIL FROM:<a@sender.example>",
    "RCPT TO:<ours@seed.example>",
    "DATA",
    "250 sender",
    "250 ours",
    "354 Go ahead",
  ]);
});

test("an unparsable command counts as one for another recipient", () => {
  const unreadable = ["RCPT TO:theirs@seed.example", "RCPT theirs@seed.example <ours@seed.example>", "RCPT"];
  for (const line of unreadable) expect(seen([client(line), server("250 ok")]).transcript).toEqual([]);
});

test("an address is not confused with a shorter address that it ends with", () => {
  const lines = [client("RCPT TO:<ours@seed.example>"), server("250 ok")];
  expect(seen(lines, ["rs@seed.example"]).transcript).toEqual([]);
  expect(
    seen([client('RCPT TO:<"o>urs"@seed.example>'), server("250 ok")], ['"o>urs"@seed.example']).transcript,
  ).toHaveLength(2);
});
