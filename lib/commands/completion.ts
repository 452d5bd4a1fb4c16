// v1watch completion: scripts that complete commands, options, their values and file names in bash, zsh and fish.
import type { Command, Option } from "commander";

const install: Record<string, string> = {
  bash: "v1watch completion bash > ~/.local/share/bash-completion/completions/v1watch",
  zsh: "v1watch completion zsh > ~/.zfunc/_v1watch, with ~/.zfunc in fpath",
  fish: "v1watch completion fish > ~/.config/fish/completions/v1watch.fish",
};

export function renderCompletion(shell: string, program: Command): string {
  const render = { bash: renderBash, zsh: renderZsh, fish: renderFish }[shell] ?? renderBash;
  return `${shell === "zsh" ? "#compdef v1watch\n" : ""}# Install: ${install[shell]}\n${render(program)}\n`;
}

/** What can stand after the path of a command, beside files. */
type Node = {
  /** The names without the program's own. */
  path: readonly string[];
  words: readonly { name: string; description: string }[];
  options: readonly { name: string; description: string; choices: readonly string[]; hasValue: boolean }[];
};

const helpOption = { name: "--help", description: "print the help", choices: [], hasValue: false };

function listNodes(command: Command, path: readonly string[] = []): Node[] {
  const commands = command.commands.map((one) => ({ name: one.name(), description: one.summary() }));
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) =>
    argChoices.map((name) => ({ name, description: "" })),
  );
  const help = command.parent ? [] : [{ name: "help", description: "show the options of a command" }];
  const options = command.options.map(({ long, description, argChoices, required, optional }: Option) => ({
    name: long ?? "",
    description,
    choices: argChoices ?? [],
    hasValue: required || optional,
  }));
  const node = {
    path,
    words: [...commands, ...choices, ...help],
    options: [...options, helpOption],
  };
  return [node, ...command.commands.flatMap((one) => listNodes(one, [...path, one.name()]))];
}

const namesOf = (rows: readonly { name: string }[]) => rows.map(({ name }) => name).join(" ");
const pathText = ({ path }: Node) => path.map((name) => ` ${name}`).join("");
/** For a text in single quotes. */
const quote = (text: string) => text.replaceAll("'", "").replaceAll("`", "");

/** The words of the command line that are names of commands; `words` and `at` are the shell's own. */
const readPath = (nodes: readonly Node[], words: string, from: number, until: string) => [
  `  for ((i = ${from}; i < ${until}; i++)); do`,
  `    case "$path \${${words}[i]}" in`,
  `      ${nodes
    .slice(1)
    .map((node) => `"${pathText(node)}"`)
    .join("|")}) path="$path \${${words}[i]}" ;;`,
  "    esac",
  "  done",
];

function renderBash(program: Command): string {
  const nodes = listNodes(program);
  return [
    "_v1watch() {",
    `  local word="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"`,
    '  local path="" words="" options="" values="" i',
    ...readPath(nodes, "COMP_WORDS", 1, "COMP_CWORD"),
    '  case "$path" in',
    ...nodes.map(
      (node) =>
        `    "${pathText(node)}") words="${namesOf(node.words)}"; options="${namesOf(node.options)}" ;;`,
    ),
    "  esac",
    '  case "$path $previous" in',
    ...nodes.flatMap((node) =>
      node.options
        .filter(({ choices }) => choices.length > 0)
        .map(({ name, choices }) => `    "${pathText(node)} ${name}") values="${choices.join(" ")}" ;;`),
    ),
    "  esac",
    '  if [ -n "$values" ]; then COMPREPLY=($(compgen -W "$values" -- "$word"))',
    '  elif [[ "$word" == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$word"))',
    '  elif [ -n "$words" ] && [[ "$previous" != --* ]]; then COMPREPLY=($(compgen -W "$words" -- "$word"))',
    '  else COMPREPLY=($(compgen -f -- "$word")); fi',
    "}",
    "complete -o filenames -F _v1watch v1watch",
  ].join("\n");
}

function renderZsh(program: Command): string {
  const nodes = listNodes(program);
  const describe = (rows: Node["words"]) =>
    rows.map(({ name, description }) => `'${name}:${quote(description).replaceAll(":", "\\:")}'`).join(" ");
  return [
    "_v1watch() {",
    "  local -a commands options",
    '  local path_="" i',
    ...readPath(nodes, "words", 2, "CURRENT").map((line) => line.replaceAll("path", "path_")),
    '  case "$path_" in',
    ...nodes.map(
      (node) =>
        `    "${pathText(node)}") commands=(${describe(node.words)}); options=(${describe(node.options)}) ;;`,
    ),
    "  esac",
    "  if [[ $words[CURRENT] == -* ]]; then _describe -o option options",
    "  elif (( $#commands )) && [[ $words[CURRENT-1] != --* ]]; then _describe command commands",
    "  else _files; fi",
    "}",
    "compdef _v1watch v1watch",
  ].join("\n");
}

function renderFish(program: Command): string {
  const nodes = listNodes(program);
  const groups = program.commands.filter(({ commands }) => commands.length > 0).map((one) => one.name());
  const seen = (name: string) => `__fish_seen_subcommand_from ${name}`;
  /** `init` is a command of its own and one of `migrate`. */
  const isIn = ({ path }: Node) =>
    path.length === 0
      ? "__fish_use_subcommand"
      : [
          ...path.map(seen),
          ...(path.length === 1 && !groups.includes(path[0]!) ? [`not ${seen(groups.join(" "))}`] : []),
        ].join("; and ");
  return [
    ...nodes.flatMap((node) => [
      ...node.words.map(
        ({ name, description }) =>
          `complete -c v1watch -f -n '${isIn(node)}' -a ${name}${description && ` -d '${quote(description)}'`}`,
      ),
      ...(node.path.length === 0 ? [] : node.options).map(({ name, description, choices, hasValue }) => {
        const values = choices.length > 0 ? ` -x -a '${choices.join(" ")}'` : hasValue ? " -r" : "";
        return `complete -c v1watch -n '${isIn(node)}' -l ${name.slice(2)}${values} -d '${quote(description)}'`;
      }),
    ]),
    `complete -c v1watch -f -n '${seen("help")}' -a '${namesOf(nodes[0]!.words)}'`,
  ].join("\n");
}
