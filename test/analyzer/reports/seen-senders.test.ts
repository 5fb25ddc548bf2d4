import { expect, test } from "vitest";
import { analyzeMessage } from "../../../src/analyzer/analyze-message.ts";
import { createZoneDns } from "../../../src/analyzer/dns/zone.ts";
import { analystFor, inputOf, type Letter, zoneOf } from "../domain-cases/verdict-world.ts";

type Session = ReturnType<typeof inputOf>["session"];

async function seenIn(letter: Letter, changes: Partial<Session> = {}) {
  const input = inputOf(letter);
  const session: Session = { ...input.session, door: { kind: "smtp" }, protocol: "ESMTP", ...changes };
  const analyst = analystFor(createZoneDns(zoneOf(letter)));
  const { seenSenders } = await analyzeMessage({ ...input, session }, analyst);
  return seenSenders.map(({ kind, domain, value }) => `${kind} ${value} of ${domain}`);
}

const hosts = [
  "return_path esp.example of a.example",
  "address 192.0.2.10 of a.example",
  "helo mail.esp.example of a.example",
];

test("a signed message from a provider reveals the selector and the provider's hosts", async () => {
  expect(await seenIn({})).toEqual(["selector rsa1024 of a.example", ...hosts]);
});

test("an unsigned message that the domain's own SPF record allows reveals everything but a selector", async () => {
  const own: Letter = { sign: [], ip: "192.0.2.20", mailFrom: "b@a.example", helo: "[192.0.2.20]" };
  expect(await seenIn(own)).toEqual(["return_path a.example of a.example", "address 192.0.2.20 of a.example"]);
});

test.each<[what: string, letter: Letter, told: readonly string[]]>([
  ["a signature that does not verify", { change: (text) => text.replace("answer", "reply") }, []],
  ["no authentication", { sign: [] }, []],
  ["a stranger's signature", { sign: { domain: "b.example" } }, ["selector rsa1024 of b.example"]],
  ["a replay from an unauthorized host", { ip: "192.0.2.66" }, ["selector rsa1024 of a.example"]],
  [
    "a message that was forwarded",
    { headers: ["X-Forwarded-To: bob@b.example", "X-Forwarded-For: ann@c.example bob@b.example"] },
    ["selector rsa1024 of a.example"],
  ],
  [
    "a null return path",
    { mailFrom: "" },
    ["selector rsa1024 of a.example", ...hosts.filter((host) => !host.startsWith("return_path"))],
  ],
])("%s reveals only what was authenticated", async (_, letter, told) => {
  expect(await seenIn(letter)).toEqual(told);
});

test("a client on a private network is not an IP of the domain", async () => {
  const told = await seenIn({ ip: "10.0.0.1", zone: { "esp.example": { TXT: ["v=spf1 ip4:10.0.0.1 -all"] } } });
  expect(told.filter((one) => one.startsWith("address"))).toEqual([]);
});

test("a message that this server signed and sent to itself reveals its selector, but no host", async () => {
  expect(await seenIn({}, { looped: true })).toEqual(["selector rsa1024 of a.example"]);
  expect(await seenIn({ sign: [] }, { looped: true })).toEqual([]);
});

test("an upload reveals nothing, and a message with a hundred signatures at most five selectors", async () => {
  expect(await seenIn({}, { door: { kind: "upload" } })).toEqual([]);
  const sign = Array.from({ length: 100 }, (_, index) => ({ selector: `s${index}`, key: "rsa1024" as const }));
  const told = await seenIn({ sign });
  expect(told.filter((one) => one.startsWith("selector")).length).toBeLessThanOrEqual(5);
});
