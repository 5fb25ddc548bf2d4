import { Tokenizer } from "htmlparser2";
import { expect, test } from "vitest";
import { decodeReferences } from "../../../../src/analyzer/mail/html/references.ts";

test.each([
  ["a &amp; b", "a & b"],
  ["&amp;copy;", "&copy;"],
  ["&copy 2026", "© 2026"],
  ["&copycat", "©cat"],
  ["&notit; &notin;", "¬it; ∉"],
  ["&#8364;&#x20AC;&#X41;&#65", "€€AA"],
  ["&#128;&#0;&#xD800;&#x110000;", "€\ufffd\ufffd\ufffd"],
  ["&ngE;", "≧̸"],
  ["R&D & &; &# &#x &bogus;", "R&D & &; &# &#x &bogus;"],
])("the text %j decodes to %j", (text, decoded) => {
  expect(decodeReferences(text, false)).toBe(decoded);
});

test.each([
  ["?a=1&amp;b=2", "?a=1&b=2"],
  ["?a=1&copy=2&reg=3", "?a=1&copy=2&reg=3"],
  ["?a=1&copy", "?a=1©"],
  ["?a=1&copyx", "?a=1&copyx"],
  ["?a=1&copy;=2", "?a=1©=2"],
])("the attribute %j decodes to %j", (text, decoded) => {
  expect(decodeReferences(text, true)).toBe(decoded);
});

const pieces = "& # x ; = a amp lt copy not in frac12 12 65 x41 zz CounterClockwiseContourIntegral é".split(" ");

test("character references are decoded as by the tokenizer", () => {
  let state = 5;
  const draw = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  for (let round = 0; round < 5_000; round++) {
    const text = Array.from({ length: 1 + draw(8) }, () => pieces[draw(pieces.length)]).join("");
    expect(decodeReferences(text, false), text).toBe(decodedByTokenizer(text));
    expect(decodeReferences(text, true), text).toBe(decodedByTokenizer(`<a b="${text}">`));
  }
});

function decodedByTokenizer(source: string): string {
  let decoded = "";
  const slice = (start: number, end: number) => {
    decoded += source.slice(start, end);
  };
  const point = (codePoint: number) => {
    decoded += String.fromCodePoint(codePoint);
  };
  const ignore = () => {};
  const tokenizer = new Tokenizer(
    {},
    {
      ontext: slice,
      ontextentity: point,
      onattribdata: slice,
      onattribentity: point,
      onattribend: ignore,
      onattribname: ignore,
      oncdata: ignore,
      onclosetag: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onend: ignore,
      onopentagend: ignore,
      onopentagname: ignore,
      onprocessinginstruction: ignore,
      onselfclosingtag: ignore,
    },
  );
  tokenizer.write(source);
  tokenizer.end();
  return decoded;
}
