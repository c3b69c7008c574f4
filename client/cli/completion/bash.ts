// Writes the completion script for bash.
import type { CompletedCommand, Values } from "./vocabulary.ts";

export function bashScript(commands: readonly CompletedCommand[]): string {
  const flags = commands.flatMap((command) => command.flags);
  const valued = flags.filter(({ values }) => values !== undefined);
  const names = (all: readonly { name: string }[]) => [...new Set(all.map(({ name }) => name))];
  return `# Completion of troupe for bash. To use it: source <(troupe completion bash)
_troupe() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} command= place=0 words= i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
    ${names(valued).join("|")}) ((i++)) ;;
    -*) ;;
    *) if [[ -z $command ]]; then command=\${COMP_WORDS[i]}; else ((++place)); fi ;;
    esac
  done
  case $command:$before in
${commands.flatMap(valueCases).join("\n")}
  *) _troupe_words ;;
  esac
}

_troupe_words() {
  if [[ $word == -* ]]; then
    case $command in
${commands.map(({ name, flags }) => `    ${name}) _troupe_list ${names(flags).join(" ")} ;;`).join("\n")}
    *) _troupe_list --help --version ;;
    esac
    return
  fi
  case $command:$place in
  :*) _troupe_list help ${names(commands).join(" ")} ;;
  help:0) _troupe_list ${names(commands).join(" ")} ;;
${commands.flatMap(argumentCases).join("\n")}
  esac
}

# Offers the words that begin as the typed one. Nothing in them is expanded.
_troupe_list() {
  local each
  for each in "$@"; do [[ $each == "$word"* ]] && COMPREPLY+=("$each"); done
}

_troupe_files() {
  compopt -o filenames 2>/dev/null
  local each
  while IFS= read -r each; do COMPREPLY+=("$each"); done < <(compgen "$1" -- "$word")
}

_troupe_roles() {
  local each names=()
  while IFS= read -r each; do names+=("$each"); done < <("\${COMP_WORDS[0]}" completion roles 2>/dev/null)
  _troupe_list "\${names[@]}"
}

complete -F _troupe troupe
`;
}

function valueCases({ name, flags }: CompletedCommand): string[] {
  return flags.flatMap(({ name: flag, values }) =>
    values === undefined ? [] : [`  ${name}:${flag}) ${offer(values)} ;;`],
  );
}

function argumentCases({ name, arguments: all }: CompletedCommand): string[] {
  return all.flatMap((values, place) =>
    values === "any" ? [] : [`  ${name}:${place}) ${offer(values)} ;;`],
  );
}

function offer(values: Values): string {
  if (values === "any") return ":";
  if (values === "files") return "_troupe_files -f";
  if (values === "folders") return "_troupe_files -d";
  return values === "roles" ? "_troupe_roles" : `_troupe_list ${values.join(" ")}`;
}
