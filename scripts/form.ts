// The form of the code, as far as the formatter and the linter don't decide it: the size of a function is counted in
// statements, and nothing is spread only to save lines.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "vitest/node";

type Node = { readonly type: string; readonly start: number };

/** Without those of the functions inside. For tests and scripts, the order of their steps matters more. */
const mostStatements = 40;
const isFunction = /^(?:ArrowFunctionExpression|FunctionDeclaration|FunctionExpression)$/;
const isStatement = /(?:Statement|Declaration)$/;

export function findFormProblems(path: string, text: string): string[] {
  const problems: string[] = [];
  const note = ({ start }: Node, problem: string) =>
    problems.push(`${path}:${text.slice(0, start).split("\n").length}: ${problem}`);

  /** The statements in a node, without those of functions in it. */
  function count(node: Node): number {
    if (node.type === "SpreadElement" || node.type === "JSXSpreadAttribute") {
      const { type } = (node as Node & { readonly argument: Node }).argument;
      if (type === "ObjectExpression" || type === "ArrayExpression") note(node, "spreads a literal");
    }
    const inside = childrenOf(node).reduce((sum, child) => sum + count(child), 0);
    const own = isStatement.test(node.type) && node.type !== "BlockStatement" ? 1 : 0;
    if (!isFunction.test(node.type)) return own + inside;
    if (inside > mostStatements && path.startsWith("src/"))
      note(node, `${inside} statements in a function, ${mostStatements} at most`);
    return own;
  }

  count(parseAst(text, { lang: path.endsWith("x") ? "tsx" : "ts" }, path));
  return problems;
}

function childrenOf(node: Node): Node[] {
  return Object.values<unknown>(node).flat().filter(isNode);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

if (import.meta.main) {
  const root = join(import.meta.dirname, "..");
  const files = ["src", "scripts", "test"]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
    )
    .filter((name) => /\.tsx?$/.test(name));
  const problems = files.flatMap((name) => findFormProblems(name, readFileSync(join(root, name), "utf8")));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
