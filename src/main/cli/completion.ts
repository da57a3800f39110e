import { Argument, type Command, type Option } from 'commander'
import { TEMPLATE_FIELDS } from '../../shared/recipes/name-template.ts'
import type { Cli, CliCommand } from './command.ts'

/** Each asks `hangar complete` at Tab, which prints words with what they mean, or one word that stands for paths. */
export const COMPLETIONS = {
  bash: `_hangar() {
  local word
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    case $word in
      :files) compopt -o default 2>/dev/null ;;
      :folders) compopt -o dirnames 2>/dev/null ;;
      *) COMPREPLY+=("$word") ;;
    esac
    [[ $word != *{* ]] || compopt -o nospace 2>/dev/null
  done < <(command hangar complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _hangar hangar
`,
  zsh: `#compdef hangar
local -a lines names more
lines=("\${(@f)$(command hangar complete "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
names=("\${(@)lines%%$'\\t'*}")
[[ $lines != *\\{* ]] || more=(-S '')
case $lines[1] in
  :files) _files ;;
  :folders) _files -/ ;;
  ?*) compadd -l -d lines "\${(@)more}" -a names ;;
esac
`,
  fish: `function __hangar_complete
    set -l typed (commandline -opc) (commandline -ct)
    for line in (command hangar complete (string unescape -- $typed[2..]) 2>/dev/null)
        switch $line
            case :files
                __fish_complete_path (commandline -ct)
            case :folders
                __fish_complete_directories (commandline -ct)
            case '*'
                echo $line
        end
    end
end
complete -c hangar -f -a '(__hangar_complete)'
`,
  powershell: `Register-ArgumentCompleter -Native -CommandName hangar -ScriptBlock {
  param($word, $typed, $cursor)
  $words = @($typed.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  # Windows PowerShell drops an empty argument. Braces without quotes would be a script block.
  hangar complete @words $(if ($word) { $word } else { '""' }) 2>$null | Where-Object { $_ -notmatch '^:' } | ForEach-Object {
    $name = ($_ -split "\`t")[0]
    [System.Management.Automation.CompletionResult]::new($(if ($name.StartsWith('{')) { "'$name'" } else { $name }))
  }
}
`,
}

type Shell = keyof typeof COMPLETIONS

export function addCompletionCommand(program: CliCommand, cli: Cli): void {
  program
    .command('completion')
    .summary('completions for a shell')
    .description(
      'Prints the script with which a shell completes Hangar’s commands and options. The Debian package has it already, except for PowerShell.',
    )
    .addArgument(new Argument('<shell>', 'which one').choices(Object.keys(COMPLETIONS)))
    .addHelpText(
      'after',
      `
Examples:
  hangar completion bash > ~/.local/share/bash-completion/completions/hangar
  hangar completion zsh > ~/.zfunc/_hangar       (with fpath+=~/.zfunc before compinit)
  hangar completion fish > ~/.config/fish/completions/hangar.fish
  hangar completion powershell >> $PROFILE`,
    )
    .plainAction((shell: Shell) => cli.terminal.raw(COMPLETIONS[shell]))
}

/** What the last word can become after `hangar` and the others, as lines for the shells. */
export function completed(program: Command, typed: readonly string[]): string[] {
  // As it was typed, and perhaps quoted.
  const word = (typed.at(-1) ?? '').replace(/^["']|["']$/g, '')
  let command = describeCommands(program)
  for (const name of typed.slice(0, -1))
    command = command.commands.find(({ words }) => words.at(-1) === name) ?? command
  const option = command.options.find(({ names, takes }) => takes !== null && names.includes(typed.at(-2) ?? ''))
  const takes = option?.takes ?? command.arguments[0]?.takes ?? 'text'
  const choices: [string, string][] =
    option === undefined && word.startsWith('-')
      ? command.options.flatMap(({ names, description }) => names.map((name): [string, string] => [name, description]))
      : option === undefined && command.commands.length > 0
        ? command.commands.map(({ words, summary }) => [words.at(-1) ?? '', summary])
        : typeof takes === 'string'
          ? []
          : takes.map((choice) => [choice, ''])
  if (choices.length === 0) return takes === 'text' ? [] : [`:${takes as string}`]
  const matching = choices.filter(([choice]) => choice.startsWith(word))
  // Fields of a template may follow other text.
  const head = word.replace(/\{[^{}]*$/, '')
  const fields = choices.filter(([choice]) => choice.startsWith('{') && choice.startsWith(word.slice(head.length)))
  return matching.length > 0
    ? matching.map(([choice, meaning]) => (meaning === '' ? choice : `${choice}\t${meaning}`))
    : fields.map(([choice]) => head + choice)
}

/** `text` of the person's own, or the words that are taken; those in braces may follow other text. */
type Takes = 'files' | 'folders' | 'text' | readonly string[]

/** A command as its help shows it, and those below it. */
export interface CommandTree {
  /** `hangar`, `key`, `set`. */
  words: string[]
  usage: string
  summary: string
  description: string
  /** What follows the options, such as examples. */
  after: string
  arguments: { name: string; isMany: boolean; description: string; takes: Takes }[]
  options: { flags: string; names: string[]; description: string; takes: Takes | null }[]
  commands: CommandTree[]
}

/** For manual pages and completions. Takes the help away from `command`, which prints none from now on. */
export function describeCommands(command: Command, words = [command.name()], siblings: string[] = []): CommandTree {
  const help = command.createHelp()
  const said: string[] = []
  command.configureOutput({ writeOut: (text) => said.push(text) }).outputHelp()
  const isHelp = command.name() === 'help'
  const commands = help.visibleCommands(command)
  const names = commands.map((child) => child.name())
  return {
    words,
    usage: help.commandUsage(command),
    summary: command.summary() || command.description(),
    description: command.description(),
    after: said.join('').slice(command.helpInformation().length).trim(),
    arguments: command.registeredArguments.map((argument) => ({
      name: argument.name(),
      isMany: argument.variadic,
      description: argument.description,
      takes: isHelp ? siblings : whatIsTaken(argument.name(), argument.argChoices),
    })),
    options: help.visibleOptions(command).map((option) => ({
      flags: option.flags,
      names: [option.short, option.long].filter((name) => name != null),
      description: help.optionDescription(option),
      takes: option.required || option.optional ? whatIsTaken(placeholder(option), option.argChoices) : null,
    })),
    commands: commands.map((child) => describeCommands(child, [...words, child.name()], names)),
  }
}

const placeholder = ({ flags }: Option) => /[<[]([^>\]]+)[>\]]/.exec(flags)![1]!

function whatIsTaken(name: string, choices: Argument['argChoices']): Takes {
  if (choices !== undefined) return choices
  if (name === 'template') return ['original', 'seo', ...TEMPLATE_FIELDS.map((field) => `{${field}}`)]
  if (name === 'dir' || name === 'folder') return 'folders'
  return name === 'path' || name === 'file' || name === 'where' ? 'files' : 'text'
}
