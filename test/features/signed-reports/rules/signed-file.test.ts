import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  keepSections,
  readSignedFile,
  type Section,
  sha256Of,
  signSections,
  toHtmlFile,
  toJsonFile,
} from "../../../../src/features/signed-reports/rules/signed-file.ts";
import {
  createReportSigner,
  createReportSigning,
  readPublicKeys,
  toJwk,
  toPem,
} from "../../../../src/features/signed-reports/rules/signing-key.ts";
import { seeded } from "../../../analyzer/mail/ordinary-messages.ts";

const signer = createReportSigner(new Uint8Array(32).fill(7));
const page = "<!doctype html>\n<p>Grüße &lt;!--assay-signed-report</p>\n";
const unsigned = {
  signed_at: "2026-11-21T06:00:00.000Z",
  issuer: "https://assay.example.com",
  test: "tst_01jd4m3xk2v9q8w7e6r5t4y3z2",
  received_at: "2026-11-21T05:00:00.000Z",
  analyzed_at: "2026-11-21T05:00:01.000Z",
  message: { sha256: "0".repeat(64), bytes: 12, source: "smtp" },
  rules: { assay: "0.1.0", placement: "1" },
  result: { composite: 82, spf: "pass", dkim: "pass", dmarc: null },
  copies: { recipients: ["page", "summary", "findings"], body: ["page", "summary"] },
} satisfies Parameters<typeof signSections>[0];
const sections: readonly Section[] = [
  { name: "page", salt: "p", content: sha256Of(page) },
  { name: "summary", salt: "s1", content: { score: 82, text: 'a "quoted" ü \u2028 </p>--><script>' } },
  { name: "findings", salt: "s2", content: ["\ud800", 1.5, null] },
  { name: "report", salt: "s3", content: { to: "ann@seed.example" } },
];
const signed = signSections(unsigned, sections, signer);
const html = Buffer.from(toHtmlFile(page, signed));
const json = Buffer.from(toJsonFile(signed));

function read(bytes: Uint8Array) {
  const reading = readSignedFile(bytes);
  if (!reading.ok) throw new Error(reading.why);
  return reading.report;
}

test("a signed file is JSON, or a page with a comment that no content can end", () => {
  expect(JSON.parse(json.toString())).toMatchObject({ format: "assay-signed-report/1", signature: expect.any(String) });
  expect(html.toString().match(/-->/g)).toHaveLength(1);
  expect(html.toString()).not.toContain("<script>");
  expect(JSON.parse(read(html).read("summary") ?? "")).toEqual(sections[1]?.content);
  expect(JSON.parse(read(json).read("findings") ?? "")).toEqual(["\ud800", 1.5, null]);
  expect(read(html)).toMatchObject({ present: ["page", "summary", "findings", "report"], leftOut: [] });
});

describe("any change of a signed file is found", () => {
  const step = 7;
  const body = read(html).redact(["summary"]);
  const files = { html, json, redacted: Buffer.from(body) };
  test.each(Object.entries(files))(
    "any change of a signed file is found in every bit of every seventh byte of %s",
    (_, file) => {
      expect(readSignedFile(file).ok).toBe(true);
      for (let at = 0; at < file.length; at += step)
        for (let bit = 0; bit < 8; bit++) {
          const changed = Buffer.from(file);
          changed[at] = (changed[at] ?? 0) ^ (1 << bit);
          if (readSignedFile(changed).ok) throw new Error(`byte ${at}, bit ${bit}`);
        }
    },
  );
  test.each(Object.entries(files))(
    "any change of a signed file is found as a byte added to or removed from every seventh place of %s",
    (_, file) => {
      const text = file.toString("latin1");
      for (let at = 0; at <= text.length; at += step) {
        for (const more of [" ", "\n", "\r", "\0", '"', "]}\n"]) {
          const changed = text.slice(0, at) + more + text.slice(at);
          if (readSignedFile(Buffer.from(changed, "latin1")).ok) throw new Error(`${JSON.stringify(more)} at ${at}`);
        }
        const less = text.slice(0, at) + text.slice(at + 1);
        if (at < text.length && readSignedFile(Buffer.from(less, "latin1")).ok) throw new Error(`without ${at}`);
      }
    },
  );
  test("any change of a signed file is found with sections reordered, repeated, renamed, or from another report", () => {
    const lines = json.toString().split("\n");
    const [summary = "", findings = ""] = lines.slice(5, 7);
    const swapped = [...lines.slice(0, 5), findings, summary, ...lines.slice(7)].join("\n");
    const twice = [...lines.slice(0, 5), summary, summary, ...lines.slice(6)].join("\n");
    const renamed = json.toString().replace('["summary"', '["session"');
    const other = signSections(unsigned, [{ name: "summary", salt: "s1", content: 1 }], signer);
    const foreign = json.toString().replace(summary, toJsonFile(other).split("\n")[4] ?? "");
    for (const text of [swapped, twice, renamed, foreign]) expect(readSignedFile(Buffer.from(text)).ok).toBe(false);
    expect(readSignedFile(Buffer.from(toHtmlFile(page, keepSections(signed, ["summary"])))).ok).toBe(false);
  });
  test("the changed part of a signed file is named", () => {
    const why = (text: string) => {
      const reading = readSignedFile(Buffer.from(text));
      return reading.ok ? "" : reading.why;
    };
    expect(why(html.toString().replace("Grüße", "Gruesse"))).toContain("page");
    expect(why(json.toString().replace("ann@", "bob@"))).toContain("“report”");
    expect(why(json.toString().replace('"composite":82', '"composite":99'))).toContain("signature");
    expect(why("<html>Hello</html>")).toContain("no signed report");
  });
});

