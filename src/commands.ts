// The list of commands. It is loaded when it is needed, so that the version guard in main.ts runs before any of them.

import type { Command, ExitCode, Terminal } from "./platform/cli/command.ts";
import { type CommandGroup, createHelp } from "./platform/cli/help.ts";
import { runCommand } from "./platform/cli/run.ts";

export async function run(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  return await runCommand(argv, terminal, await commandGroups());
}

export async function commands(): Promise<readonly Command[]> {
  return (await commandGroups()).flatMap((group) => group.commands);
}

export async function commandGroups(): Promise<readonly CommandGroup[]> {
  const [
    { createServe },
    { config },
    { doctor },
    { support },
    { analyze },
    { domain },
    { spf },
    { wait },
    { address },
    { rehearsal },
    { send, sendSample },
    { tests, report, upload },
    { streams },
    { monitorList, monitorShow },
    { alerts },
    { unsubscribe },
    { verify },
    { redact },
    { mcp },
    user,
    { userEmergency },
    token,
    { workspaceExport, workspaceImport },
  ] = await Promise.all([
    import("./features/server/command/serve.ts"),
    import("./features/server/command/config.ts"),
    import("./features/server/command/doctor.ts"),
    import("./features/server/command/support.ts"),
    import("./features/tests/command/analyze.ts"),
    import("./features/domains/command/domain.ts"),
    import("./features/domains/command/spf.ts"),
    import("./features/tests/command/wait.ts"),
    import("./features/tests/command/address.ts"),
    import("./features/rehearsal/command.ts"),
    import("./features/sending/command.ts"),
    import("./features/tests/command/tests.ts"),
    import("./features/streams/command.ts"),
    import("./features/monitors/command.ts"),
    import("./features/alerts/command.ts"),
    import("./features/unsubscribe/command.ts"),
    import("./features/signed-reports/command/verify.ts"),
    import("./features/signed-reports/command/redact.ts"),
    import("./features/mcp/command.ts"),
    import("./features/people/command/user.ts"),
    import("./features/people/command/emergency.ts"),
    import("./features/people/command/token.ts"),
    import("./features/backups/command/workspace-file.ts"),
  ]);
  return [
    { title: "Run", commands: [createServe(() => import("./server.ts")), config, doctor, support] },
    { title: "Test messages and domains", commands: [sendSample, analyze, domain, spf, verify, redact] },
    {
      title: "Use a server",
      commands: [
        address,
        wait,
        report,
        rehearsal,
        upload,
        send,
        tests,
        streams,
        monitorList,
        monitorShow,
        unsubscribe,
        alerts,
        mcp,
      ],
    },
    {
      title: "Workspaces and people",
      commands: [
        user.setUpLink,
        user.userList,
        user.userResetPassword,
        userEmergency,
        user.userResetSecondFactor,
        user.workspaceList,
        user.workspaceCreate,
        workspaceExport,
        workspaceImport,
        token.tokenList,
        token.tokenCreate,
        token.tokenRevoke,
      ],
    },
    { title: "Maintain", commands: await maintenanceCommands() },
  ];
}

async function maintenanceCommands(): Promise<readonly Command[]> {
  const [
    { backup },
    { rollupsRebuild },
    { restore },
    { secretKeyRotate, secretKeyForget },
    { auditVerify, auditExport },
    { messagesMove, messagesCheck, messagesSweep, messagesTakeOver },
    { grafanaDashboard, prometheusRules },
    { version },
  ] = await Promise.all([
    import("./features/backups/command/backup.ts"),
    import("./features/dashboard/command.ts"),
    import("./features/backups/command/restore.ts"),
    import("./features/server/command/secret-key.ts"),
    import("./features/audit-log/command.ts"),
    import("./features/server/command/messages.ts"),
    import("./features/server/command/monitoring.ts"),
    import("./features/server/command/version.ts"),
  ]);
  return [
    backup,
    restore,
    secretKeyRotate,
    secretKeyForget,
    auditVerify,
    auditExport,
    messagesMove,
    messagesCheck,
    messagesSweep,
    messagesTakeOver,
    rollupsRebuild,
    grafanaDashboard,
    prometheusRules,
    version,
    createHelp(commandGroups),
  ];
}
