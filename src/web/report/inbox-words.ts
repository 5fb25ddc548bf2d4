// What an inbox shows of a sender.

/** The name in From. Without one, the address. */
export function toSenderName(from: string | null): string {
  const text = from?.trim() ?? "";
  const at = text.lastIndexOf("<");
  const name = (at < 0 ? text : text.slice(0, at)).trim();
  const unquoted = /^".*"$/s.test(name) ? name.slice(1, -1).replace(/\\(.)/gs, "$1").trim() : name;
  return (
    unquoted ||
    text
      .slice(at + 1)
      .replace(/>.*$/s, "")
      .trim()
  );
}

/** The domain in From. Null if there are several addresses. */
export function toSenderDomain(from: string | null): string | null {
  const unquoted = from?.replace(/"(?:[^"\\]|\\.)*"?/gs, "") ?? "";
  const addresses = unquoted.split(",").filter((part) => part.includes("@"));
  const [, domain = null] = /@([^@\s<>;]+)[>;]*\s*$/.exec(addresses[0] ?? "") ?? [];
  return addresses.length === 1 ? domain : null;
}

/** For an avatar without an image: the first letters of the first words. Empty without letters. */
export function toInitials(name: string, most: number): string {
  const words = name.split(/\s+/).flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? []);
  return words.slice(0, most).join("").toLocaleUpperCase();
}
