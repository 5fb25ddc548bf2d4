import { expect, test } from "vitest";
import { toBlocklistZone } from "../../../../src/analyzer/dns/dnsbl.ts";
import { createZoneDns, type Zone } from "../../../../src/analyzer/dns/zone.ts";
import { toSessionText } from "../../../../src/analyzer/mail/session/session-text.ts";
import { noCircumstances } from "../../../../src/analyzer/reports/known-facts.ts";
import { type RecordedTest, splitChange } from "../../../../src/features/compare/work/split-change.ts";
import { encodeRaw } from "../../../../src/features/tests/rows/raw-messages.ts";
import {
  analystFor,
  analyzeWith,
  inputOf,
  type Letter,
  receivedAt,
} from "../../../analyzer/domain-cases/verdict-world.ts";

const zone: Zone = {
  "a.example": { TXT: ["v=spf1 ip4:8.8.8.8 -all"], MX: [{ preference: 0, exchange: "mail.a.example" }] },
  "_dmarc.a.example": { TXT: ["v=DMARC1; p=none; rua=mailto:d@a.example"] },
  "mail.a.example": { A: ["8.8.8.8"] },
  "8.8.8.8.in-addr.arpa": { PTR: ["mail.a.example"] },
  "2.0.0.127.zen.spamhaus.org": { A: ["127.0.0.2"] },
  "test.zen.spamhaus.org": { A: ["127.0.0.2"] },
};
const listed: Zone = { ...zone, "8.8.8.8.zen.spamhaus.org": { A: ["127.0.0.2"], TXT: ["seen in traps"] } };
const letter: Letter = { ip: "8.8.8.8", helo: "mail.a.example", mailFrom: "ann@a.example" };
const analyst = (world: Zone) => analystFor(createZoneDns(world), { dnsbls: [toBlocklistZone("zen.spamhaus.org")] });

async function record(world: Zone): Promise<RecordedTest> {
  const input = inputOf(letter);
  const report = await analyzeWith(input, analyst(world));
  return {
    ...encodeRaw(input.raw),
    session: toSessionText(input.session),
    receivedAt,
    recorded: JSON.stringify(report),
    circumstances: noCircumstances,
  };
}

test("a new blocklist listing counts as a test condition, not as a change of DNS or of Assay", async () => {
  const split = await splitChange(await record(zone), await record(listed), analyst({}));
  expect(split?.causes).toEqual([{ cause: "circumstances", points: (split?.after ?? 0) - (split?.before ?? 0) }]);
  expect(split?.after).toBeLessThan(split?.before ?? 0);
});
