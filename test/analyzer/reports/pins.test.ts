// The elements that a report's findings are about, in mail as people send it.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { analyzeMessage } from "../../../src/analyzer/analyze-message.ts";
import { type BodyPlace, bodyPlaceOf } from "../../../src/analyzer/checks/places-table.ts";
import { createZoneDns } from "../../../src/analyzer/dns/zone.ts";
import { toPreview } from "../../../src/analyzer/mail/content.ts";
import { readPage } from "../../../src/analyzer/mail/html/page.ts";
import { toSafeHtml } from "../../../src/analyzer/mail/html/safe-html.ts";
import type { HtmlElement } from "../../../src/analyzer/mail/html/tree.ts";
import { parseMessage } from "../../../src/analyzer/mail/mime/parse.ts";
import { toPins, toTextPins } from "../../../src/analyzer/reports/pins.ts";
import { parseReport } from "../../../src/analyzer/reports/stored-report.ts";
import { toBytes as toSampleBytes } from "../../../src/analyzer/samples/letter.ts";
import { preparedMessages } from "../../../src/analyzer/samples/messages-table.ts";
import { bases, fixtures, letterOf } from "../../fixtures/messages/fixture.ts";
import { toBytes } from "../../fixtures/messages/letter.ts";
import { analystWith, inputOf } from "../../fixtures/messages/run.ts";

type Findings = Parameters<typeof toPins>[0];

/** As stored, and as bulk mail, which most checks are about. */
async function analyze(raw: Uint8Array): Promise<Findings> {
  const { circumstances, ...input } = inputOf(bases.N);
  const { report } = await analyzeMessage(
    { ...input, raw, circumstances: { ...circumstances, kindOverride: "bulk" } },
    analystWith(createZoneDns({})),
  );
  return report === null ? [] : JSON.parse(JSON.stringify(report.judgment.findings));
}

/** As it is compared: without what can't be seen, spaces, and case. */
const bare = (text: string) =>
  text
    .replace(/’/g, "'")
    .replace(/[\s\p{Default_Ignorable_Code_Point}-]/gu, "")
    .toLowerCase();

/** What a reader finds at an element: its words, where its links lead, its images, and what it consists of. */
function contentOf(element: HtmlElement): string {
  const words: string[] = [];
  const others: string[] = [];
  const read = ({ name, attributes, children }: HtmlElement): void => {
    others.push(name, ...["href", "src"].map((attribute) => bare(attributes.get(attribute) ?? "")));
    for (const child of children) {
      if (typeof child === "string") words.push(bare(child));
      else read(child);
    }
  };
  read(element);
  return [words.join(""), ...others].join(" ");
}

/** The words, addresses, and images of the evidence. A place contains at least one. Null: not quoted, but described. */
const quoted: Readonly<Record<BodyPlace, readonly string[] | null>> = {
  address: ["href", "links"],
  link: ["href"],
  host: ["host", "url"],
  domain: ["domain"],
  "nameless link": ["href"],
  "vague link": ["texts"],
  image: ["src", "sources", "cid"],
  "embedded image": null,
  quote: ["mark", "others", "text"],
  phrase: ["examples"],
  "unsubscribe words": null,
  "hidden text": ["text"],
  style: null,
  "small text": null,
  tag: ["tag"],
  "widest tag": ["tag"],
};

function quotesOf({ id, occurrences }: Findings[number]): string[] | null {
  const names = quoted[bodyPlaceOf(id) ?? "style"];
  const read = (value: unknown): unknown[] => {
    if (typeof value !== "object" || value === null) return [];
    const own = Object.entries(value).flatMap(([name, one]) => (names?.includes(name) ? [one].flat() : []));
    return [...own, ...Object.values(value).flat().flatMap(read)];
  };
  const texts = occurrences.flatMap(({ evidence }) => read(evidence)).filter((text) => typeof text === "string");
  return names && texts.map((text) => bare(text.replace(/^"(.*)"$/, "$1").replace(/…$/, "")));
}

