// The message's own text: its visible HTML without code and quoted messages, or else its plain text. Checks that look for
// words use it, so they also work for messages without HTML.

import type { Html } from "../../mail/html/page.ts";
import type { Message } from "../../mail/mime/message.ts";
import { type Fact, known } from "../fact.ts";

/** Unknown if there is HTML that could not be parsed, because recipients then don't see the plain text. */
export function ownWordsOf(message: Message, html: Fact<Html>): Fact<string> {
  if (html.known) return known(html.value.ownText);
  return message.html === null ? known(ownLinesOf(message)) : html;
}

const maxTextLength = 200_000;

/** The plain text without quoted lines and without armored signatures and keys (RFC 9580 §6). */
export function ownLinesOf({ text }: Message): string {
  const whole = (text?.text ?? "").slice(0, maxTextLength);
  const isPlain = !whole.includes("\n>") && !whole.startsWith(">") && !whole.includes(armour);
  return isPlain ? whole : withoutOthersLines(whole.split("\n")).join("\n");
}

const armour = "-----BEGIN PGP ";

function withoutOthersLines(lines: readonly string[]): string[] {
  let isArmoured = false;
  return lines.filter((line) => {
    // The content of a clear-signed message belongs to the message.
    if (line.startsWith(armour)) isArmoured = !line.startsWith(`${armour}SIGNED MESSAGE`);
    const isOwn = !isArmoured && !line.startsWith(">");
    if (line.startsWith("-----END PGP ")) isArmoured = false;
    return isOwn;
  });
}
