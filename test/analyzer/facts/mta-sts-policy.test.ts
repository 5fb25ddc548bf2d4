import { expect, test } from "vitest";
import type { FetchDoor, FetchOutcome, FetchRequest } from "../../../src/analyzer/facts/fetch.ts";
import { fetchMtaStsPolicy } from "../../../src/analyzer/facts/mta-sts-policy.ts";

const url = "https://mta-sts.a.example/.well-known/mta-sts.txt";
const good = "version: STSv1\r\nmode: enforce\r\nmx: mx.a.example\r\nmax_age: 604800\r\n";

const page = (body: string, status = 200, type = "text/plain"): FetchOutcome => ({
  ok: true,
  status,
  headers: { "content-type": type },
  body: Buffer.from(body),
  address: "203.0.113.1",
});

function fetchWith(outcome: FetchOutcome) {
  const asked: [string, FetchRequest][] = [];
  const door: FetchDoor = async (target, request) => {
    asked.push([target, request]);
    return outcome;
  };
  return { asked, fact: fetchMtaStsPolicy("a.example", door, () => 7) };
}

test("the policy is fetched from its only URL, without redirects and with a size limit", async () => {
  const { asked, fact } = fetchWith(page(good, 200, "Text/Plain; charset=utf-8"));
  expect(await fact).toEqual({
    known: true,
    value: {
      url,
      text: good,
      policy: { mode: "enforce", mx: ["mx.a.example"], maxAgeSeconds: 604_800 },
      problem: null,
      certificate: null,
    },
  });
  expect(asked).toEqual([[url, { timeoutMs: 20_000, maxBytes: 65_536, redirects: 0 }]]);
});

test("the policy includes the validity of its host's certificate and the time of the fetch", async () => {
  const { fact } = fetchWith({ ...page(good), certificate: { startsAt: 1, endsAt: 9 } } as FetchOutcome);
  expect(await fact).toMatchObject({ value: { certificate: { startsAt: 1, endsAt: 9, seenAt: 7 } } });
});

test.each<[FetchOutcome, string]>([
  [page("", 301), "the server redirects (301), which senders must not follow"],
  [page("gone", 404), "the server returned 404"],
  [page(good, 200, "text/html"), "its Content-Type is not text/plain"],
  [page("mode: enforce"), 'the line "version: STSv1" is missing'],
  [{ ok: false, failure: "tls", problem: "The certificate has expired." }, "The certificate has expired"],
  [{ ok: false, failure: "too_large", problem: "The answer is too large." }, "The answer is too large"],
])("the policy %j is unusable", async (outcome, problem) => {
  expect(await fetchWith(outcome).fact).toMatchObject({ known: true, value: { policy: null, problem } });
});

test("a policy server at a private address is unknown, because the internet may see another one", async () => {
  const { fact } = fetchWith({ ok: false, failure: "refused_address", problem: "It is private." });
  expect(await fact).toEqual({ known: false, why: "not-public" });
});

test.each([
  ["timeout", "silent"],
  ["unreachable", "silent"],
  ["unresolved", "timeout"],
] as const)("a policy server that is %s is unknown", async (failure, why) => {
  const { fact } = fetchWith({ ok: false, failure, problem: "No answer." });
  expect(await fact).toEqual({ known: false, why });
});

test.each([408, 429, 503])("a policy server that responds with %i is unknown", async (status) => {
  expect(await fetchWith(page("", status)).fact).toEqual({ known: false, why: "silent" });
});

test("a binary policy can be stored", async () => {
  const { fact } = fetchWith({ ...page(""), body: Buffer.from([0, 0xff, 0xed, 0xa0, 0x80, 0x0a]) } as FetchOutcome);
  expect(JSON.stringify(await fact)).not.toMatch(/\\u0000|\\ud[89a-f]/);
});

test.each(["x@10.0.0.1", "a.example/x?", "a.example:8443", "a.example#", ""])(
  "nothing is fetched for the invalid domain %j",
  async (domain) => {
    const door: FetchDoor = () => expect.unreachable("fetched");
    expect(await fetchMtaStsPolicy(domain, door, () => 7)).toEqual({ known: false, why: "parser-failed" });
  },
);
