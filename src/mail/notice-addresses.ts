// Addresses in the words of a notice.

// The local part's bound keeps the search linear; the domain may lack its dots, because notices cut and hide.
const address = /[\w!#$%&'*+/=?^`{|}~.-]{1,128}@[a-z\d](?:[a-z\d.-]{0,252})/gi;
const wideAddress = /[^\s<>()[\]:;,"@]{1,128}@[^\s<>()[\]:;,"@]{1,253}/;

export function addressesIn(text: string): string[] {
  return (text.match(address) ?? []).map(trimAddress).filter((found) => found.length > 2);
}

/** The one address of a field: `rfc822; ann@b.example`, `LOCAL;<ann@b.example>`, `utf-8; añn@b.example`. */
export function addressIn(value: string): string | null {
  const behindType = value.replace(/^\s*[\w-]{1,30}\s{0,5};/, "");
  const found = wideAddress.exec(/<([^<>]{1,400})>/.exec(behindType)?.[1] ?? behindType);
  return found ? trimAddress(found[0]) : null;
}

export function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function trimAddress(text: string): string {
  const bare = text.replace(/^(?:mailto:|rfc822;|['"`=.])+/i, "");
  return bare.slice(0, lengthWithoutTail(bare));
}

function lengthWithoutTail(text: string): number {
  let end = text.length;
  while (end > 0 && ".'-`".includes(text[end - 1] ?? "")) end--;
  return end;
}
