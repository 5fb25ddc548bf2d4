// Decodes character references such as `&amp;` only where they occur. Most texts and attributes have none, and a
// tokenizer that searches everywhere takes twice the time. htmlparser2's tokenizer does the decoding.

import { Tokenizer } from "htmlparser2";

/** In an attribute `&copy=` and `&copyx` are literal (HTML §13.2.5.73). No name is longer. */
const references = /&(?:#(?:x[0-9a-f]+|[0-9]+)|[a-z][a-z0-9]{1,40});?=?/gi;

export function decodeReferences(text: string, isAttribute: boolean): string {
  // Most addresses have nothing else.
  if (hasOnlyAmpersands(text)) return text.replaceAll("&amp;", "&");
  return text.replace(references, isAttribute ? decodeInAttribute : decodeInText);
}

function hasOnlyAmpersands(text: string): boolean {
  let at = text.indexOf("&");
  while (at >= 0 && text.startsWith("amp;", at + 1)) at = text.indexOf("&", at + 5);
  return at < 0;
}

const maxKept = 2_000;
/** A longer slice keeps the whole text in memory. */
const maxKeptLength = 12;

const decodeInText = createDecoder((reference) => `${reference}<`);
const decodeInAttribute = createDecoder((reference) => `<a b="${reference}">`);

/** Messages repeat the same few. */
function createDecoder(frame: (reference: string) => string): (reference: string) => string {
  const known = new Map<string, string>();
  return (reference) => {
    const kept = known.get(reference);
    if (kept !== undefined) return kept;
    const decoded = readReference(frame(reference));
    if (known.size < maxKept && reference.length <= maxKeptLength) known.set(reference, decoded);
    return decoded;
  };
}

const ignore = () => {};

function readReference(source: string): string {
  let decoded = "";
  const addSlice = (start: number, end: number) => {
    decoded += source.slice(start, end);
  };
  const addCodePoint = (codePoint: number) => {
    decoded += String.fromCodePoint(codePoint);
  };
  const tokenizer = new Tokenizer(
    {},
    {
      ontext: addSlice,
      ontextentity: addCodePoint,
      onattribdata: addSlice,
      onattribentity: addCodePoint,
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
  return decoded;
}
