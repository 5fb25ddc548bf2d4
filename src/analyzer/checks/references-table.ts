// URLs of the pages that checks cite, by the citation. One name can mean several pages.

import table from "./references.json" with { type: "json" };
import type { Reference } from "./references.ts";

/** By provider: "Gmail and Yahoo sender rules" means both pages. */
export const senderRules: Readonly<Record<string, string>> = table.senderRules;

export const pages: Readonly<Record<string, string | readonly Reference[]>> = table.pages;

/** Citations without a page: common practice and observations. */
export const withoutPage: ReadonlySet<string> = new Set(table.withoutPage);
