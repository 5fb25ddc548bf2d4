// What the message itself says: its HTML as it is seen, without code and quoted messages, or else its plain text. Checks of
// words read it, so that they judge a message without HTML as well.

import type { Html } from "../../mail/html/page.ts";
import type { Message } from "../../mail/mime/message.ts";
import { type Fact, known } from "../fact.ts";

/** Unknown where there is HTML that could not be read: the plain text is not what people see then. */
export function ownWordsOf(message: Message, html: Fact<Html>): Fact<string> {
  if (html.known) return known(html.value.ownText);
  return message.html === null ? known(ownLinesOf(message)) : html;
}

const maxTextLength = 200_000;

/** Without what it quotes, and without armoured signatures and keys (RFC 9580 §6). */
export function ownLinesOf({ text }: Message): string {
  const whole = (text?.text ?? "").slice(0, maxTextLength);
  const isPlain = !whole.includes("\n>") && !whole.startsWith(">") && !whole.includes(armour);
  return isPlain ? whole : withoutOthersLines(whole.split("\n")).join("\n");
}

const armour = "-----BEGIN PGP ";

function withoutOthersLines(lines: readonly string[]): string[] {
  let isArmoured = false;
  return lines.filter((line) => {
    // What a clear-signed message holds is its own.
    if (line.startsWith(armour)) isArmoured = !line.startsWith(`${armour}SIGNED MESSAGE`);
    const isOwn = !isArmoured && !line.startsWith(">");
    if (line.startsWith("-----END PGP ")) isArmoured = false;
    return isOwn;
  });
}
