// What the message itself says: its HTML as it is seen, without code and quoted messages, or else its plain text. Checks of
// words read it, so that they judge a message without HTML as well.

import type { Html } from "../../mail/html.ts";
import type { Message } from "../../mail/message.ts";
import { type Fact, known } from "../fact.ts";

/** Unknown where there is HTML that could not be read: the plain text is not what people see then. */
export function ownWordsOf(message: Message, html: Fact<Html>): Fact<string> {
  if (html.known) return known(html.value.ownText);
  return message.html === null ? known(ownLinesOf(message)) : html;
}

const maxTextLength = 200_000;

/** Without what it quotes. */
export function ownLinesOf({ text }: Message): string {
  const whole = (text?.text ?? "").slice(0, maxTextLength);
  const lines = whole.includes("\n>") || whole.startsWith(">") ? whole.split("\n") : [whole];
  return lines.filter((line) => !line.startsWith(">")).join("\n");
}
