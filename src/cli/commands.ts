// The list of commands. Each is loaded when the list is asked for, so that the version guard in main.ts runs before any of them.

import type { Command } from "./command.ts";

export async function commands(): Promise<readonly Command[]> {
  const [
    { serve },
    { config },
    { doctor },
    { analyze },
    { domain },
    { spf },
    { backup },
    workspace,
    token,
    user,
    { setUpLink },
    { version },
    { help },
  ] = await Promise.all([
    import("./serve.ts"),
    import("./config.ts"),
    import("./doctor.ts"),
    import("./analyze.ts"),
    import("./domain.ts"),
    import("./spf.ts"),
    import("./backup.ts"),
    import("./workspace.ts"),
    import("./token.ts"),
    import("./user.ts"),
    import("./setup-link.ts"),
    import("./version.ts"),
    import("./help.ts"),
  ]);
  return [
    serve,
    analyze,
    domain,
    spf,
    workspace.workspaceList,
    workspace.workspaceCreate,
    token.tokenList,
    token.tokenCreate,
    token.tokenRevoke,
    user.userList,
    user.userResetPassword,
    setUpLink,
    backup,
    doctor,
    config,
    version,
    help,
  ];
}