/** Sentences about pins that are missing, or at the wrong place. */
async function judge(name: string, raw: Uint8Array, seen: Set<string>): Promise<string[]> {
  const findings = await analyze(raw);
  const page = readPage(parseMessage(raw).html?.text ?? "");
  const pins = toPins(findings, page);
  const written = new Set(idsIn(toSafeHtml(page, { pins }).html));
  const whole = contentOf(page.tree.root);
  return findings.flatMap((finding) => {
    const { id } = finding;
    const contents = [...pins].filter(([, names]) => names.has(id)).map(([element]) => contentOf(element));
    const quotes = quotesOf(finding);
    const isIn = (content: string) => quotes === null || quotes.some((quote) => content.includes(quote));
    if (contents.length > 0) seen.add(id);
    const wrong = contents.filter((content) => !isIn(content)).map((content) => `is at ${content}`);
    if (contents.length > 0 && !written.has(id)) wrong.push("is lost in the preview");
    if (contents.length > 0 && bodyPlaceOf(id) === null) wrong.push("has no place");
    if (contents.length === 0 && quotes !== null && isIn(whole)) wrong.push("is nowhere");
    return wrong.map((what) => `${name}: ${id} ${what}, with ${quotes}`);
  });
}

function idsIn(html: string): string[] {
  return [...html.matchAll(/ data-pin="([^"]*)"/g)].flatMap(([, ids = ""]) => ids.split(" "));
}

const occasion = { to: "robin@inbox.example", sentAt: Date.UTC(2026, 10, 21), mark: "7f3k" };

test("the findings of the prepared samples and of messages with one problem are pinned where they are", async () => {
  const seen = new Set<string>();
  const wrong: string[] = [];
  for (const { id, letter } of preparedMessages)
    wrong.push(...(await judge(id, toSampleBytes(letter, occasion, "meadow.example"), seen)));
  for (const fixture of fixtures) wrong.push(...(await judge(fixture.broken, toBytes(letterOf(fixture)), seen)));
  expect(wrong).toEqual([]);
  expect([...seen].sort()).toEqual([
    "hidden-text.hidden",
    "image-alt.missing",
    "link-host-exists.gone",
    "link-shortener.public",
    "link-text.mismatch",
    "placeholders.left-over",
    "tracking.found",
  ]);
});

type Example = readonly [id: string, evidence: Record<string, unknown>, html: string, ids: readonly string[]];

const link = { href: "https://a.example/1", text: "b.example" };
const gray = { fontPx: 14, isBold: false, color: "#aaaaaa", background: "#ffffff", contrast: 2.32 };

/** The elements that are expected have IDs. */
const examples: readonly Example[] = [
  [
    "link-text.mismatch",
    { link },
    `<a href="${link.href}">honest</a><p><a id="lie" href="${link.href}"><b>b.example</b></a>`,
    ["lie"],
  ],
  [
    "link-file.program",
    { link },
    `<a id="one" href="${link.href}">x</a> <a id="two" href="${link.href}">y</a> <a href="https://a.example/2">z</a>`,
    ["one", "two"],
  ],
  [
    "link-blocklist.listed",
    { domain: "a.example" },
    '<a id="one" href="https://www.a.example/">x</a><a href="https://bada.example/">y</a><img id="two" src="https://a.example/i.png">',
    ["one", "two"],
  ],
  [
    "link-names.nameless",
    { href: link.href },
    `<a href="${link.href}"><img src="cid:x"></a><a id="empty" href="${link.href}"> </a>`,
    ["empty"],
  ],
  [
    "link-names.vague",
    { texts: ["click here"] },
    '<a id="one" href="https://a.example/1">click here</a> <a href="https://a.example/2">Shoes</a>',
    ["one"],
  ],
  [
    "image-alt.missing",
    { src: "https://a.example/i.png", alt: null, linked: null },
    '<img alt="" src="https://a.example/i.png"><img id="one" src="https://a.example/i.png">',
    ["one"],
  ],
  [
    "image-formats.data-uri",
    {},
    '<img id="one" src="data:image/png;base64,AAAA"><img src="https://a.example/i.png">',
    ["one"],
  ],
  [
    "placeholders.left-over",
    { mark: "{{first name}}", others: ["*|CITY|*"] },
    '<p id="one">Hi <b>{{first</b> name}}!</p><p>{{last name}}</p><a id="two" href="https://a.example/*|CITY|*">x</a>',
    ["one", "two"],
  ],
  ["placeholders.suspected", { text: "Hi ," }, '<p id="one">Hi&nbsp;, how are you?</p><p>Delhi, Rome</p>', ["one"]],
  [
    "placeholders.left-over",
    { mark: "{{name}}", places: ["the preview text"] },
    '<div id="around"><div style="display:none">For {{name}}</div>Hello.</div>',
    ["around"],
  ],
  [
    "wording.phrases",
    { examples: ['"don\'t miss out"', '"act now"'] },
    '<p id="one">Don’t miss out!</p><p>He left the pact nowhere.</p><p id="two">ACT<br>NOW</p>',
    ["one", "two"],
  ],
  [
    "hidden-text.hidden",
    { text: "secret words", runs: [{ text: "secret words" }] },
    '<p>x</p><div id="around"><span style="font-size:0">secret <b>words</b></span></div><p>secret words</p>',
    ["around"],
  ],
  [
    "unsubscribe-link.hidden",
    { href: link.href },
    `<p id="around"><a style="display:none" href="${link.href}">Unsubscribe</a></p>`,
    ["around"],
  ],
  ["unsubscribe-link.missing", {}, '<p>Hello.</p><p id="one">To unsubscribe, write to us.</p>', ["one"]],
  [
    "text-contrast.low",
    { styles: [gray] },
    '<p id="one" style="font-size:14px;color:#aaa">pale</p><p style="font-size:14px">dark</p>',
    ["one"],
  ],
  [
    "text-size.small",
    { charsBySize: { "16": 5, "9": 90 } },
    '<p id="one" style="font-size:9px">tiny</p><p>large</p>',
    ["one"],
  ],
  ["active-content.frame", { tag: "iframe" }, '<iframe id="one" src="https://a.example/"></iframe>', ["one"]],
  [
    "layout-width.too-wide",
    { tag: "table", width: 900 },
    '<table width="600"></table><table id="one" width="900"></table>',
    ["one"],
  ],
];

