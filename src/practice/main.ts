/** The practice service's own process. The first `start` message is answered `ready` or `failed`; `stop` or a closed channel ends it. */
import { z } from 'zod'
import { inBackground } from './in-background.ts'
import type { FromPractice, PracticeOptions, ToPractice } from './protocol.ts'
import { startPractice, type PracticeServer } from './server.ts'

/** What Electron's utility processes have as `process.parentPort`; only what is used here. */
interface UtilityPort {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { data: unknown }) => void): unknown
  on(event: 'close', listener: () => void): unknown
}

const { parentPort } = process as unknown as { parentPort?: UtilityPort }
if (parentPort === undefined && process.send === undefined) {
  process.stderr.write('Start this with: hangar practice\n')
  process.exit(2)
}
// Ctrl+C reaches every process of the terminal; the parent finishes its work first and then closes the channel.
process.on('SIGINT', () => undefined)

let starting: Promise<PracticeServer> | null = null
if (parentPort === undefined) process.on('message', take).on('disconnect', stop)
else {
  parentPort.on('message', ({ data }) => take(data))
  parentPort.on('close', stop)
}

function send(message: FromPractice): void {
  if (parentPort !== undefined) parentPort.postMessage(message)
  else if (process.connected) process.send?.(message)
}

function take(message: unknown): void {
  const told = message as ToPractice
  if (told.type === 'stop') stop()
  else inBackground('service.start', () => start(told.config))
}

async function start(config: PracticeOptions): Promise<void> {
  if (starting !== null) return send({ type: 'failed', message: 'The practice service was started already.' })
  starting = startPractice(config)
  try {
    const { imageBaseUrl, chargerBaseUrl, apiKey, partnerToken } = await starting
    send({ type: 'ready', imageBaseUrl, chargerBaseUrl, apiKey, partnerToken })
  } catch (error) {
    starting = null
    send({ type: 'failed', message: words(error) })
  }
}

function stop(): void {
  const stopped = starting?.then((server) => server.close()) ?? Promise.resolve()
  stopped.then(
    () => process.exit(0),
    () => process.exit(1),
  )
}

function words(error: unknown): string {
  if (error instanceof z.ZodError) return z.prettifyError(error)
  return error instanceof Error ? error.message : String(error)
}
