// The web app's files. Every page path answers the same HTML file, which is revalidated each time by its hash. All
// other files have a hash in their names and are cached forever. Large files were compressed at build time.

import { createHash } from "node:crypto";
import type { Endpoint } from "../contract/endpoint.ts";
import { readIcon, readWebFile, toWebPage } from "../contract/web-pages.ts";
import { type Route, route } from "../route.ts";
import { pathNotFound } from "./errors.ts";

type Files = ReadonlyMap<string, Uint8Array>;

type RequestHeaders = {
  readonly "if-none-match"?: string | undefined;
  readonly "accept-encoding"?: string | undefined;
};

const shell = "index.html";

const webPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const mediaTypes: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

/** The logo, in a color that is visible on light and dark tabs. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke="#4a86d8"><path d="M5 1h6l4 4v6l-4 4H5l-4-4V5z" stroke-width="1.5" stroke-linejoin="round"/><path d="M4.6 11.6L8 4.2l3.4 7.4M5.9 9h4.2" stroke-width="1.6"/></svg>`;

/** Most expensive, and smallest, first. */
const encodings = [
  { coding: "br", ending: ".br" },
  { coding: "gzip", ending: ".gz" },
] as const;

export function createWebRoutes(files: Files, paths: readonly Endpoint["path"][]): readonly Route[] {
  const tags = new Map([...files].map(([name, bytes]) => [name, toTag(bytes)]));
  const answerPage = (headers: RequestHeaders) =>
    files.has(shell) ? answerFile(files, tags, shell, headers) : answerUnbuilt();
  return [
    ...paths.map(toWebPage).map((page) =>
      route(page, async ({ headers, cookie }, { leadVisitor }) => {
        const to = cookie.secret === null ? await leadVisitor(page.path) : null;
        return to === null ? answerPage(headers) : leadTo(to);
      }),
    ),
    route(
      readIcon,
      () => new Response(icon, { headers: { "content-type": "image/svg+xml", "cache-control": "max-age=86400" } }),
    ),
    route(readWebFile, ({ params: { name }, headers }) => {
      // Compressed files and the HTML file have no URL of their own.
      if (!files.has(name) || !/-[A-Z0-9]{8}\.[a-z]+$/.test(name)) throw pathNotFound();
      return answerFile(files, tags, name, headers);
    }),
  ];
}

function leadTo(location: string): Response {
  return new Response(null, { status: 302, headers: { location, "cache-control": "no-store" } });
}

function answerFile(files: Files, tags: ReadonlyMap<string, string>, name: string, asked: RequestHeaders): Response {
  const etag = tags.get(name) ?? "";
  const headers = {
    "content-type": mediaTypes[name.split(".").at(-1) ?? ""] ?? "application/octet-stream",
    "cache-control": name === shell ? "no-cache" : "public, max-age=31536000, immutable",
    ...(name === shell ? { "content-security-policy": webPolicy } : {}),
    etag,
    vary: "accept-encoding",
  };
  if (isKnownTag(asked["if-none-match"], etag)) return new Response(null, { status: 304, headers });
  const { coding, bytes } = pickForm(files, name, asked["accept-encoding"] ?? "");
  const encoding = coding === null ? {} : { "content-encoding": coding };
  return new Response(Buffer.from(bytes), { headers: { ...headers, ...encoding } });
}

/** A proxy that compresses turns the tag into a weak one (RFC 9110 §13.1.2). */
export function isKnownTag(known: string | undefined, etag: string): boolean {
  return known?.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag) ?? false;
}

function pickForm(
  files: Files,
  name: string,
  accepted: string,
): { readonly coding: string | null; readonly bytes: Uint8Array } {
  const wanted = accepted.split(",").map((one) => one.trim().toLowerCase());
  for (const { coding, ending } of encodings) {
    const bytes = files.get(name + ending);
    if (bytes && wanted.some((one) => one === coding || (one.startsWith(`${coding};`) && !/q=0(\.0*)?$/.test(one))))
      return { coding, bytes };
  }
  return { coding: null, bytes: files.get(name) ?? new Uint8Array() };
}

export function answerUnbuilt(given: { readonly status?: number; readonly headers?: HeadersInit } = {}): Response {
  const page =
    '<!doctype html><html lang="en"><title>Assay</title><p>The web app is not built yet. Run <code>npm run build</code>. For the API, see <a href="/docs">/docs</a>.</p></html>\n';
  return new Response(page, { headers: { "content-type": "text/html; charset=utf-8" }, ...given });
}

export function toTag(bytes: Uint8Array): string {
  return `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
}
