// Messages with unusual bytes, as DATA should carry them, and the interface of a real mail client.

export type Letter = { readonly name: string; readonly bytes: Buffer };

export type Envelope = { readonly from: string; readonly to: string };

export type RealClient = {
  readonly name: string;
  /** What this machine lacks for it, if anything. */
  readonly findLack: () => string | null;
  /** False if the client itself changes such bytes before sending. */
  readonly carries: (letter: Letter) => boolean;
  /** It adds its own lines at the top, so only what follows the headers is compared. */
  readonly addsHeader: boolean;
  /** Resolves when the client reports that the message was accepted, or that it is in its queue. */
  readonly send: (letter: Letter, envelope: Envelope) => Promise<void>;
  readonly end?: () => Promise<void>;
};

const header = [
  "From: Ann <ann@sender.example>",
  "To: someone@seed.localhost",
  "Subject: awkward bytes",
  "Date: Sat, 21 Nov 2026 12:00:00 +0000",
  "Message-ID: <awkward@sender.example>",
  "",
  "",
].join("\r\n");

const eightBit = Array.from({ length: 128 }, (_, index) => String.fromCharCode(128 + index)).join("");

const bodies: Readonly<Record<string, string>> = {
  plain: "Hello.\r\n",
  empty: "",
  "eight-bit": `${eightBit}\r\nGr\u00fc\u00dfe\r\n`,
  "long-line": `${"x".repeat(100_000)}\r\nend\r\n`,
  dots: ".\r\n..\r\n...\r\n.a\r\na.\r\n.\r\n",
  nul: "a\0b\r\n\0\r\n",
  "bare-lf": "a\nb\n\r\nend\r\n",
  "bare-lf-dots": "a\n..b\n.\nc\r\n",
  "bare-cr": "a\rb\r.\rc\r\n",
  spaces: "a \t \r\n \r\n\r\n\r\n",
};

export const letters: readonly Letter[] = Object.entries(bodies).map(([name, body]) => ({
  name,
  bytes: Buffer.from(header + body, "latin1"),
}));

export const plainLetter: Letter = letters[0] as Letter;

export function hasBareLf({ bytes }: Letter): boolean {
  return /(^|[^\r])\n/.test(bytes.toString("latin1"));
}

export function hasBareCr({ bytes }: Letter): boolean {
  return /\r(?!\n)/.test(bytes.toString("latin1"));
}

/** With line ends as Unix programs expect them. */
export function toUnixLines({ bytes }: Letter): Buffer {
  return Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1");
}

export function bodyOf(bytes: Buffer): Buffer {
  return bytes.subarray(bytes.indexOf("\r\n\r\n") + 4);
}
