// Pins on every element of a page: more than any report has.

import type { Pins } from "../../../../src/analyzer/mail/html/safe-html.ts";
import type { Page } from "../../../../src/analyzer/mail/html/visible-content.ts";

export function pinsOnAll({ tree }: Page): Pins {
  const elements = [tree.root];
  for (const { children } of elements)
    for (const child of children) if (typeof child === "object") elements.push(child);
  return new Map(elements.map((element) => [element, new Set(["a.b"])]));
}
