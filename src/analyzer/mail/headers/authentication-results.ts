// What a receiver says about a message's authentication: Authentication-Results (RFC 8601 §2.2), parsed leniently.
// Outlook.com leaves out the name of its server, and iCloud writes a field for each method. The web app reads it too.

export type StatedResult = {
  /** In lower case, like `dkim`. */
  readonly method: string;
  /** In lower case, as written. */
  readonly result: string;
};

const longest = 4_000;
const mostResults = 50;

/** In order. */
export function parseAuthenticationResults(value: string): StatedResult[] {
  const pieces = withoutComments(value.slice(0, longest)).split(";");
  const stated = pieces.flatMap((piece) => {
    const [, method, result] = /^\s*([a-z][\w-]{0,30})(?:\/\d+)?\s*=\s*"?([a-z][\w-]{0,30})/i.exec(piece) ?? [];
    return method && result ? [{ method: method.toLowerCase(), result: result.toLowerCase() }] : [];
  });
  return stated.slice(0, mostResults);
}

export type RecordedResult = StatedResult & {
  /** What the result is about: `header.d`, `smtp.mailfrom`. */
  readonly properties: Readonly<Record<string, string>>;
};

/** Includes the name of the server that states them: after `i=` in ARC, null where it is left out. */
export function parseRecordedResults(value: string): {
  readonly authservId: string | null;
  readonly results: readonly RecordedResult[];
} {
  const pieces = withoutComments(value.slice(0, longest)).split(";");
  const named = pieces.slice(0, 2).find((piece) => !/^\s{0,20}i\s{0,20}=\s{0,20}\d+\s{0,20}$/.test(piece)) ?? "";
  const [id = ""] = named.trim().split(/\s/, 1);
  const results = pieces.flatMap((piece) =>
    parseAuthenticationResults(piece).map((stated) => ({ ...stated, properties: readProperties(piece) })),
  );
  return {
    authservId: id === "" || id.includes("=") ? null : id.toLowerCase(),
    results: results.slice(0, mostResults),
  };
}

function readProperties(piece: string): Record<string, string> {
  const found = piece.matchAll(/(?:^|\s)([a-z]{1,20}\.[a-z-]{1,20})=("[^"]{0,400}"|[^\s"]{1,400})/gi);
  return Object.fromEntries(
    [...found].map(([, name = "", written = ""]) => [name.toLowerCase(), written.replaceAll('"', "")]),
  );
}

/** Comments may nest, and quotation marks mean nothing in them. Quoted separators outside comments don't separate. */
function withoutComments(value: string): string {
  let kept = "";
  let depth = 0;
  for (let at = 0; at < value.length; ) {
    const pattern = depth > 0 ? inComment : outside;
    pattern.lastIndex = at;
    const token = pattern.exec(value)?.[0] ?? value.charAt(at);
    at += token.length;
    if (token === "(") depth++;
    else if (token === ")") depth = Math.max(0, depth - 1);
    else if (depth === 0) kept += token.startsWith('"') ? token.replaceAll(";", " ") : token;
  }
  return kept;
}

const outside = /"(?:[^"\\]|\\[\s\S])*"?|\\[\s\S]?|[()]|[^"\\()]+/y;
const inComment = /\\[\s\S]?|[()]|[^\\()]+/y;
