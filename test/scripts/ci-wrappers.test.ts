// The GitHub action and the GitLab component: their files parse, and their shell steps run with a release served on
// loopback, whose program prints its arguments.

import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { commands } from "../../src/commands.ts";
import { parseArguments } from "../../src/platform/cli/command.ts";
import { blocksOf, readHandbook } from "../handbook/blocks.ts";

type Inputs = Record<string, { readonly default?: string }>;
type Step = { readonly run: string; readonly env: Record<string, string> };
type Action = {
  readonly inputs: Inputs;
  readonly outputs: Record<string, { readonly value: string }>;
  readonly runs: { readonly steps: readonly Step[] };
};
type Variable = string | { readonly value: string; readonly expand: boolean };
type Job = {
  readonly variables: Record<string, Variable>;
  readonly before_script: readonly string[];
  readonly script: readonly string[];
};

const top = join(import.meta.dirname, "..", "..");
const actionFolder = join(top, ".github", "actions", "assay");
const action = parse(readFileSync(join(actionFolder, "action.yml"), "utf8")) as Action;
const componentText = readFileSync(join(top, ".gitlab", "assay.yml"), "utf8");
const [spec, body] = parseAllDocuments(componentText).map((document) => {
  expect(document.errors).toEqual([]);
  return document.toJS() as Record<string, unknown>;
});
const component = {
  inputs: (spec as { spec: { inputs: Inputs } }).spec.inputs,
  job: Object.values(body ?? {})[0] as Job,
};

const stub = `#!/bin/sh
for one in "$@"; do printf '<%s>' "$one" >>"$STUB_LOG"; done
printf ' url=%s token=%s\\n' "$ASSAY_URL" "$ASSAY_TOKEN" >>"$STUB_LOG"
for one in "$@"; do case $previous in --save) echo "# result" >"$one" ;; esac; previous=$one; done
case " $* " in
  *" --json "*) printf '{"address":"seed+x@seed.example","token":"x","label":null}\\n' ;;
  " address "*) printf 'seed+x@seed.example\\n' ;;
esac
exit "\${STUB_STATUS:-0}"
`;
const version = "1.2.3";
const name = `assay-${version}-linux-${process.arch}`;

let release: string;
let server: Server;
let url: string;
let folder: string;

beforeAll(async () => {
  release = mkdtempSync(join(tmpdir(), "assay-release-"));
  mkdirSync(join(release, name));
  writeFileSync(join(release, name, "assay"), stub);
  chmodSync(join(release, name, "assay"), 0o755);
  spawnSync("tar", ["-czf", `${name}.tar.gz`, name], { cwd: release });
  writeSums(sumOf());
  server = createServer((request, response) => {
    const file = join(release, request.url ?? "");
    if (!existsSync(file)) response.writeHead(404).end();
    else response.end(readFileSync(file));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
  rmSync(release, { recursive: true });
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-ci-"));
  return () => rmSync(folder, { recursive: true });
});

function sumOf(): string {
  return createHash("sha256")
    .update(readFileSync(join(release, `${name}.tar.gz`)))
    .digest("hex");
}

function writeSums(sum: string): void {
  writeFileSync(join(release, "SHA256SUMS"), `${"0".repeat(64)}  other.tar.gz\n${sum}  ${name}.tar.gz\n`);
}

type Ran = { readonly status: number | null; readonly said: string };

async function bash(script: string, env: Record<string, string>): Promise<Ran> {
  // As GitHub runs "shell: bash".
  const argv = ["--noprofile", "--norc", "-eo", "pipefail", "-c", script];
  const own = { PATH: process.env.PATH ?? "", HOME: folder, TMPDIR: folder, STUB_LOG: join(folder, "log") };
  const child = spawn("bash", argv, { cwd: folder, env: { ...own, ...env } });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      said += chunk;
    });
  const [status] = (await once(child, "close")) as [number | null];
  return { status, said };
}

const read = (file: string) => (existsSync(join(folder, file)) ? readFileSync(join(folder, file), "utf8") : "");

/** Runs the action's steps as GitHub would: expressions are filled into the environment only. */
async function runAction(given: Record<string, string>, more: Record<string, string> = {}): Promise<Ran> {
  const github = {
    GITHUB_ACTION_PATH: actionFolder,
    GITHUB_SERVER_URL: "https://github.invalid",
    GITHUB_REPOSITORY: "example/assay",
    RUNNER_TEMP: join(folder, "temp"),
    GITHUB_PATH: join(folder, "path"),
    GITHUB_OUTPUT: join(folder, "output"),
    GITHUB_STEP_SUMMARY: join(folder, "summary"),
  };
  let ran: Ran = { status: null, said: "" };
  for (const { run, env } of action.runs.steps) {
    const filled = Object.entries(env).map(([key, value]) => [
      key,
      value.replace(/^\$\{\{ (\S+) \}\}$/, (_, of: string) =>
        of.startsWith("inputs.") ? (given[of.slice(7)] ?? action.inputs[of.slice(7)]?.default ?? "") : "",
      ),
    ]);
    const PATH = `${read("path").trim()}:${process.env.PATH}`;
    ran = await bash(run, { ...github, ...more, PATH, ...Object.fromEntries(filled) });
    if (ran.status !== 0) break;
  }
  return ran;
}

