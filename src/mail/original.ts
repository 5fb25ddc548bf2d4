// The message that a notice is about, as far as the notice returns it: whole, only its header section, or quoted in the words.

import { bodyOf, type Fields, isEmbedded, ownParts, type Part, readFields } from "./mime-parts.ts";
import { addressIn } from "./notice-addresses.ts";

export type Original = {
  readonly messageId: string | null;
  readonly assayId: string | null;
  readonly to: string | null;
  readonly fields: Fields | null;
};

const maxHeaderPartBytes = 65_536;

/** `quoted` is what stands behind the notice's own words. */
export function readOriginal(root: Part, quoted: string): Original {
  const fields = returnedFields(root) ?? (quoted === "" ? null : readFields(Buffer.from(quoted.trimStart())));
  const answered = root.fields.first("in-reply-to") ?? root.fields.first("references");
  return {
    messageId: toMessageId(fields?.first("message-id") ?? null) ?? toMessageId(answered),
    assayId: cut(fields?.first("x-assay-id") ?? null),
    to: fields === null ? null : addressIn(fields.first("to") ?? ""),
    fields,
  };
}

/** The last such part: a gateway that wraps another's notice puts its own words first. */
function returnedFields(root: Part): Fields | null {
  const parts = ownParts(root);
  const whole = parts.findLast(isEmbedded);
  if (whole) return whole.parts[0]?.fields ?? null;
  const headers = parts.findLast(({ type }) => /^(?:text|message)\/(?:rfc822|global)-headers$/.test(type));
  return headers ? readFields(bodyOf(headers, maxHeaderPartBytes)) : null;
}

function toMessageId(value: string | null): string | null {
  if (value === null) return null;
  const bracketed = /<([^<>\s]{1,900})>/.exec(value)?.[1];
  return bracketed ?? cut(/^\S{1,900}/.exec(value.trim())?.[0] ?? null);
}

function cut(value: string | null): string | null {
  return value === null || value.trim() === "" ? null : value.trim().slice(0, 998);
}
