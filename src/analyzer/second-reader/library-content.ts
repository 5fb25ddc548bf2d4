// What mailparser sees. Its tree is read instead of its merged text, because how bodies are joined is a choice of the
// library, and what each part contains is not. Loaded only where a message is examined.

import type { Headers, MailParserOptions } from "mailparser";
import { maxBodyLength, maxFiles, type ReadContent, type ReadFile, type ReadMailbox } from "./content.ts";
import { hashOf, linksIn } from "./own-content.ts";

/** The part of mailparser's tree that is used. The library has no types for it. */
type Node = {
  readonly contentType: string | false | undefined;
  readonly disposition?: string;
  readonly isAttachment?: boolean;
  readonly textContent?: string;
  readonly charset?: string;
  readonly children: readonly Node[];
  readonly node: { readonly filename?: string | false; readonly messageNode?: boolean };
};

const options: MailParserOptions = {
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipTextLinks: true,
  skipImageLinks: true,
};

/** Rejects with the library's reason if it refuses the message. */
export async function readWithLibrary(raw: Uint8Array): Promise<ReadContent> {
  const { MailParser } = await import("mailparser");
  const startedAt = Date.now();
  const parser = new MailParser({ ...options, checksumAlgo: "sha256" });
  const contents: Decoded[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  parser.on("error", reject);
  parser.on("end", resolve);
  parser.on("data", (data) => {
    if (data.type !== "attachment") return;
    const chunks: Buffer[] = [];
    data.content.on("data", (chunk: Buffer) => chunks.push(chunk));
    data.content.on("error", reject);
    data.content.on("end", () => {
      const content = Buffer.concat(chunks);
      contents.push({ bytes: content.length, sha256: hashOf(content) });
      data.release?.();
    });
  });
  parser.end(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength));
  await promise;
  const { tree, headers } = parser as unknown as { readonly tree: Node | false; readonly headers: Headers | false };
  const isNow = (date: number) => date >= startedAt && date <= Date.now();
  return toContent(tree, headers, { contents, isNow });
}

type Decoded = { readonly bytes: number; readonly sha256: string };
type Read = { readonly contents: readonly Decoded[]; readonly isNow: (date: number) => boolean };

function toContent(tree: Node | false, headers: Headers | false, { contents, isNow }: Read): ReadContent {
  const leaves = tree ? leavesOf(tree) : [];
  const unopened = contents.values();
  const decoded = new Map(
    (tree ? allNodes(tree) : [])
      .filter((node) => node.isAttachment && !isOpened(node))
      .map((node) => [node, unopened.next().value] as const),
  );
  const shown = (type: string) => {
    const texts = leaves.filter((leaf) => isShown(leaf) && leaf.contentType === type);
    const whole = texts.map(({ textContent }) => textContent ?? "").join("\n");
    return texts.length === 0 ? null : whole.slice(0, maxBodyLength);
  };
  const bodies = { text: shown("text/plain"), html: shown("text/html") };
  return {
    from: toMailboxes(headers),
    subject: textOf(headers ? headers.get("subject") : null),
    date: toDate(headers, isNow),
    ...bodies,
    files: leaves
      .filter((leaf) => !isShown(leaf))
      .slice(0, maxFiles)
      .map((leaf) => toFile(leaf, decoded.get(leaf))),
    links: linksIn(bodies),
    charsets: leaves.filter(isShown).map(({ charset }) => charset ?? ""),
  };
}

/** Without the parts of embedded messages, which count as one file. */
function leavesOf(node: Node): Node[] {
  if (isOpened(node) || node.children.length === 0) return isContainer(node) ? [] : [node];
  return node.children.flatMap(leavesOf);
}

function allNodes(node: Node): Node[] {
  return [node, ...node.children.flatMap(allNodes)];
}

function isContainer({ contentType }: Node): boolean {
  return typeof contentType === "string" && contentType.startsWith("multipart/");
}

/** An embedded message that the library opened. */
function isOpened({ contentType, node }: Node): boolean {
  return contentType === "message/rfc822" && node.messageNode === true;
}

function isShown({ contentType, isAttachment }: Node): boolean {
  return !isAttachment && (contentType === "text/plain" || contentType === "text/html");
}

function toFile(leaf: Node, content: Decoded | undefined): ReadFile {
  const type = leaf.contentType || "text/plain";
  const isMessage = type.startsWith("message/");
  return {
    name: leaf.node.filename || null,
    type,
    bytes: content?.bytes ?? 0,
    sha256: isMessage ? null : (content?.sha256 ?? null),
  };
}

function toMailboxes(headers: Headers | false): ReadMailbox[] | null {
  const from = headers ? (headers.get("from") as { value?: readonly AddressNode[] } | undefined) : undefined;
  return from ? flatten(from.value ?? []) : null;
}

type AddressNode = { readonly name?: string; readonly address?: string; readonly group?: readonly AddressNode[] };

function flatten(nodes: readonly AddressNode[]): ReadMailbox[] {
  return nodes.flatMap(({ name, address, group }) =>
    group ? flatten(group) : [{ name: name || null, address: address ?? "" }],
  );
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** The library takes the present time for a date that it can't read. */
function toDate(headers: Headers | false, isNow: Read["isNow"]): ReadContent["date"] {
  const date = headers ? headers.get("date") : null;
  if (!(date instanceof Date)) return null;
  return isNow(date.getTime()) ? "unreadable" : date.getTime();
}
