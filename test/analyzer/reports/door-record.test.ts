import { expect, test } from "vitest";
import type { Door } from "../../../src/analyzer/mail/session/doors.ts";
import { toRecordWords, toReportedDoor } from "../../../src/analyzer/reports/door.ts";

const record = { by: "mx.example" };
const recorded = { clientAddress: "192.0.2.1", helo: "mail.example", mailFrom: "a@sender.example", rcptTo: [] };

test.each<[Door, string]>([
  [{ kind: "lmtp" }, "Recorded by mx.example: IP address, HELO name"],
  [{ kind: "webhook", provider: "postmark" }, "Recorded by mx.example: IP address, HELO name"],
  [{ kind: "imap", mailbox: "a@mailbox.example" }, "Recorded by mx.example: IP address, HELO name, envelope sender"],
  [{ kind: "upload" }, "Recorded by mx.example: IP address, HELO name, envelope sender"],
])("the source of the recorded values is named for %j", (door, says) => {
  expect(toRecordWords(toReportedDoor({ door, ...recorded }, record))).toBe(says);
});
