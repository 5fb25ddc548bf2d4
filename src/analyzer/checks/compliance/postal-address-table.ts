// What a postal address looks like, country by country. Patterns are bounded, so their cost per character is constant.

import rows from "./postal-addresses.json" with { type: "json" };

type PostalPattern = { readonly name: string; readonly pattern: RegExp; readonly holds: string };

export const postalPatterns: readonly PostalPattern[] = rows.map(({ name, pattern, flags, holds }) => ({
  name,
  pattern: new RegExp(pattern, flags),
  holds,
}));