async function runComponent(given: Record<string, string>, more: Record<string, string> = {}): Promise<Ran> {
  const fill = (text: string) =>
    text.replace(/\$\[\[ inputs\.(\S+) \]\]/g, (_, of: string) => given[of] ?? component.inputs[of]?.default ?? "");
  const variables = Object.entries(component.job.variables).map(([key, variable]) => [
    key,
    fill(typeof variable === "string" ? variable : variable.value),
  ]);
  const { before_script, script } = component.job;
  const own = { ...Object.fromEntries(variables), INPUT_FOLDER: join(folder, "bin") };
  return await bash([...before_script, ...script].join("\n"), { ...own, ...more });
}

const hostile = ["$(touch hacked)", "`touch hacked`", "; touch hacked #", '" && touch hacked "', "a b", "*", "--", "'"];

describe("the GitHub action", () => {
  const good = () => ({ version, "release-url": url, url: "https://assay.example.com", token: "asy_t" });

  test("the GitHub action installs the release and runs the command with any arguments", async () => {
    const args = ["wait", "--label", ...hostile, ""].join("\r\n");
    expect(await runAction({ ...good(), args })).toEqual({ status: 0, said: "" });
    const shown = ["wait", "--label", ...hostile].map((one) => `<${one}>`).join("");
    expect(read("log")).toMatch(/<--save><[^<>]+\.md> url=https:\/\/assay\.example\.com token=asy_t\n$/);
    expect(read("log").startsWith(shown)).toBe(true);
    expect(existsSync(join(folder, "hacked"))).toBe(false);
    expect(read("summary")).toBe("# result\n");
    expect(read("output")).toBe("exit-code=0\n");
  });

  test("the GitHub action fails with the command's exit status, and still shows the summary", async () => {
    const { status } = await runAction({ ...good(), args: "analyze\nmessage.eml" }, { STUB_STATUS: "3" });
    expect(status).toBe(3);
    expect(read("summary")).toBe("# result\n");
    expect(read("output")).toBe("exit-code=3\n");
  });

  test("the GitHub action outputs the address from JSON too", async () => {
    const { said } = await runAction({ ...good(), args: "address\n--json" });
    expect(said).toBe('{"address":"seed+x@seed.example","token":"x","label":null}\n');
    expect(read("output")).toBe("address=seed+x@seed.example\nexit-code=0\n");
  });

  test("the GitHub action outputs the address", async () => {
    await runAction({ ...good(), args: "address\n--label\nx" });
    expect(read("output")).toBe("address=seed+x@seed.example\nexit-code=0\n");
    expect(action.outputs.address?.value).toMatch(/^\$\{\{ steps\.run\.outputs\.address \}\}$/);
  });

  test("the GitHub action only installs without arguments, with or without v before the version", async () => {
    expect(await runAction({ ...good(), version: `v${version}` })).toEqual({ status: 0, said: "" });
    expect(read("log")).toBe("");
    expect(existsSync(join(folder, "temp", "assay", "assay"))).toBe(true);
  });

  test("the GitHub action uses its repository's release by default", async () => {
    const { status, said } = await runAction({ version });
    expect(status).toBe(2);
    expect(said).toContain("from https://github.invalid/example/assay/releases/download/v1.2.3.");
  });

  test.each(hostile.slice(0, 5))("the GitHub action rejects %s in any other input", async (text) => {
    for (const input of ["version", "release-url", "sha256"]) {
      const { status, said } = await runAction({ ...good(), args: "version", [input]: text });
      expect({ status, said }).toEqual({ status: 2, said: expect.stringMatching(`^assay: ${input} must `) });
    }
    expect(existsSync(join(folder, "hacked"))).toBe(false);
    expect(read("log")).toBe("");
  });

  test("the GitHub action installs nothing whose checksum is wrong, missing, or not the pinned one", async () => {
    const expectRefused = async (given: Record<string, string>, why: string) => {
      const { status, said } = await runAction({ ...good(), args: "version", ...given });
      expect({ status, said }).toEqual({ status: 2, said: expect.stringContaining(why) });
      expect(existsSync(join(folder, "temp", "assay"))).toBe(false);
    };
    await expectRefused({ sha256: "0".repeat(64) }, "the checksum of assay-1.2.3-linux-");
    await expectRefused({ version: "9.9.9" }, "cannot download assay-9.9.9-linux-");
    await expectRefused({ "release-url": url.replace("127.0.0.1", "localhost") }, "must be an https address");
    try {
      writeSums("0".repeat(64));
      await expectRefused({}, "the checksum of assay-1.2.3-linux-");
      writeFileSync(join(release, "SHA256SUMS"), "");
      await expectRefused({}, "SHA256SUMS does not list assay-1.2.3-linux-");
    } finally {
      writeSums(sumOf());
    }
    expect((await runAction({ ...good(), sha256: sumOf() })).status).toBe(0);
  });

  test("the GitHub action has no expression in a script", () => {
    const texts = [...action.runs.steps.map(({ run }) => run), readFileSync(join(actionFolder, "run.sh"), "utf8")];
    for (const text of texts) expect(text).not.toContain("${{");
  });
});

