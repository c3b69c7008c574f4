/** Reads the parts of a code file that its shape is measured by. */
import ts from "typescript";

/** A function, a class or a comment. `line` is its first line. */
export interface Part {
  name: string;
  line: number;
  size: number;
}

export interface Code {
  /** Addresses of imported files, as they are written. */
  imports: string[];
  /** Sizes are lines. */
  functions: Part[];
  /** Sizes are numbers of parameters. */
  parameters: Part[];
  /** Sizes are numbers of members. */
  classes: Part[];
  comments: { text: string; line: number }[];
}

export function readCode(file: string, text: string): Code {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const code: Code = { imports: [], functions: [], parameters: [], classes: [], comments: [] };
  const literals: ts.Node[] = [];
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node: ts.Node): void => {
    const line = lineOf(node.getStart(source));
    if (ts.isFunctionLike(node) && "body" in node && node.body && !isSection(node)) {
      const name = nameOf(node);
      code.functions.push({ name, line, size: lineOf(node.end) - line + 1 });
      code.parameters.push({ name, line, size: node.parameters.length });
    } else if (ts.isClassLike(node)) {
      code.classes.push({ name: node.name?.text ?? "a class", line, size: node.members.length });
    } else if (isAddress(node)) {
      code.imports.push(node.text);
    }
    if (ts.isLiteralExpression(node) || ts.isTemplateMiddleOrTemplateTail(node) || ts.isTemplateHead(node))
      literals.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  code.comments = commentsIn(without(text, literals, source)).map(({ text, index }) => ({
    text,
    line: lineOf(index),
  }));
  return code;
}

/** Returns true for the callback of `describe`. It holds tests, and no steps. */
function isSection({ parent }: ts.Node): boolean {
  return ts.isCallExpression(parent) && parent.expression.getText() === "describe";
}

function nameOf(node: ts.SignatureDeclaration): string {
  const named = node.name ?? ("name" in node.parent ? (node.parent.name as ts.Node) : undefined);
  return named?.getText() ?? "a function";
}

/** Returns true for the address of an import, of an export or of an `import()`. */
function isAddress(node: ts.Node): node is ts.StringLiteral {
  if (!ts.isStringLiteral(node)) return false;
  const { parent } = node;
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent)) return true;
  if (ts.isLiteralTypeNode(parent)) return ts.isImportTypeNode(parent.parent);
  return ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.ImportKeyword;
}

/** Returns the text with spaces in the place of literals. Their content may look like a comment. */
function without(text: string, literals: readonly ts.Node[], source: ts.SourceFile): string {
  const pieces: string[] = [];
  let from = 0;
  for (const node of literals) {
    const start = node.getStart(source);
    pieces.push(text.slice(from, start), text.slice(start, node.end).replace(/[^\n]/g, " "));
    from = node.end;
  }
  return pieces.join("") + text.slice(from);
}

/** Returns the comments. Line comments below each other are one. */
function commentsIn(text: string): { text: string; index: number }[] {
  const found = text.matchAll(/\/\*[\s\S]*?\*\/|\/\/.*(?:\n[ \t]*\/\/.*)*/g);
  return [...found].map(({ 0: comment, index }) => ({
    index,
    text: comment.replace(/^[ \t]*(?:\/\*\*?|\/\/|\*(?!\/))|\*\/$/gm, "").trim(),
  }));
}
