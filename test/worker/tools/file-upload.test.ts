// Tests browser_file_upload: into a field, through a chooser, by drag, and what it refuses.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage } from "../../harness/worker.ts";

const { worker, site } = await stage();

const base64 = (text: string) => Buffer.from(text).toString("base64");
const hello = { name: "hello.txt", content: base64("hello") };
const other = { name: "other.csv", content: base64("a,b\n1,2") };

/** Shows what arrives: name, type and content of each file. */
const SHOW = `<output></output><script>
  async function show(how, list) {
    const texts = await Promise.all([...list].map(async (f) => f.name + " " + f.type + " " + await f.text()));
    document.querySelector("output").textContent = how + ": " + texts.join("; ");
  }
</script>`;

test("files reach a field, with the events of a person's choice", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `${SHOW}<input type=file aria-label=Papers multiple onchange="show(event.isTrusted, files)" oninput="said = 1">`,
    ),
  );
  const files = [hello, other];
  const { text, way } = await session.do("browser_file_upload", { ref: refOf(page, "Papers"), files });
  assert.match(text, /^Gave "hello\.txt" \(5 bytes\), "other\.csv" \(7 bytes\) to e1/);
  assert.match(text, /true: hello\.txt text\/plain hello; other\.csv text\/csv a,b 1,2/);
  assert.equal(way, "FILE_WAY_FIELD");
});

test("a label means its field, also if the field is hidden", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `${SHOW}<label role=button tabindex=0>Attach<input type=file hidden onchange="show('label', files)"></label>`,
    ),
  );
  const { text } = await session.do("browser_file_upload", { ref: refOf(page, "Attach"), files: [hello] });
  assert.match(text, /label: hello\.txt/);
});

test("a button's chooser gets the files, also one that opens late", async () => {
  await using session = worker.session();
  for (const open of ["f.click()", "fetch(location).then(() => f.click())"]) {
    const page = await session.open(
      site.page(
        `${SHOW}<button onclick="f = Object.assign(document.createElement('input'), {type: 'file'});
          f.onchange = () => show('chosen', f.files); ${open}">Choose</button>`,
      ),
    );
    const { text, way } = await session.do("browser_file_upload", {
      ref: refOf(page, "Choose"),
      files: [hello],
    });
    assert.match(text, /^Chose "hello\.txt" \(5 bytes\) in the chooser of e\d+ button "Choose"/);
    assert.match(text, /chosen: hello\.txt text\/plain hello/);
    assert.doesNotMatch(text, /asks for files/);
    assert.equal(way, "FILE_WAY_CHOOSER");
  }
});

test("a chooser that a click has opened takes files without a ref, once", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `${SHOW}<input id=f type=file hidden onchange="show('open', files)"><button onclick="f.click()">Choose</button>`,
    ),
  );
  await session.do("browser_click", { ref: refOf(page, "Choose") });
  assert.match((await session.do("browser_file_upload", { files: [hello] })).text, /open: hello\.txt/);
  const { text } = await session.refuse("INVALID_ARGUMENT", "browser_file_upload", { files: [hello] });
  assert.match(text, /no file chooser is open/);
});

test("files are dropped where the page takes them", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `${SHOW}<div role=region aria-label=Zone tabindex=0 style="height: 100px; border: 1px solid"
        ondragover="event.preventDefault()" ondrop="event.preventDefault(); show(event.isTrusted, event.dataTransfer.files)">
        Drop here</div>`,
    ),
  );
  const { text, way } = await session.do("browser_file_upload", {
    ref: refOf(page, "Zone"),
    files: [hello, other],
  });
  assert.match(text, /^Dropped "hello\.txt" \(5 bytes\), "other\.csv" \(7 bytes\) onto e1 region "Zone"/);
  assert.match(text, /true: hello\.txt text\/plain hello; other\.csv/);
  assert.equal(way, "FILE_WAY_DROP");
});

test("an element that takes no files is refused, and the page stays", async () => {
  await using session = worker.session();
  const url = site.page(`<div tabindex=0 role=region aria-label=Plain style="height: 50px">x</div>`);
  const page = await session.open(url);
  const { text } = await session.refuse("INVALID_ARGUMENT", "browser_file_upload", {
    ref: refOf(page, "Plain"),
    files: [hello],
  });
  assert.match(text, /is no file field, opened no chooser, and takes no dropped files/);
  assert.equal((await session.do("browser_snapshot")).page?.url, url);
});

test("a page that takes the drag but not the drop keeps its document", async () => {
  await using session = worker.session();
  const url = site.page(
    `<div tabindex=0 role=region aria-label=Half style="height: 50px" ondragover="event.preventDefault()">x</div>`,
  );
  const page = await session.open(url);
  await session.do("browser_file_upload", { ref: refOf(page, "Half"), files: [hello] });
  assert.equal((await session.do("browser_snapshot")).page?.url, url);
});

test("several files are refused where one is taken, and a disabled field takes none", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<input type=file aria-label=One><input type=file aria-label=Off disabled>`),
  );
  const { text } = await session.refuse("INVALID_ARGUMENT", "browser_file_upload", {
    ref: refOf(page, "One"),
    files: [hello, other],
  });
  assert.match(text, /takes one file, not 2/);
});

test("a path that no client has read is refused, and so is another session's file", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(`<input type=file aria-label=One>`));
  const ref = refOf(page, "One");
  const { details } = await session.refuse("FILE_NOT_ALLOWED", "browser_file_upload", {
    ref,
    paths: ["/etc/passwd"],
  });
  assert.equal(details.problem, "remote");
  const id = "upload-00000000-0000-0000-0000-000000000000";
  await session.refuse("INVALID_ARGUMENT", "browser_file_upload", { ref, paths: [id] });
});

test("a hostile name becomes a harmless one", async () => {
  await using session = worker.session();
  for (const [name, shown] of [
    ["../../etc/passwd", "passwd"],
    ["a\u0000b\nc.txt", "a_b_c.txt"],
    ["\u202etxt.exe", "_txt.exe"],
    ["..", "file"],
    [`${"x".repeat(10_000)}.pdf`, `${"x".repeat(196)}.pdf`],
  ] as const) {
    const page = await session.open(
      site.page(`${SHOW}<input type=file aria-label=One onchange="show('got', files)">`),
    );
    const { text } = await session.do("browser_file_upload", {
      ref: refOf(page, "One"),
      files: [{ ...hello, name }],
    });
    assert.ok(text.includes(`"${shown}" (5 bytes)`), text.slice(0, 400));
  }
});

test("a dialog that the page opens for the file ends the call with the dialog", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `<input type=file aria-label=One onchange="alert('Too large')"><button onclick="alert('No')">Ask</button>`,
    ),
  );
  const { text } = await session.do("browser_file_upload", { ref: refOf(page, "One"), files: [hello] });
  assert.match(text, /Dialog open \(alert\): "Too large"/);
  await session.do("browser_handle_dialog", { accept: true });
});