test("an omitted section keeps its hash, and the signature stays valid", () => {
  const copy = readSignedFile(read(html).redact(["summary"]));
  expect(copy).toMatchObject({
    ok: true,
    report: { present: ["summary"], leftOut: ["page", "findings", "report"], statement: read(html).statement },
  });
  expect(Buffer.from(read(html).redact(["summary"])).toString()).not.toContain("ann@");
  expect(readSignedFile(read(html).redact([]))).toMatchObject({ ok: true, report: { present: [] } });
});

test("a signature is valid only for its own key", () => {
  const other = createReportSigner(new Uint8Array(32).fill(8));
  const foreign = read(Buffer.from(toJsonFile(signSections(unsigned, sections, other))));
  expect(foreign.statement.key).toEqual({ id: other.id, x: other.x });
  const claimed = json.toString().replace(signer.x, other.x).replace(signer.id, other.id);
  expect(readSignedFile(Buffer.from(claimed)).ok).toBe(false);
});

test("the report key depends only on the secret key, and is parsed from both forms", () => {
  const derive = (purpose: string) => Buffer.alloc(32, purpose);
  const [one, other] = [createReportSigning(derive, "a"), createReportSigning(derive, "b")];
  expect(one.signer.id).toBe(other.signer.id);
  expect(one.salt("x")).toBe(other.salt("x"));
  const { id, x } = one.signer;
  for (const text of [
    toPem(one.signer),
    JSON.stringify(toJwk(one.signer)),
    JSON.stringify({ keys: [toJwk(one.signer)] }),
  ])
    expect(readPublicKeys(text)).toEqual([{ id, x }]);
  for (const text of [
    "",
    "{}",
    "[]",
    "null",
    '{"keys":[1]}',
    "-----BEGIN PUBLIC KEY-----\nxx\n-----END PUBLIC KEY-----",
  ])
    expect(readPublicKeys(text)).toEqual([]);
});

test("no bytes make the verification throw", () => {
  const random = seeded(36);
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(list: readonly T[]) => list[below(list.length)] as T;
  const noise = (length: number) => Buffer.from(Array.from({ length }, () => below(256)));
  const seeds = [html, json, Buffer.from("<!--assay-signed-report\n-->\n"), Buffer.alloc(0)];
  const pieces = [
    '{"format":"assay-signed-report/1",\n',
    '"statement":',
    '"sections":[\n',
    "]}\n",
    "-->\n",
    '["page",',
    "{}",
    "\n",
    '","',
  ];
  for (let round = 0; round < 300; round++) {
    let bytes = Buffer.from(pick(seeds));
    for (let cut = below(6); cut > 0; cut--) {
      const at = below(bytes.length + 1);
      const piece = below(2) === 0 ? Buffer.from(pick(pieces)) : noise(below(40));
      bytes = Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(Math.min(bytes.length, at + below(60)))]);
    }
    readSignedFile(bytes);
  }
  for (const statement of ["null", "[]", '{"format":1}', `${"[".repeat(5_000)}`, '{"__proto__":{}}']) {
    const text = `{"format":"assay-signed-report/1",\n"statement":${statement},\n"signature":"${"A".repeat(86)}==",\n"sections":[\n]}\n`;
    expect(readSignedFile(Buffer.from(text)).ok).toBe(false);
  }
});

test("a file of line feeds is rejected without an error per line", () => {
  const start = json.toString().slice(0, -"\n]}\n".length);
  const bomb = Buffer.from(`${start}${"\n".repeat(1_000_000)}\n]}\n`);
  const split = vi.spyOn(String.prototype, "split");
  onTestFinished(() => split.mockRestore());
  expect(readSignedFile(bomb).ok).toBe(false);
  const lengths = split.mock.results.map(({ value }) => value.length);
  expect(Math.max(...lengths)).toBeLessThan(20);
});
