// The name that a part is saved under: the message's own, without what a file system, a header or a reader's eye could
// take for something else.

import { fileKinds } from "./file-types-table.ts";
import type { MessagePart } from "./message.ts";

/** File systems take 255; a browser adds a number to a name that is there already. */
const maxBytes = 200;
const longestEnding = 12;

export function toDownloadName({
  filename,
  path,
  type,
}: Pick<MessagePart, "filename" | "path" | "type">): string {
  return toSafeFileName(filename ?? "") || `part-${path.replaceAll(".", "-")}${endingFor(type)}`;
}

/** Empty when nothing is left of it. */
function toSafeFileName(written: string): string {
  const name = written
    // Controls, line ends, what turns the reading direction or is not shown at all, halves of characters.
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "")
    .replace(/[/\\:*?"<>|]/g, "_")
    .replace(/\s+/g, " ")
    // A dot in front hides a file or leads a folder up; one at the end is dropped by Windows.
    .replace(/^[. ]+/, "")
    .replace(/(?<![. ])[. ]+$/, "");
  return Buffer.byteLength(name) > maxBytes ? shorten(name) : name;
}

/** The ending stays: it says what the file is. */
function shorten(name: string): string {
  const ending = /\.[^. ]+$/.exec(name.slice(-longestEnding))?.[0] ?? "";
  const room = maxBytes - Buffer.byteLength(ending);
  // Half of a character at the cut becomes a replacement character.
  const stem = Buffer.from(name)
    .subarray(0, room)
    .toString()
    .replace(/(?<!\ufffd)\ufffd+$/, "");
  return stem + ending;
}

function endingFor(type: string): string {
  const [ending] = fileKinds.find(({ mediaType }) => mediaType === type)?.extensions ?? [];
  return ending === undefined ? "" : `.${ending}`;
}
