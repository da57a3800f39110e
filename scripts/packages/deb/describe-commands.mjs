/**
 * The commands of the command line as data, from the code that declares them. Prints them as JSON when it is run, which
 * takes a Node that reads TypeScript.
 */
import process from 'node:process'
import { buildProgram } from '../../../src/main/cli/program.ts'

/** `{ words, usage, summary, description, after, arguments, options, commands }`, and the same in `commands`. */
export function describeCommands() {
  return describe(
    buildProgram({}, () => {}),
    ['hangar'],
    [],
  )
}

function describe(command, words, siblings) {
  const help = command.createHelp()
  const said = []
  command.configureOutput({ writeOut: (text) => said.push(text) }).outputHelp()
  const isHelp = command.name() === 'help'
  const commands = help.visibleCommands(command)
  const names = commands.map((child) => child.name())
  return {
    words,
    usage: help.commandUsage(command),
    summary: command.summary() || command.description(),
    description: command.description(),
    // What follows the list of options: examples, and more.
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

const placeholder = ({ flags }) => /[<[]([^>\]]+)[>\]]/.exec(flags)[1]

/** A list of words, `files`, `folders`, or `text` of the person's own. */
function whatIsTaken(name, choices) {
  if (choices !== undefined) return choices
  if (name === 'dir' || name === 'folder') return 'folders'
  return name === 'path' || name === 'file' || name === 'where' ? 'files' : 'text'
}

if (process.argv[1] === import.meta.filename) process.stdout.write(JSON.stringify(describeCommands()))
