/** Prints the commands of the command line and their completions as JSON, from the code that declares them, in a Node that reads TypeScript. */
import process from 'node:process'
import { COMPLETIONS, describeCommands } from '../../../src/main/cli/completion.ts'
import { buildProgram } from '../../../src/main/cli/program.ts'

const tree = describeCommands(await buildProgram({}, () => {}))
process.stdout.write(JSON.stringify({ tree, completions: COMPLETIONS }))
