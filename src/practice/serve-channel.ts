import { z } from 'zod'
import { inBackground } from './in-background.ts'
import type { ParentChannel } from './parent-channel.ts'
import { ToPractice } from './protocol.ts'
import type { FromPractice } from './protocol.ts'
import { startPractice } from './server.ts'
import type { PracticeServer } from './server.ts'

function words(error: unknown): string {
  if (error instanceof z.ZodError) return z.prettifyError(error)
  return error instanceof Error ? error.message : String(error)
}

/**
 * Runs one practice service for the other end of the channel: the first `start` message is answered `ready` or `failed`. At a `stop`, or
 * when the channel closes, the service stops and `exit` is called.
 */
export function serveChannel(channel: ParentChannel, exit: (code: number) => void): void {
  const send = (message: FromPractice): void => channel.send(message)
  let starting: Promise<PracticeServer> | null = null

  const start = async (config: Extract<ToPractice, { type: 'start' }>['config']): Promise<void> => {
    if (starting) return send({ type: 'failed', message: 'The practice service was started already.' })
    starting = startPractice(config)
    try {
      const { imageBaseUrl, chargerBaseUrl, apiKey, partnerToken } = await starting
      send({ type: 'ready', imageBaseUrl, chargerBaseUrl, apiKey, partnerToken })
    } catch (error) {
      starting = null
      send({ type: 'failed', message: words(error) })
    }
  }

  const stop = () => {
    const stopped = starting ? starting.then((server) => server.close()) : Promise.resolve()
    stopped.then(
      () => exit(0),
      () => exit(1),
    )
  }

  channel.onMessage((message) => {
    const { success, data, error } = ToPractice.safeParse(message)
    if (!success) send({ type: 'failed', message: words(error) })
    else if (data.type === 'stop') stop()
    else inBackground('service.start', () => start(data.config))
  })
  channel.onClose(stop)
}
