/**
 * The practice service's own process. Started with a channel (`child_process.fork`, or `utilityProcess.fork` in
 * Electron) it takes its configuration from the first message; started without one it takes it from its arguments.
 */
import { parentChannel } from './parent-channel.ts'
import { practiceArguments, runPracticeAlone } from './run-alone.ts'
import { serveChannel } from './serve-channel.ts'

async function alone(): Promise<void> {
  const { options, json } = practiceArguments(process.argv.slice(2))
  const server = await runPracticeAlone(options, (line) => process.stdout.write(`${line}\n`), json)
  const stop = (): void => {
    server.close().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
}

const channel = parentChannel()
if (channel) {
  // Ctrl+C reaches every process of the terminal; the parent finishes its work first and then closes the channel.
  process.on('SIGINT', () => undefined)
  serveChannel(channel, (code) => process.exit(code))
} else {
  alone().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(2)
  })
}
