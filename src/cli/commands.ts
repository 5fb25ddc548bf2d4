// The list of commands. It is loaded when it is needed, so that the version guard in main.ts runs before any of them.

import type { Command } from "./command.ts";

export type CommandGroup = { readonly title: string; readonly commands: readonly Command[] };

export async function commands(): Promise<readonly Command[]> {
  return (await commandGroups()).flatMap((group) => group.commands);
}

export async function commandGroups(): Promise<readonly CommandGroup[]> {
  const [
    { serve },
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
    import("./serve.ts"),
    import("./config.ts"),
    import("./doctor.ts"),
    import("./support.ts"),
    import("./analyze.ts"),
    import("./domain.ts"),
    import("./spf.ts"),
    import("./wait.ts"),
    import("./address.ts"),
    import("./rehearsal.ts"),
    import("./send.ts"),
    import("./tests.ts"),
    import("./streams.ts"),
    import("./monitors.ts"),
    import("./alerts.ts"),
    import("./unsubscribe.ts"),
    import("./verify.ts"),
    import("./redact.ts"),
    import("./mcp.ts"),
    import("./user.ts"),
    import("./emergency.ts"),
    import("./token.ts"),
    import("./workspace-file.ts"),
  ]);
  return [
    { title: "Run", commands: [serve, config, doctor, support] },
    { title: "Test messages and domains", commands: [sendSample, analyze, domain, spf, verify, redact] },
    {
      title: "Use a server",
      commands: [
        ...[address, wait, report, rehearsal, upload, send, tests, streams],
        ...[monitorList, monitorShow, unsubscribe, alerts, mcp],
      ],
    },
    {
      title: "Workspaces and people",
      commands: [
        ...[user.setUpLink, user.userList],
        user.userResetPassword,
        userEmergency,
        user.userResetSecondFactor,
        user.workspaceList,
        user.workspaceCreate,
        ...[workspaceExport, workspaceImport],
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
    { help },
  ] = await Promise.all([
    import("./backup.ts"),
    import("./rollups.ts"),
    import("./restore.ts"),
    import("./secret-key.ts"),
    import("./audit.ts"),
    import("./messages.ts"),
    import("./monitoring.ts"),
    import("./version.ts"),
    import("./help.ts"),
  ]);
  return [
    ...[backup, restore, secretKeyRotate, secretKeyForget, auditVerify, auditExport],
    ...[messagesMove, messagesCheck, messagesSweep, messagesTakeOver, rollupsRebuild],
    ...[grafanaDashboard, prometheusRules, version, help],
  ];
}
