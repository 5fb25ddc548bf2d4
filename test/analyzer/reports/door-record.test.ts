import { expect, test } from "vitest";
import type { Door } from "../../../src/analyzer/mail/session/session.ts";
import { toEntrance, toRecordWords } from "../../../src/analyzer/reports/door.ts";

const record = { by: "mx.example" };
const recorded = { clientAddress: "192.0.2.1", helo: "mail.example", mailFrom: "a@sender.example" };

test.each<[Door | undefined, string]>([
  [{ kind: "lmtp" }, "Recorded by mx.example: IP address, HELO name"],
  [{ kind: "webhook", provider: "postmark" }, "Recorded by mx.example: IP address, HELO name"],
  [{ kind: "imap", mailbox: "a@mailbox.example" }, "Recorded by mx.example: IP address, HELO name, envelope sender"],
  [undefined, "Recorded by mx.example: IP address, HELO name, envelope sender"],
])("the source of the recorded values is named for %j", (door, says) => {
  const entrance = toEntrance({ source: "claimed", ...(door && { door }), ...recorded }, record);
  expect(toRecordWords(entrance)).toBe(says);
});
