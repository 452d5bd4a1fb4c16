// v1watch completion: scripts that complete commands, their options and file names in bash, zsh and fish.
import { type Command, exitCodes, UsageError } from "./command.ts";

const shells = ["bash", "zsh", "fish"] as const;

const install = {
  bash: "v1watch completion bash > ~/.local/share/bash-completion/completions/v1watch",
  zsh: "v1watch completion zsh > ~/.zfunc/_v1watch, with ~/.zfunc in fpath",
  fish: "v1watch completion fish > ~/.config/fish/completions/v1watch.fish",
} as const;

const optionsOf = ({ options }: Command) => [...Object.keys(options), "help"].map((name) => `--${name}`);
/** For a text in single quotes. */
const quote = (text: string) => text.replaceAll("'", "").replaceAll("`", "");

export const createCompletion = (loadAll: () => Promise<Command[]>): Command => ({
  name: "completion",
  summary: "print the shell completion for bash, zsh or fish",
  help: `v1watch completion bash|zsh|fish

Prints a script that completes commands and options. How it is installed stands in its first line.

Example: ${install.bash}
`,
  options: {},
  positionals: { max: 1 },
  async run(_values, [shell], io) {
    io.out(renderCompletion(shell, await loadAll()));
    return exitCodes.success;
  },
});

function renderCompletion(shell: string | undefined, commands: readonly Command[]): string {
  const known = shells.find((name) => name === shell);
  if (!known) throw new UsageError(`completion needs a shell: ${shells.join(", ")}`);
  const render = { bash: renderBash, zsh: renderZsh, fish: renderFish }[known];
  return `# Install: ${install[known]}\n${render(commands)}\n`;
}

const withOptions = (commands: readonly Command[]) => commands.filter(({ name }) => name !== "completion");
const names = (commands: readonly Command[]) => [...commands.map(({ name }) => name), "help"];

function renderBash(commands: readonly Command[]): string {
  const cases = withOptions(commands).map(
    (command) => `    ${command.name}) words="${optionsOf(command).join(" ")}" ;;`,
  );
  return [
    "_v1watch() {",
    `  local word="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]}" words=""`,
    "  COMPREPLY=()",
    '  if [ "$COMP_CWORD" -eq 1 ] || { [ "$COMP_CWORD" -eq 2 ] && [ "$command" = help ]; }; then',
    `    COMPREPLY=($(compgen -W "${names(commands).join(" ")}" -- "$word"))`,
    "    return",
    "  fi",
    '  case "$command" in',
    ...cases,
    `    completion) words="${shells.join(" ")}" ;;`,
    "  esac",
    '  case "$word" in',
    '    -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;',
    '    *) if [ "$command" = completion ]; then COMPREPLY=($(compgen -W "$words" -- "$word"))',
    '       else COMPREPLY=($(compgen -f -- "$word")); fi ;;',
    "  esac",
    "}",
    "complete -o filenames -F _v1watch v1watch",
  ].join("\n");
}

function renderZsh(commands: readonly Command[]): string {
  const described = commands.map(
    ({ name, summary }) => `    '${name}:${quote(summary).replaceAll(":", " ")}'`,
  );
  const cases = commands.map(
    (command) => `    ${command.name}) options=(${optionsOf(command).join(" ")}) ;;`,
  );
  return [
    "#compdef v1watch",
    "_v1watch() {",
    "  local -a commands options",
    "  commands=(",
    ...described,
    "    'help:show the options of a command'",
    "  )",
    "  if (( CURRENT == 2 )) || { (( CURRENT == 3 )) && [[ $words[2] == help ]] }; then",
    "    _describe command commands",
    "    return",
    "  fi",
    "  case $words[2] in",
    ...cases,
    `    completion) compadd ${shells.join(" ")}; return ;;`,
    "  esac",
    "  if [[ $words[CURRENT] == -* ]]; then compadd -- $options; else _files; fi",
    "}",
    "compdef _v1watch v1watch",
  ].join("\n");
}

function renderFish(commands: readonly Command[]): string {
  const isFirst = `-n '__fish_use_subcommand'`;
  return [
    ...commands.map(
      ({ name, summary }) => `complete -c v1watch -f ${isFirst} -a ${name} -d '${quote(summary)}'`,
    ),
    `complete -c v1watch -f ${isFirst} -a help -d 'show the options of a command'`,
    `complete -c v1watch -f -n '__fish_seen_subcommand_from help' -a '${commands.map(({ name }) => name).join(" ")}'`,
    `complete -c v1watch -f -n '__fish_seen_subcommand_from completion' -a '${shells.join(" ")}'`,
    ...commands.flatMap((command) =>
      optionsOf(command).map(
        (option) =>
          `complete -c v1watch -n '__fish_seen_subcommand_from ${command.name}' -l ${option.slice(2)}`,
      ),
    ),
  ].join("\n");
}
