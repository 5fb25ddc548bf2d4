// A page that the server renders is read without a script: all of it is there from the start, and what only a script could
// do is left out. scripts/build-web.ts says which of the two it builds, so that neither holds what is the other's alone.

/** Rendered on the server. */
export const isStatic = globalThis.document === undefined;
