// Makes certificates for a daemon's doors, in files as a configuration names them.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { authority, validNow } from "../site/certificates.ts";
import { tempDir } from "./temp-dir.ts";

/** A folder with `ca.crt`, `server.*` for 127.0.0.1, `ada.*` for a client, and `foreign.*` from another authority. */
export function certificateFolder() {
  const temp = tempDir();
  const [ca, other] = [authority("Test CA"), authority("Another CA")];
  const file = (name: string) => path.join(temp.dir, name);
  const keep = (name: string, { cert, key }: { cert: string; key?: string }) => {
    writeFileSync(file(`${name}.crt`), cert);
    if (key) writeFileSync(file(`${name}.key`), key);
  };
  keep("ca", ca);
  keep("other", other);
  keep("server", ca.issue({ host: "127.0.0.1", ...validNow() }));
  keep("elsewhere", ca.issue({ host: "elsewhere.test", ...validNow() }));
  keep("ada", ca.issue({ host: "ada", ...validNow() }));
  keep("foreign", other.issue({ host: "eve", ...validNow() }));
  return {
    file,
    /** Returns the content of a file by its name. */
    contents: (name: string) => readFileSync(file(name)),
    tls: { cert: file("server.crt"), key: file("server.key") },
    /** Issues the server's certificate again, by the same authority. */
    renew: () => keep("server", ca.issue({ host: "127.0.0.1", ...validNow() })),
    [Symbol.dispose]: () => temp[Symbol.dispose](),
  };
}
