// Writes the completion script for zsh.
import type { CompletedCommand, Flag, Values } from "./vocabulary.ts";

export function zshScript(commands: readonly CompletedCommand[]): string {
  const described = commands.map(
    ({ name, summary }) => `    ${quoted(`${name}:${summary.replaceAll(":", "\\:")}`)}`,
  );
  return `#compdef troupe
# Completion of troupe for zsh. To use it: source <(troupe completion zsh)
_troupe() {
  local curcontext="$curcontext" state line
  typeset -A opt_args
  local -a commands=(
${described.join("\n")}
    'help:show the help of a command'
  )
  _arguments -C '1: :->command' '*:: :->rest'
  case $state in
  command) _describe command commands ;;
  rest)
    case $words[1] in
${commands.map(commandCase).join("\n")}
    help) _arguments '1: :{_describe command commands}' ;;
    esac
    ;;
  esac
}

_troupe_roles() {
  local -a names=(\${(f)"$(troupe completion roles 2>/dev/null)"})
  compadd -a names
}

if [[ $funcstack[1] == _troupe ]]; then _troupe "$@"; else compdef _troupe troupe; fi
`;
}

function commandCase({ name, flags, arguments: all }: CompletedCommand): string {
  const specs = [...flags.map(flagSpec), ...all.map((values, at) => quoted(`${at + 1}: :${action(values)}`))];
  return `    ${name}) _arguments -s ${specs.join(" ")} ;;`;
}

function flagSpec({ name, description, values }: Flag): string {
  const text = description.replaceAll(/[[\]\\:]/g, "\\$&");
  return quoted(`${name}[${text}]${values === undefined ? "" : `: :${action(values)}`}`);
}

function action(values: Values): string {
  if (values === "any") return " ";
  if (values === "files") return "_files";
  if (values === "folders") return "_files -/";
  return values === "roles" ? "_troupe_roles" : `(${values.join(" ")})`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
