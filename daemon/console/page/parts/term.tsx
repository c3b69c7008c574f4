// Writes a name of the protocol, such as a tool's. On a narrow screen it breaks after an underscore.
export function Term({ text }: { text: string }) {
  const parts = text.split("_");
  return (
    <span class="term">
      {parts.flatMap((part, index) => (index === 0 ? [part] : ["_", <wbr key={index} />, part]))}
    </span>
  );
}
