// A title within a sentence. Nothing is imported here, because a reader's browser loads it too (api/plain-words.ts).

/** "no reverse DNS"; names and acronyms stay as they are. */
export function toInnerTitle(title: string): string {
  const [first = ""] = title.split(" ");
  const isName = /[A-Z]/.test(first.slice(1)) || names.has(first);
  return isName ? title : title.charAt(0).toLowerCase() + title.slice(1);
}

/** First words of titles. */
const names: ReadonlySet<string> = new Set(["Bcc", "Gmail", "Outlook-only", "Yahoo"]);
