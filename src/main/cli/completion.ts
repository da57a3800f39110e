import { Argument, type Command, type Option } from 'commander'
import { ExitCode } from '../../shared/runtime/exit-codes.ts'
import { shellArgument } from '../core/shell-argument.ts'
import type { Cli } from './cli-context.ts'
import { TEMPLATE_FIELDS } from '../../shared/recipes/name-template.ts'

export const COMPLETED_SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const
type Shell = (typeof COMPLETED_SHELLS)[number]

export function addCompletionCommand(program: Command, cli: Cli, finish: (code: ExitCode) => void): void {
  program
    .command('completion')
    .summary('completions for a shell')
    .description(
      'Prints what makes a shell complete the commands and options of this version with Tab. The Debian package has them already, except for PowerShell.',
    )
    .addArgument(new Argument('<shell>', 'which one').choices(COMPLETED_SHELLS))
    .addHelpText(
      'after',
      `
Examples:
  hangar completion bash > ~/.local/share/bash-completion/completions/hangar
  hangar completion zsh > ~/.zfunc/_hangar       (with fpath+=~/.zfunc before compinit)
  hangar completion fish > ~/.config/fish/completions/hangar.fish
  hangar completion powershell >> $PROFILE`,
    )
    .action((shell: Shell) => {
      cli.terminal.raw(completionFor(shell, describeCommands(program)))
      finish(ExitCode.ok)
    })
}

/** The text of a file for the shell. */
export function completionFor(shell: Shell, tree: CommandTree): string {
  switch (shell) {
    case 'bash':
      return bashCompletion(tree)
    case 'zsh':
      return zshCompletion(tree)
    case 'fish':
      return fishCompletion(tree)
    case 'powershell':
      return powershellCompletion(tree)
  }
}

const allOf = (command: CommandTree): CommandTree[] => [command, ...command.commands.flatMap(allOf)]
/** The words of a command after `hangar`: its path. */
const pathOf = ({ words }: CommandTree) => words.slice(1).join(' ')
/** As one word for bash, zsh and fish. */
const quoted = shellArgument

/** bash: one function, which finds out the command and looks up what it takes. */
function bashCompletion(tree: CommandTree): string {
  const commands = allOf(tree)
  const paths = commands.filter(({ words }) => words.length > 1).map((command) => quoted(pathOf(command)))
  return `# Made from the commands of hangar.
_hangar() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} command='' taken=text options='' at
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "\${command:+$command }\${COMP_WORDS[at]}" in
      ${paths.join(' | ')}) command="\${command:+$command }\${COMP_WORDS[at]}" ;;
    esac
  done
  case $command in
${commands.map((command) => `    ${quoted(pathOf(command))}) options=${quoted(namesOf(command))} taken=${quoted(bashTaken(takenBy(command)))} ;;`).join('\n')}
  esac
  case "$command $before" in
${commands.flatMap(bashValues).join('\n')}
    *) [[ $word != -* ]] || taken=$options ;;
  esac
  case $taken in
    files) compopt -o default 2>/dev/null ;;
    folders) compopt -o dirnames 2>/dev/null ;;
    text) ;;
    *{*)
      mapfile -t COMPREPLY < <(compgen -W "$taken" -- "$word")
      # Fields of a template may follow other text.
      if ((\${#COMPREPLY[@]} == 0)); then
        local head=$word
        [[ \${word##*\\}} != *{* ]] || head=\${word%\\{*}
        word=\${word#"$head"}
        mapfile -t COMPREPLY < <(compgen -P "$head" -W "$taken" -- "\${word:-\\{}")
      fi
      [[ \${COMPREPLY[*]} != *{* ]] || compopt -o nospace 2>/dev/null ;;
    *) mapfile -t COMPREPLY < <(compgen -W "$taken" -- "$word") ;;
  esac
}
complete -F _hangar hangar
`
}

const namesOf = ({ options }: CommandTree) => options.flatMap(({ names }) => names).join(' ')
/** What stands where no option does: a command, or what the first argument takes. */
const takenBy = (command: CommandTree): Takes =>
  command.commands.length > 0 ? command.commands.map(nameOf) : (command.arguments[0]?.takes ?? 'text')