const finding = (id: string, evidence: Record<string, unknown>): Findings[number] => ({
  id,
  occurrences: [{ evidence }],
});

test.each(examples)("%s with %j is pinned to the right elements of %s", (id, evidence, html, ids) => {
  const pins = toPins([finding(id, evidence)], readPage(html));
  expect([...pins.keys()].map(({ name, attributes }) => attributes.get("id") ?? name)).toEqual(ids);
});

test("a finding is pinned to at most 50 elements", () => {
  const html = '<a href="https://a.example/">x</a>'.repeat(200);
  expect(toPins([finding("link-host-exists.gone", { host: "a.example" })], readPage(html)).size).toBe(50);
});

test("the findings of a report from an earlier version are pinned", () => {
  const kept = readFileSync(join(import.meta.dirname, "../../fixtures/reports/titled-by-sentence.json"), "utf8");
  const findings = parseReport(kept)?.judgment.findings ?? [];
  const html =
    '<p>Hi {{first_name}}</p><a href="https://shop.example/c?u=7">https://a.example/new</a><img src="https://a.example/1.png">';
  const pins = toPins(findings, readPage(html));
  expect([...pins].map(([{ name }, ids]) => [name, [...ids].sort()])).toEqual([
    ["p", ["placeholders.left-over"]],
    ["a", ["link-host-exists.gone", "link-text.mismatch"]],
    ["img", ["image-alt.missing"]],
  ]);
});

test("findings about plain text are pinned to its words and addresses", () => {
  const text = "Hi {{name}},\nsee https://a.example/1 or www.b.example.";
  const pins = toTextPins(
    [
      finding("link-scheme.plain", { links: ["https://a.example/1"] }),
      finding("placeholders.left-over", { mark: "{{name}}" }),
    ],
    text,
  );
  expect(pins.map(({ start, end, names }) => [text.slice(start, end), ...names])).toEqual([
    ["https://a.example/1", "link-scheme.plain"],
    ["{{name}}", "placeholders.left-over"],
  ]);
  expect(toPreview({ subject: null, dark: null, safeHtml: null, text, textPins: pins })).toContain(
    'Hi <span data-pin="placeholders.left-over">{{name}}</span>,\nsee <a data-pin="link-scheme.plain">https://a.example/1</a> or <a>www.b.example</a>.</pre>',
  );
});

const archive = join(import.meta.dirname, "../../../../shared/data/mail/trap.tar.gz");
const hasArchive = existsSync(archive);
if (!hasArchive) console.warn("Skipped: ../shared/data/mail is not there.");

describe.skipIf(!hasArchive)("mail from the wild", () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-pins-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  test("the findings of 150 messages from the wild are pinned where they are", async () => {
    execFileSync("tar", ["xzf", archive, "-C", folder]);
    const seen = new Set<string>();
    const wrong: string[] = [];
    for (const name of readdirSync(join(folder, "trap")).toSorted().slice(0, 150))
      wrong.push(...(await judge(name, readFileSync(join(folder, "trap", name)), seen)));
    expect(wrong).toEqual([]);
    expect(seen.size).toBeGreaterThan(20);
  });
});