describe("the GitLab component", () => {
  const good = () => ({ version, "release-url": url });

  test("the GitLab component installs the release as the action does", () => {
    const lines = readFileSync(join(actionFolder, "install.sh"), "utf8").trimEnd();
    expect(component.job.before_script.join("\n")).toContain(`\n${lines}\nEND_OF_SCRIPT\n`);
  });

  test("the GitLab component runs the command with any arguments, and keeps its result", async () => {
    const args = ["analyze", ...hostile].join("\n");
    expect(await runComponent({ ...good(), args })).toEqual({ status: 0, said: "" });
    const shown = ["analyze", ...hostile, "--save", "assay.xml", "--save", "assay.md"];
    expect(read("log").startsWith(shown.map((one) => `<${one}>`).join(""))).toBe(true);
    expect(existsSync(join(folder, "hacked"))).toBe(false);
    expect(read("assay.xml")).toBe("# result\n");
  });

  test("the GitLab component fails with the command's exit status, and with a wrong checksum", async () => {
    expect((await runComponent({ ...good(), args: "wait" }, { STUB_STATUS: "4" })).status).toBe(4);
    expect((await runComponent({ ...good(), args: "address" }, { STUB_STATUS: "5" })).status).toBe(5);
    const { status, said } = await runComponent({ ...good(), args: "wait", sha256: "0".repeat(64) });
    expect({ status, said }).toEqual({ status: 2, said: expect.stringContaining("the checksum of") });
  });

  test("the GitLab component outputs the address from JSON too", async () => {
    await runComponent({ ...good(), args: "address\n--json" });
    expect(read("assay.env")).toBe("SEED_ADDRESS=seed+x@seed.example\n");
  });

  test("the GitLab component outputs the address, and waits for the message to it", async () => {
    await runComponent({ ...good(), args: "address\n--label\nx" });
    expect(read("assay.env")).toBe("SEED_ADDRESS=seed+x@seed.example\n");
    await runComponent({ ...good(), args: "wait" }, { SEED_ADDRESS: "seed+x@seed.example" });
    expect(read("log")).toContain("\n<wait><--address><seed+x@seed.example><--save>");
  });

  test("the GitLab component puts inputs only into variables that GitLab does not expand", () => {
    const { before_script, script, variables } = component.job;
    expect([...before_script, ...script].join("\n")).not.toContain("$[[");
    for (const [key, variable] of Object.entries(variables))
      if (JSON.stringify(variable).includes("$[[")) expect(variable, key).toMatchObject({ expand: false });
  });
});

type Use = { readonly given: Record<string, string>; readonly of: Inputs };

/** All uses of the wrappers in the handbook's examples. */
function usesOf(block: string): Use[] {
  const example = parse(block) as {
    jobs?: Record<string, { steps: { uses?: string; run?: string; with?: Record<string, string> }[] }>;
    include?: { file: string; inputs: Record<string, string> }[];
  };
  const steps = Object.values(example.jobs ?? {}).flatMap((job) => job.steps);
  for (const { run = "" } of steps) expect(run).not.toContain("${{");
  const actions = steps.filter(({ uses = "" }) => uses.includes("/.github/actions/assay@"));
  return [
    ...actions.map((step) => ({ given: step.with ?? {}, of: action.inputs })),
    ...(example.include ?? []).map(({ inputs }) => ({ given: inputs, of: component.inputs })),
  ];
}

describe("the CI examples of the handbook", () => {
  const examples = blocksOf(readHandbook("ci"), "yaml").map((block) => [
    block.match(/\b(?:npm|php|python)\b/)?.[0],
    block,
  ]);

  test("the CI examples of the handbook exist for three frameworks and two services", () => {
    expect(examples.map(([tool]) => tool)).toEqual(["npm", "php", "python", "npm", "php", "python"]);
  });

  test.each(examples)(
    "the CI examples of the handbook use only existing inputs and commands: %s",
    async (_tool, block = "") => {
      const uses = usesOf(block);
      expect(uses.length).toBeGreaterThan(0);
      for (const { given, of } of uses) {
        expect(Object.keys(of)).toEqual(expect.arrayContaining(Object.keys(given)));
        for (const [input, { default: fallback }] of Object.entries(of))
          if (fallback === undefined) expect(Object.keys(given)).toContain(input);
        const [first = "", ...rest] = (given.args ?? "").trim().split("\n");
        const command = (await commands()).find((one) => one.name === first);
        expect(command && parseArguments(command, rest)).toMatchObject({ ok: true });
      }
    },
  );
});
