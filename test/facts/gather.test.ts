import { expect, test } from "vitest";
import { unknown } from "../../src/checks/fact.ts";
import { gatherFacts, maxQuestionsPerMessage } from "../../src/facts/gather.ts";
import { readHeaderSection } from "../../src/mail/headers/fields.ts";
import { parseMessage } from "../../src/mail/mime/parse.ts";
import { claimedSession } from "../../src/mail/session/session.ts";
import { createZoneDns } from "../../src/system/zone.ts";

test("asks for the domains of From, Reply-To, the return path and the unsubscribe header, each once", async () => {
  const raw = Buffer.from(
    [
      "From: a@from.example",
      "Reply-To: b@reply.example",
      "List-Unsubscribe: <https://u.web.example/1>, <mailto:leave@FROM.example>, <https://second.example/>",
      "",
      "Hello",
    ].join("\r\n"),
  );
  const session = claimedSession({
    clientAddress: "192.0.2.1",
    helo: "mx.from.example",
    mailFrom: "bounce@path.example",
    rcptTo: [],
  });
  const dns = createZoneDns({});
  const { surroundings } = await gatherFacts(
    {
      raw,
      section: readHeaderSection(raw),
      session,
      receivedAt: 0,
      receiver: "assay.example",
      message: parseMessage(raw),
      contentDomains: [],
    },
    {
      share: () => dns,
      lists: async () => [],
      scan: async () => [],
      findMalware: async () => unknown("off"),
    },
  );
  expect(surroundings.mx.map(({ of }) => of)).toEqual([
    "from.example",
    "reply.example",
    "path.example",
    "u.web.example",
  ]);
});

test("a message costs at most 100 questions", () => {
  expect(maxQuestionsPerMessage).toBe(100);
});