const bashTaken = (takes: Takes) => (typeof takes === 'string' ? takes : takes.join(' '))
/** The last word of a command. */
const nameOf = ({ words }: CommandTree) => words.at(-1)!

function bashValues(command: CommandTree): string[] {
  return command.options.flatMap(({ names, takes }) => {
    if (takes === null) return []
    const patterns = names.map((name) => quoted(`${pathOf(command)} ${name}`)).join(' | ')
    return [`    ${patterns}) taken=${quoted(bashTaken(takes))} ;;`]
  })
}

/** fish: a line for each thing that can be typed, with the command that it belongs to. */
function fishCompletion(tree: CommandTree): string {
  const commands = allOf(tree)
  const paths = commands.filter(({ words }) => words.length > 1).map((command) => quoted(pathOf(command)))
  const lines = commands.flatMap((command) => {
    const start = `complete -c hangar -n ${quoted(`__hangar_at "${pathOf(command)}"`)}`
    const takes = command.arguments[0]?.takes ?? 'text'
    return [
      ...command.commands.map((child) => `${start} -a ${nameOf(child)} -d ${quoted(child.summary)}`),
      ...(command.commands.length > 0 || takes === 'text' ? [] : [`${start} ${fishTaken(takes)}`]),
      ...command.options.map(({ names, description, takes: value }) => {
        const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`))
        const needs = value === null ? '' : ` -r ${fishTaken(value)}`
        return `${start} ${flags.join(' ')}${needs} -d ${quoted(description)}`
      }),
    ]
  })
  return `# Made from the commands of hangar.
function __hangar_at --description 'whether this command of hangar is being typed'
    set -l at ''
    for word in (commandline -opc)[2..]
        switch (string trim -- "$at $word")
            case ${paths.join(' ')}
                set at (string trim -- "$at $word")
        end
    end
    test "$at" = "$argv[1]"
end
function __hangar_template --description 'words, or fields after other text'
    set -l head (string replace -r '\\{[^{}]*$' '' -- (string unescape -- (commandline -ct)))
    set -l whole (string match -r -- '^'(string escape --style=regex -- (commandline -ct))'.*' $argv)
    if test (count $whole) -gt 0
        string join \\n -- $whole
    else
        string join \\n -- $head(string match '{*' -- $argv)
    end
end
complete -c hangar -f
${lines.join('\n')}
`
}

function fishTaken(takes: Takes): string {
  if (takes === 'files') return '-F'
  if (takes === 'folders') return "-f -a '(__fish_complete_directories)'"
  if (takes === 'text') return '-f'
  return `-f -a ${quoted(isTemplate(takes) ? `(__hangar_template ${takes.map(quoted).join(' ')})` : takes.join(' '))}`
}

const isTemplate = (words: readonly string[]) => words.some((word) => word.startsWith('{'))

/** zsh: a function for each command. */
function zshCompletion(tree: CommandTree): string {
  return `#compdef hangar
# Made from the commands of hangar.
_hangar_template() {
  setopt localoptions extendedglob
  # Fields may follow other text.
  if (( \${#\${(M)@:#\${(b)PREFIX}*}} == 0 )); then
    compset -P '*\\}'
    compset -P '[^{\\\\]##'
    set -- "\${(M)@:#\\{*}"
  fi
  compadd -S '' -a - argv
}
${allOf(tree).map(zshFunction).join('')}_hangar "$@"
`
}

const zshName = ({ words }: CommandTree) => `_${words.join('_')}`

function zshFunction(command: CommandTree): string {
  const options = command.options.flatMap(({ names, description, takes }) =>
    names.map((name) => {
      const others = names.length > 1 ? `(${names.join(' ')})` : ''
      const value = takes === null ? '' : `:${zshTaken('value', takes)}`
      return quoted(`${others}${name}[${zshText(description)}]${value}`)
    }),
  )
  const places = command.arguments.map(({ name, isMany, takes }, at) =>
    quoted(`${isMany ? '*' : at + 1}:${zshTaken(name, takes)}`),
  )
  if (command.commands.length === 0)
    return `${zshName(command)}() {\n  _arguments ${[...options, ...places].join(' ')}\n}\n`
  const names = command.commands.map((child) => quoted(`${nameOf(child)}:${child.summary.replaceAll(':', '\\:')}`))
  const calls = command.commands.map((child) => `      ${nameOf(child)}) ${zshName(child)} ;;`)
  return `${zshName(command)}() {
  local curcontext=$curcontext context state line
  local -A opt_args
  local -a named
  named=(${names.join(' ')})
  _arguments -C ${options.join(' ')} '1: :->command' '*:: :->rest'
  case $state in
    command) _describe command named ;;
    rest) case $words[1] in
${calls.join('\n')}
    esac ;;
  esac
}
`
}

function zshTaken(name: string, takes: Takes): string {
  if (typeof takes !== 'string')
    return `${name}:${isTemplate(takes) ? `_hangar_template ${takes.map(quoted).join(' ')}` : `(${takes.join(' ')})`}`
  return `${name}:${{ files: '_files', folders: '_files -/', text: '()' }[takes]}`
}

const zshText = (words: string) => words.replace(/[\\[\]:]/g, '\\$&')

/** PowerShell: a table of commands, and what each takes. Paths are left to the shell. */
function powershellCompletion(tree: CommandTree): string {
  const commands = allOf(tree).map((command) => {
    const values = command.options.flatMap(({ names, takes }) =>
      typeof takes === 'string' || takes === null ? [] : names.map((name) => `'${name}' = ${listed(takes)}`),
    )
    const taken = takenBy(command)
    return `  '${pathOf(command)}' = @{ taken = ${typeof taken === 'string' ? '@()' : listed(taken)}; options = ${listed(command.options.flatMap(({ names }) => names))}; values = @{ ${values.join('; ')} } }`
  })
  return `# Made from the commands of hangar.
Register-ArgumentCompleter -Native -CommandName hangar -ScriptBlock {
  param($word, $typed, $cursor)
  $commands = @{
${commands.map((line) => `  ${line}`).join('\n')}
  }
  $words = @($typed.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.ToString() } | Select-Object -Skip 1)
  $at = ''
  foreach ($one in $words) {
    $next = "$at $one".Trim()
    if ($commands.ContainsKey($next)) { $at = $next }
  }
  $command = $commands[$at]
  $before = if ($words.Count -gt 0) { $words[-1] } else { '' }
  $choices = if ($command.values.ContainsKey($before)) { $command.values[$before] }
    elseif ($word.StartsWith('-')) { $command.options } else { $command.taken }
  # Braces without quotes would be a script block.
  $choices | Where-Object { $_.StartsWith($word.Trim("'")) } | ForEach-Object { if ($_.StartsWith('{')) { "'$_'" } else { $_ } } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`
}

const listed = (words: readonly string[]) => `@(${words.map((word) => `'${word.replaceAll("'", "''")}'`).join(', ')})`

/** `files`, `folders`, `text` of the person's own, or the words that are taken; those in braces may follow other text. */
type Takes = 'files' | 'folders' | 'text' | readonly string[]

/** A command as its help shows it, and those below it. */
export interface CommandTree {
  /** `hangar`, `key`, `set`. */
  words: string[]
  usage: string
  summary: string
  description: string
  /** What follows the list of options: examples, and more. */
  after: string
  arguments: { name: string; isMany: boolean; description: string; takes: Takes }[]
  options: { flags: string; names: string[]; description: string; takes: Takes | null }[]
  commands: CommandTree[]
}

/** The commands as data, for manual pages and completions. Takes over where `program` writes its help. */
export function describeCommands(program: Command): CommandTree {
  return describe(program, [program.name()], [])
}

function describe(command: Command, words: string[], siblings: string[]): CommandTree {
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
    commands: commands.map((child) => describe(child, [...words, child.name()], names)),
  }
}

const placeholder = ({ flags }: Option) => /[<[]([^>\]]+)[>\]]/.exec(flags)![1]!

function whatIsTaken(name: string, choices: Argument['argChoices']): Takes {
  if (choices !== undefined) return choices
  if (name === 'template') return ['original', 'seo', ...TEMPLATE_FIELDS.map((field) => `{${field}}`)]
  if (name === 'dir' || name === 'folder') return 'folders'
  return name === 'path' || name === 'file' || name === 'where' ? 'files' : 'text'
}
