// A plan as the model read it, folded away.
export function Plan({ text }: { text: string }) {
  return (
    <details>
      <summary>Plan</summary>
      <pre>{text}</pre>
    </details>
  );
}
