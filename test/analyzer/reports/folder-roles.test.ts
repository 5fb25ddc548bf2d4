import { describe, expect, test } from "vitest";
import { type ListedFolder, readFolderRoles } from "../../../src/analyzer/reports/folder-roles.ts";

type Shown = string | readonly string[];

/** A path, or one with its flags. */
function list(...folders: Shown[]): ListedFolder[] {
  return folders.map((folder) => {
    const [path = "", ...flags] = typeof folder === "string" ? [folder] : folder;
    return { path, name: path.split(/[/.]/).at(-1) ?? "", flags };
  });
}
const spamOf = (...folders: Shown[]) =>
  readFolderRoles(list("INBOX", ...folders)).find(({ role }) => role === "spam")?.path;

describe("the folders of a mailbox", () => {
  test("the folders of a mailbox are recognized by their special use before their name", () => {
    expect(spamOf("Spam", ["Unsinn", "\\Junk"])).toBe("Unsinn");
    expect(spamOf(["[Gmail]/Spam", "\\HasNoChildren", "\\Junk"])).toBe("[Gmail]/Spam");
  });

  test.each([
    "Spam",
    "Junk E-mail",
    "Bulk Mail",
    "Courrier indésirable",
    "Spamverdacht",
    "垃圾邮件",
    "Спам",
    "INBOX.Junk",
  ])("the folders of a mailbox include %s as spam without a special use", (name) => expect(spamOf(name)).toBe(name));

  test("the folders of a mailbox are compared by name regardless of Unicode form", () => {
    expect(spamOf("INDÉSIRABLES".normalize("NFD"))).toBe("INDÉSIRABLES".normalize("NFD"));
  });

  test("the folders of a mailbox may lack a spam folder", () => {
    expect(readFolderRoles(list("INBOX", "Spam recipes"))).toEqual([{ path: "INBOX", role: "inbox", folder: "inbox" }]);
  });

  test("the folders of a mailbox count advertising folders as promotions, a second spam folder as spam, and tabs as the inbox", () => {
    const folders = list(
      "INBOX/Promotions",
      "Werbung",
      ["Junk", "\\Junk"],
      "Spam",
      "Social",
      ["Archive", "\\Archive"],
      "INBOX",
    );
    expect(readFolderRoles(folders).map(({ path, role, folder }) => [path, role, folder])).toEqual([
      ["INBOX", "inbox", "inbox"],
      ["Junk", "spam", "spam"],
      ["INBOX/Promotions", "other", "promotions"],
      ["Werbung", "other", "promotions"],
      ["Spam", "other", "spam"],
      ["Social", "other", "inbox"],
      ["Archive", "other", "inbox"],
    ]);
  });

  test("the folders of a mailbox exclude those that receive no mail, cannot be opened, or show mail twice", () => {
    const beside = list(
      ["Sent", "\\Sent"],
      ["[Gmail]/All Mail", "\\All"],
      ["Spam", "\\NoSelect"],
      ["Promotions", "\\Trash"],
    );
    expect(readFolderRoles([...beside, ...list("INBOX")]).map(({ path }) => path)).toEqual(["INBOX"]);
  });

  test("the folders of a mailbox are limited even if there are thousands", () => {
    const many = Array.from({ length: 5_000 }, (_, at) => `folder ${at}/Promotions`);
    expect(readFolderRoles(list("INBOX", ...many))).toHaveLength(21);
  });
});
