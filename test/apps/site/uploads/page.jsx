// Files are given in four ways: react-dropzone, Uppy, FilePond, and Dropzone.
import Uppy from "@uppy/core";
import Dashboard from "@uppy/dashboard";
import XHRUpload from "@uppy/xhr-upload";
import Dropzone from "dropzone";
import * as FilePond from "filepond";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { useDropzone } from "react-dropzone";

function Photos() {
  const [files, setFiles] = useState([]);
  const [refused, setRefused] = useState([]);
  const { getRootProps, getInputProps } = useDropzone({
    accept: { "image/png": [".png"] },
    onDrop: async (accepted, rejected) => {
      setFiles(accepted);
      setRefused(rejected.map(({ file }) => file));
      for (const file of accepted) say(`photo ${file.name}, ${(await file.arrayBuffer()).byteLength} bytes`);
    },
  });
  return (
    <>
      <div {...getRootProps({ className: "photos" })}>
        <input {...getInputProps()} />
        <p>Drag photos here, or click to choose</p>
      </div>
      <ul>
        {files.map(({ name }) => (
          <li key={name}>Added {name}</li>
        ))}
        {refused.map(({ name }) => (
          <li key={name}>Refused {name}</li>
        ))}
      </ul>
    </>
  );
}
createRoot(document.getElementById("photos")).render(<Photos />);

new Uppy()
  .use(Dashboard, { inline: true, target: "#papers", height: 260 })
  .use(XHRUpload, { endpoint: "/papers", formData: true, fieldName: "paper" });

FilePond.create(document.getElementById("receipts"), {
  server: "/receipts",
  credits: false,
  // Otherwise each upload feigns a progress of random length, up to 1.5 s.
  allowMinimumUploadDuration: false,
});

Dropzone.autoDiscover = false;
new Dropzone("#scans", { url: "/scans", paramName: "scan" });
