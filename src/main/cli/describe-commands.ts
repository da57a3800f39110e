import type { Argument, Command, Option } from 'commander'
import { TEMPLATE_FIELDS } from '../../shared/recipes/name-template.ts'

/** `files`, `folders`, `text` of the person's own, or the words that are taken; those in braces may follow other text. */
export type Takes = 'files' | 'folders' | 'text' | readonly string[]

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
