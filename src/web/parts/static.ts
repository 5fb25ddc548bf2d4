// A page that the server renders works without scripts: it contains everything, and leaves out what needs a script.
// scripts/build-web.ts sets this for each of the two builds, so neither contains code of the other.

/** Rendered on the server. */
export const isStatic = globalThis.document === undefined;
