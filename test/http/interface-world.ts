import { type HttpWorldOptions, startHttpWorld } from "./http-world.ts";

/** A workspace of the caller's, whose token each request of `ask` bears. */
export async function worldWithCaller(options: HttpWorldOptions = {}) {
  const world = await startHttpWorld(options);
  const { id: workspace } = await world.createWorkspace("Ours");
  const { token } = await world.issueToken(workspace);
  /** As an owner who is logged in. */
  const askAsPerson = async (method: string, path: string, body?: unknown) => {
    const { cookie } = await world.addPerson(workspace, "owner");
    return await world.ask(method, path, { cookie, workspace, body });
  };
  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    world.ask(method, path, { token, workspace, body, headers });
  const receive = async (raw?: Uint8Array) => {
    world.clock.nowMs += 1;
    return await world.receive(workspace, null, raw);
  };
  return { ...world, askAs: world.ask, workspace, token, ask, askAsPerson, receive };
}
