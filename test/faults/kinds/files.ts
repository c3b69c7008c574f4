// Files that a client may not read, and downloads that fail.
import { refOf } from "../../harness/troupe.ts";
import { type Fault, shows } from "../stage/fault.ts";

export const files: Fault[] = [
  {
    name: "a file outside the client's folders",
    type: "FILE_NOT_ALLOWED",
    recovers: "no",
    async arrange(stage) {
      const agent = await stage.agent({ profile: "full" });
      const page = await agent.open(`<input type=file aria-label=Papers>`);
      const args = { ref: refOf(page, "button", "Papers"), paths: ["../notes.txt"] };
      return { agent, profile: "full", tool: "browser_file_upload", args };
    },
  },
  {
    name: "a download whose connection breaks",
    type: "DOWNLOAD_FAILED",
    recovers: "yes",
    async arrange(stage) {
      const agent = await stage.agent({ profile: "full" });
      let isBroken = true;
      const breaks = Promise.withResolvers<void>();
      const url = stage.site.route((_request, response) => {
        response.writeHead(200, {
          "content-type": "text/csv",
          "content-length": "5",
          "content-disposition": "attachment",
        });
        if (!isBroken) return void response.end("a,b,c");
        response.write("a");
        void breaks.promise.then(() => response.destroy());
      });
      const page = await agent.open(`<a href="${url}" download="list.csv">Get</a>`);
      await agent.text("browser_click", { ref: refOf(page, "link", "Get") });
      breaks.resolve();
      const failed = () => {
        isBroken = false;
      };
      const args = { action: "get", id: "d1" };
      return { agent, profile: "full", tool: "browser_downloads", args, failed, reached: shows("a,b,c") };
    },
  },
];
