// The kinds of files in mail, detected by their first bytes. Rows with the same beginning are ordered from special to
// general. Rows without `magic` are recognized by name or by looking inside a container.

import kinds from "./file-types.json" with { type: "json" };

export type FileFamily =
  | "image"
  | "document"
  | "archive"
  | "program"
  | "disk-image"
  | "media"
  | "font"
  | "page"
  | "text"
  | "message"
  | "signature";

export type FileKind = {
  readonly name: string;
  readonly family: FileFamily;
  readonly mediaType: string;
  readonly alsoTypes?: readonly string[];
  readonly extensions: readonly string[];
  /** All must match. `text` is literal, `hex` is hexadecimal bytes. */
  readonly magic?: readonly { readonly at: number; readonly text?: string; readonly hex?: string }[];
};

export const fileKinds: readonly FileKind[] = kinds.map((kind) => ({ ...kind, family: kind.family as FileFamily }));

/** The beginning of a text, in lower case without white space. The first match counts. */
export const textBeginnings: readonly { readonly kind: string; readonly pattern: RegExp }[] = [
  { kind: "HTML application", pattern: /^[\s\S]{0,900}<hta:application/ },
  {
    kind: "SVG",
    pattern: /^(?:<\?xml[^>]{0,200}>\s*)?(?:<!--[^>]{0,400}-->\s*)?(?:<!doctype svg[^>]{0,300}>\s*)?<svg[\s>]/,
  },
  {
    kind: "HTML",
    pattern:
      /^(?:<\?xml[^>]{0,200}>\s*)?(?:<!--[^>]{0,400}-->\s*)?<(?:!doctype html|html|head|body|script|title|meta|iframe|form|table|a\s)/,
  },
  { kind: "Windows script", pattern: /^(?:<\?xml[^>]{0,200}>\s*)?<(?:job|package|scriptlet|component)[\s>]/ },
  { kind: "calendar", pattern: /^begin:vcalendar/ },
  { kind: "business card", pattern: /^begin:vcard/ },
  { kind: "Windows link", pattern: /^\[internetshortcut\]/ },
  { kind: "shell script", pattern: /^#!\s?\/(?:usr\/)?bin\// },
  {
    kind: "mail message",
    pattern:
      /^(?:received|return-path|delivered-to|from|date|subject|message-id|mime-version|x-[\w-]{1,40}): [^\n]*\n(?:[\w-]{1,40}:|\s)/,
  },
  { kind: "XML", pattern: /^<\?xml/ },
];
