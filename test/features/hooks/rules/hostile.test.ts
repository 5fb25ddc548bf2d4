import { expect, test } from "vitest";
import { hookPurposes } from "../../../../src/features/hooks/rules/hook.ts";
import { hookProviders, hookProviderTable } from "../../../../src/features/hooks/rules/providers.ts";
import {
  feedbackSamples,
  mailgunFailed,
  multipartType,
  postmarkMail,
  sendgridKey,
  sendgridMail,
  signMailgun,
  signSendgrid,
  signSns,
  toCall,
  toMultipart,
  topicArn,
  toSesMail,
  vectors,
} from "./calls.ts";

const fetchCertificate = async () => vectors.certificate;

/** The same numbers each time. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const hostileValues: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  "1e999",
  Number.MAX_SAFE_INTEGER + 2,
  "",
  "\0",
  "\ud800",
  "x".repeat(100_000),
  [],
  {},
  [[[[]]]],
  { __proto__: null, constructor: "x" },
  "__proto__",
  "constructor",
  "toString",
  "5.1.1 ".repeat(5_000),
  "<".repeat(10_000),
  "@".repeat(10_000),
  "2026-99-99T99:99:99Z",
  "a@b\r\nX: y",
];

/** Replaces a random member, at any depth. */
function spoil(value: unknown, random: (below: number) => number): unknown {
  if (typeof value !== "object" || value === null || random(6) === 0)
    return hostileValues[random(hostileValues.length)];
  const entries = Object.entries(value);
  if (entries.length === 0) return hostileValues[random(hostileValues.length)];
  const at = random(entries.length);
  const spoiled = entries.map(([key, member], index) => [
    index === at && random(8) === 0 ? "__proto__" : key,
    index === at ? spoil(member, random) : member,
  ]);
  return Array.isArray(value) ? spoiled.map(([, member]) => member) : Object.fromEntries(spoiled);
}

test("no signed payload with wrong fields makes a parser throw", async () => {
  const random = createRandom(37);
  for (let round = 0; round < 50; round += 1) {
    const list = JSON.stringify(spoil(feedbackSamples.sendgrid, random));
    const message = JSON.parse(vectors.version1.Message ?? "");
    const mail = JSON.parse(toSesMail("Hi", "UTF8").Message ?? "");
    const toSns = (content: unknown) => signSns({ ...vectors.version1, Message: JSON.stringify(content) });
    const calls = {
      sendgrid: toCall({ body: list, headers: signSendgrid(list), signingKey: sendgridKey }),
      mailgun: toCall({
        body: { signature: signMailgun("t"), "event-data": spoil(mailgunFailed, random) },
        signingKey: vectors.mailgun.key,
      }),
      postmark: toCall({ body: JSON.stringify(spoil(feedbackSamples.postmark, random)) }),
      mailjet: toCall({ body: JSON.stringify(spoil([feedbackSamples.mailjet], random)) }),
      ...(round % 20 === 0 && { ses: toCall({ body: toSns(spoil(message, random)), topicArn }) }),
    };
    for (const [provider, call] of Object.entries(calls)) {
      const { read } = hookProviderTable[provider as keyof typeof calls];
      expect(await read(call, { fetchCertificate })).toHaveProperty("ok");
    }
    const inbound = toCall({ purpose: "mail", body: JSON.stringify(spoil(postmarkMail, random)) });
    expect(await hookProviderTable.postmark.read(inbound, { fetchCertificate })).toHaveProperty("ok");
    if (round % 20 !== 0) continue;
    const received = toCall({ purpose: "mail", body: toSns(spoil(mail, random)), topicArn });
    expect(await hookProviderTable.ses.read(received, { fetchCertificate })).toHaveProperty("ok");
  }
});

const signing = hookProviders.filter((provider) => hookProviderTable[provider].key.from !== "none");

test("no bytes make a parser throw, and none without a signature are trusted", async () => {
  const random = createRandom(7);
  const form = toMultipart({ ...sendgridMail, ...signMailgun("t") });
  const bodies = [form, Buffer.from(JSON.stringify(feedbackSamples)), Buffer.from(vectors.cloudflare.body)];
  for (let round = 0; round < 60; round += 1) {
    const body = Buffer.from(bodies[random(bodies.length)] ?? "");
    for (let count = random(5); count >= 0; count -= 1) body[random(body.length)] = random(256);
    const cut = body.subarray(0, random(4) === 0 ? random(body.length) : body.length);
    const types = ["application/json", multipartType, "application/x-www-form-urlencoded", "text/plain", ""];
    for (const provider of signing)
      for (const purpose of hookPurposes) {
        const contentType = types[random(types.length)] ?? "";
        const call = toCall({ purpose, contentType, body: cut, signingKey: "key", topicArn });
        const reading = await hookProviderTable[provider].read(call, { fetchCertificate });
        expect(reading, provider).toMatchObject({ ok: false });
      }
  }
});

test("deep, wide, and huge JSON is parsed or rejected without prototype pollution", async () => {
  const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  const wide = `{${Array.from({ length: 50_000 }, (_, index) => `"k${index}":1`).join(",")}}`;
  const polluted = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"event":"bounce"}';
  for (const body of [deep, wide, polluted, `[${polluted}]`, "1".repeat(100_000), '{"event":1e999}'])
    for (const provider of ["postmark", "mailjet"] as const) {
      const reading = await hookProviderTable[provider].read(toCall({ body }), { fetchCertificate });
      expect(reading).toHaveProperty("ok");
    }
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});
