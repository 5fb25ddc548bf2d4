// Standards and provider pages by the names that checks cite them with.

export type Reference = { readonly title: string; readonly url: string | null };

export function toReference(title: string): Reference {
  const [, rfc, section] = /^RFC (\d+)(?: §([\d.]+))?/.exec(title) ?? [];
  if (rfc === undefined) return { title, url: null };
  return { title, url: `https://www.rfc-editor.org/rfc/rfc${rfc}${section ? `#section-${section}` : ""}` };
}
