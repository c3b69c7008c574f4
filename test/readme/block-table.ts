// The tables of blocks: those that no test runs here, and what stands for the reader's own addresses in the others.

export interface NotRun {
  page: string;
  /** Words that only this block of the page holds. */
  holds: string;
  why: string;
}

export const notRun: readonly NotRun[] = [
  { page: "README.md", holds: "npm install -g", why: "test/deploy/package.test.ts packs and installs it" },
  { page: "README.md", holds: "browser_find(", why: "test/readme/transcript.test.ts plays it" },
  { page: "README.md", holds: "Stale Element Reference", why: "test/readme/transcript.test.ts plays it" },
  { page: "docs/PROGRAMS.md", holds: "pip install", why: "it changes the machine" },
  { page: "docs/PROGRAMS.md", holds: "grpc_python_plugin", why: "grpc_tools above is the same compiler" },
  { page: "docs/CLIENTS.md", holds: "claude mcp add", why: "it is the client's own program" },
  {
    page: "docs/SERVICE.md",
    holds: "useradd",
    why: "it changes the machine; test/deploy/systemd tries the units",
  },
  ...["newName", "hash()"].map((holds) => ({
    page: "docs/KUBERNETES.md",
    holds,
    why: "it changes the manifests; test/deploy/kubernetes/page.test.ts runs it on a copy",
  })),
  { page: "docs/KUBERNETES.md", holds: "troupe login", why: "it opens a window for a person" },
  ...[
    "docker build",
    "port-forward",
    "delete pvc",
    "apply -k deploy/kubernetes/node",
    "create namespace",
    "troupe-database",
    "overlays/team",
    "overlays/scale-out",
  ].map((holds) => ({
    page: "docs/KUBERNETES.md",
    holds,
    why: "it needs a cluster; test/deploy/kubernetes holds the manifests to it",
  })),
  ...[
    "docker run --detach",
    "docker build --pull --file",
    "docker compose",
    "--no-cache",
    "imagetools",
    "sbom.json",
  ].map((holds) => ({
    page: "docs/DOCKER.md",
    holds,
    why: "it needs Docker; test/image builds and runs the image without it",
  })),
  { page: "docs/DAEMONS.md", holds: "CREATE ROLE", why: "it changes the machine's database" },
  ...["umask", "reload", "stop"].map((holds) => ({
    page: "docs/ENTRY.md",
    holds,
    why: "test/deploy/proxy/commands.test.ts runs it with a changed copy",
  })),
  { page: "docs/DOCKER.md", holds: "sysctl user.max", why: "it is a question to the machine" },
  {
    page: "docs/DOCKER.md",
    holds: "POSTGRES_PASSWORD",
    why: "it changes owners; test/deploy/image/compose.test.ts runs it",
  },
  { page: "README.md", holds: "claude mcp add", why: "these are the clients' own programs" },
];

/** Returns the text with the addresses of a stage in place of those in the pages. */
export function staged(text: string, addresses: Readonly<Record<string, string>>): string {
  return Object.entries(addresses).reduce((all, [shown, real]) => all.replaceAll(shown, real), text);
}
