// The MCP clients that `troupe init` configures: each with its file, its form, and its words for the project's folder.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { OwnCommand } from "./own-command.ts";

export const CLIENTS = ["claude", "cursor", "vscode", "codex", "lmstudio"] as const;
export type ClientName = (typeof CLIENTS)[number];

export interface ClientFile {
  file: string;
  form: "json" | "toml";
  /** The key of the object or table that holds the servers. */
  key: string;
  server: object;
  /** A step that remains for the person. */
  note?: string;
}

export interface Project {
  /** The project's folder. */
  dir: string;
  home: string;
  command: OwnCommand;
}

/** Returns the client's file and the entry that starts `troupe mcp` with the project's configuration. */
export function clientFile(client: ClientName, { dir, home, command }: Project): ClientFile {
  const { program, args } = command;
  const server = (...more: string[]) => ({ command: program, args: [...args, "mcp", ...more] });
  switch (client) {
    case "claude":
      return { file: path.join(dir, ".mcp.json"), form: "json", key: "mcpServers", server: server() };
    case "cursor": {
      const file = path.join(dir, ".cursor/mcp.json");
      return { file, form: "json", key: "mcpServers", server: server("--config", WORKSPACE_FILE) };
    }
    case "vscode": {
      const file = path.join(dir, ".vscode/mcp.json");
      const entry = { type: "stdio", ...server("--config", WORKSPACE_FILE) };
      return { file, form: "json", key: "servers", server: entry };
    }
    case "codex": {
      const file = path.join(dir, ".codex/config.toml");
      const note = "Codex reads it once you trust this project";
      return { file, form: "toml", key: "mcp_servers", server: server(), note };
    }
    case "lmstudio": {
      const file = path.join(lmStudioHome(home), "mcp.json");
      // The file holds for all projects, so the entry names this one. Its models are small.
      const entry = server("--config", path.join(dir, "troupe.yaml"), "--profile", "small");
      return { file, form: "json", key: "mcpServers", server: entry };
    }
  }
}

/** Cursor and VS Code start servers in any folder, and fill in this variable. */
const WORKSPACE_FILE = "$" + "{workspaceFolder}/troupe.yaml";

/** LM Studio notes its folder in a file if it is not the usual one. */
function lmStudioHome(home: string): string {
  const pointer = path.join(home, ".lmstudio-home-pointer");
  const noted = existsSync(pointer) ? readFileSync(pointer, "utf8").trim() : "";
  return path.isAbsolute(noted) ? noted : path.join(home, ".lmstudio");
}
