// A page and its address, whose parts behind a colon are what the page is given.

import type { ComponentType } from "preact";

type PageProps = Readonly<Record<string, string>>;

export type PageEntry = { readonly path: string; readonly component: ComponentType<PageProps> };

/** The names in the path are the names of the properties; the router tests each page at its address. */
export function toEntry<P extends { readonly [Name in keyof P]?: string }>(
  path: string,
  component: ComponentType<P>,
): PageEntry {
  return { path, component: component as unknown as ComponentType<PageProps> };
}

type FoundPage = { readonly entry: PageEntry; readonly props: PageProps };

export function findPage(pages: readonly PageEntry[], path: string): FoundPage | null {
  const parts = path.split("/");
  for (const entry of pages) {
    const asked = entry.path.split("/");
    const isIt =
      asked.length === parts.length &&
      asked.every((part, index) => part === parts[index] || (part.startsWith(":") && parts[index] !== ""));
    if (!isIt) continue;
    const named = asked.map((part, index) => [part.slice(1), parts[index] ?? ""] as const);
    return { entry, props: Object.fromEntries(named.filter((_, index) => asked[index]?.startsWith(":"))) };
  }
  return null;
}
