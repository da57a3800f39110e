/**
 * The practice service's own process, started with a channel (`child_process.fork`, or `utilityProcess.fork` in Electron), over which it
 * gets its configuration.
 */
import { parentChannel } from './parent-channel.ts'
import { serveChannel } from './serve-channel.ts'

const channel = parentChannel()
if (channel === null) {
  process.stderr.write('Start this with: hangar practice\n')
  process.exit(2)
}
// Ctrl+C reaches every process of the terminal; the parent finishes its work first and then closes the channel.
process.on('SIGINT', () => undefined)
serveChannel(channel, (code) => process.exit(code))
