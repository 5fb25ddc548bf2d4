import { expect, test } from "vitest";
import { unknown } from "../../../src/analyzer/checks/fact.ts";
import { createZoneDns, type Zone } from "../../../src/analyzer/dns/zone.ts";
import { gatherFacts, maxQuestionsPerMessage } from "../../../src/analyzer/facts/gather.ts";
import { readHeaderSection } from "../../../src/analyzer/mail/headers/fields.ts";
import { parseMessage } from "../../../src/analyzer/mail/mime/parse.ts";
import { claimedSession } from "../../../src/analyzer/mail/session/session.ts";
import { analyzeLetter, type Letter, toVerdict } from "../domain-cases/verdict-world.ts";

test("the domains of From, Reply-To, the return path, and List-Unsubscribe are each looked up once", async () => {
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
    { share: () => dns, lists: async () => [], scan: async () => [], findMalware: async () => unknown("off") },
  );
  expect(surroundings.mx.map(({ of }) => of)).toEqual([
    "from.example",
    "reply.example",
    "path.example",
    "u.web.example",
  ]);
});

test("a reserved From domain does not hide the results of other domains", async () => {
  const real = { "goodshop.com": { TXT: ["v=spf1 ip4:192.0.2.20 -all"] } };
  const broken = { domain: "goodshop.com", selector: "rsa1024" };
  const letter = { from: "Me <me@app.test>", ip: "192.0.2.99", mailFrom: "bounce@goodshop.com" };
  const verdictOf = async (changes: Partial<Letter>) =>
    toVerdict(await analyzeLetter({ ...letter, zone: real, sign: [], ...changes }));
  const change = (text: string) => `${text}Added later.\r\n`;
  expect(await verdictOf({})).toBe("spf=fail dkim=none dmarc=unknown:reserved-name ?reserved-name");
  expect(await verdictOf({ sign: [broken, { domain: "example.com", selector: "s1" }], change })).toBe(
    "spf=fail dkim=fail:body-changed dmarc=unknown:reserved-name ?reserved-name",
  );
  expect(await verdictOf({ mailFrom: "me@app.test" })).toContain("spf=unknown:reserved-name");
  expect(await verdictOf({ from: "Me <me@app.test>, Ann <ann@goodshop.com>" })).toContain("dmarc=permerror");
});

test("example.com counts as reserved even if DNS is down, but a .test domain may have records", async () => {
  const verdictOf = async (domain: string) => {
    const zone: Zone = { [domain]: "timeout", [`_dmarc.${domain}`]: "timeout" };
    const from = `me@${domain}`;
    return toVerdict(await analyzeLetter({ from, mailFrom: from, sign: [], zone }));
  };
  expect(await verdictOf("example.com")).toBe(
    "spf=unknown:reserved-name dkim=none dmarc=unknown:reserved-name ?reserved-name",
  );
  expect(await verdictOf("app.test")).toBe("spf=temperror dkim=none dmarc=temperror ?timeout");
});

test("a message costs at most 100 DNS queries", () => {
  expect(maxQuestionsPerMessage).toBe(100);
});
