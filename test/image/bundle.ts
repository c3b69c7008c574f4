// Writes the bundle of a container in the form of runtime-spec (Open Container Initiative). As with Docker and Kubernetes
// it has no capabilities and no new privileges. Its root file system is read-only.
import { chownSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Image } from "./build.ts";

const PRIVATE = 0o600;

export interface BundleOptions {
  /** The seccomp profile. */
  seccomp: object;
  /** Files of /etc/troupe, `troupe.yaml` among them. */
  files: Readonly<Record<string, string | Buffer>>;
  /** Bounds the memory of all processes together, and what /tmp holds. */
  memoryBytesMax?: number;
}

/** Writes `config.json` and the mounted folders into the folder. */
export function writeBundle(dir: string, image: Image, { seccomp, files, memoryBytesMax }: BundleOptions) {
  const { uid, gid } = image;
  const own = (name: string) => {
    const folder = path.join(dir, name);
    mkdirSync(folder, { mode: 0o700 });
    chownSync(folder, uid, gid);
    return folder;
  };
  const etc = own("etc");
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(path.join(etc, name), text, { mode: PRIVATE });
    chownSync(path.join(etc, name), uid, gid);
  }
  const bind = (source: string, destination: string, mode: "ro" | "rw") => ({
    destination,
    type: "bind",
    source,
    options: ["bind", "nosuid", "nodev", mode],
  });
  const none = { bounding: [], effective: [], permitted: [], inheritable: [], ambient: [] };
  const config = {
    ociVersion: "1.0.0",
    process: {
      terminal: false,
      user: { uid, gid },
      args: image.entrypoint,
      env: image.env,
      cwd: image.folder,
      capabilities: none,
      noNewPrivileges: true,
    },
    root: { path: image.root, readonly: true },
    hostname: "troupe",
    mounts: [...MOUNTS, bind(etc, "/etc/troupe", "ro"), bind(own("state"), "/var/lib/troupe", "rw")],
    linux: {
      namespaces: ["pid", "network", "ipc", "uts", "mount", "cgroup"].map((type) => ({ type })),
      seccomp,
      maskedPaths: ["/proc/kcore", "/proc/keys", "/proc/timer_list", "/proc/sched_debug", "/sys/firmware"],
      readonlyPaths: ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"],
      resources: {
        devices: [{ allow: false, access: "rwm" }],
        ...(memoryBytesMax && { memory: { limit: memoryBytesMax } }),
      },
    },
  };
  writeFileSync(path.join(dir, "config.json"), JSON.stringify(config));
}

const tmpfs = (destination: string, size: string, ...more: string[]) => ({
  destination,
  type: "tmpfs",
  source: "tmpfs",
  options: ["nosuid", "nodev", `size=${size}`, ...more],
});

/** As Docker mounts them, but /dev/shm is much smaller than the 64 MiB that it gets there. */
const MOUNTS = [
  { destination: "/proc", type: "proc", source: "proc" },
  { ...tmpfs("/dev", "65536k", "mode=755", "strictatime"), options: ["nosuid", "mode=755", "size=65536k"] },
  {
    destination: "/dev/pts",
    type: "devpts",
    source: "devpts",
    options: ["nosuid", "noexec", "newinstance", "ptmxmode=0666", "mode=0620"],
  },
  tmpfs("/dev/shm", "64k", "noexec", "mode=1777"),
  { destination: "/sys", type: "sysfs", source: "sysfs", options: ["nosuid", "noexec", "nodev", "ro"] },
  tmpfs("/tmp", "1g", "noexec", "mode=1777"),
];
