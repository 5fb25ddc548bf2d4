import type { Message } from "../mail/mime/message.ts";

/** Why there is no HTML whose looks could be judged; null when there is. */
export function whyNoHtml({ isEmpty, html }: Message): string | null {
  if (isEmpty) return "The message is empty.";
  return html === null ? "The message has no HTML." : null;
}
