// The header section as bytes: what authentication signs, and what a lenient parser would see. One character a byte
// (Latin-1), so that nothing is lost and patterns work. Lines end at LF, with or without CR, as email clients read
// them: a From line that only they see must be seen here too. Each field keeps its exact bytes, so that signatures are
// verified over what was sent.

export type HeaderField = {
  /** As written, without white space before the colon. */
  readonly name: string;
  /** Lower case. */
  readonly key: string;
  /** The whole field with its folds, without the final line end. */
  readonly line: string;
  /** Everything after the colon, folds included. */
  readonly value: string;
  /** Offset of its first byte in the message. */
  readonly offset: number;
};

export type HeaderSection = {
  readonly fields: readonly HeaderField[];
  /** Lines that aren't fields: no colon, a name with a space or 8-bit byte, or a fold before the first field. */
  readonly badLines: readonly { readonly offset: number; readonly text: string }[];
  /** Where the body begins, or the length of the message if no empty line ends the header section. */
  readonly bodyOffset: number;
  readonly hasBlankLine: boolean;
};

const LF = 10;
const CR = 13;
const TAB = 9;
const SPACE = 32;

/** After `maxFields` fields the section ends, as if the empty line were missing. */
export function readHeaderSection(raw: Uint8Array, maxFields: number = Number.POSITIVE_INFINITY): HeaderSection {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const fields: HeaderField[] = [];
  const badLines: { offset: number; text: string }[] = [];
  const keep = (begin: number, end: number) => {
    if (begin === end) return;
    const line = bytes.toString("latin1", begin, end);
    const field = toField(line, begin);
    if (field) fields.push(field);
    else badLines.push({ offset: begin, text: line });
  };
  let begin = 0;
  let endOfField = 0;
  let at = 0;
  while (at < bytes.length) {
    const lf = bytes.indexOf(LF, at);
    const next = lf < 0 ? bytes.length : lf + 1;
    const end = lf < 0 ? bytes.length : withoutCr(bytes, at, lf);
    if (end === at) {
      keep(begin, endOfField);
      return { fields, badLines, bodyOffset: next, hasBlankLine: true };
    }
    const isFold = bytes[at] === SPACE || bytes[at] === TAB;
    if (!isFold) {
      keep(begin, endOfField);
      if (fields.length + badLines.length >= maxFields)
        return { fields, badLines, bodyOffset: at, hasBlankLine: false };
      begin = at;
    }
    endOfField = end;
    at = next;
  }
  keep(begin, endOfField);
  return { fields, badLines, bodyOffset: bytes.length, hasBlankLine: false };
}

function withoutCr(bytes: Buffer, begin: number, lf: number): number {
  return lf > begin && bytes[lf - 1] === CR ? lf - 1 : lf;
}

/** RFC 5322 §2.2, §4.5: printable ASCII except the colon. The obsolete syntax allows white space before it. */
const nameBeforeColon = /^([!-9;-~]+)[ \t]*:/;

function toField(line: string, offset: number): HeaderField | undefined {
  const [beginning, name] = nameBeforeColon.exec(line.slice(0, 1_000)) ?? [];
  if (beginning === undefined || name === undefined) return undefined;
  return { name, key: name.toLowerCase(), line, value: line.slice(beginning.length), offset };
}

/** All fields with that name, in message order. */
export function fieldsNamed(section: HeaderSection, key: string): HeaderField[] {
  return section.fields.filter((field) => field.key === key);
}

/** The end of the header section: the offset of the first empty line, or the length if there is none. */
export function headerLength(raw: Uint8Array): number {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const ends = ["\r\n\r\n", "\n\n"].map((mark) => bytes.indexOf(mark)).filter((offset) => offset >= 0);
  return ends.length > 0 ? Math.min(...ends) : raw.byteLength;
}
