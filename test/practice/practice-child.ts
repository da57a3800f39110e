/** The practice service with faults in a process of its own, for tests whose own process has other things to do. */
import process from 'node:process'
import { inBackground } from '../../src/practice/in-background.ts'
import type { PracticeAddress, PracticeOptions } from '../../src/practice/protocol.ts'
import { startPractice, type ControlInput, type PracticeServer } from './faulty-practice.ts'

export type ToPracticeChild =
  { type: 'start'; config: PracticeOptions } | { type: 'control'; id: number; request: ControlInput }
export type FromPracticeChild =
  | ({ type: 'ready' } & PracticeAddress)
  | { type: 'failed'; message: string }
  | { type: 'reply'; id: number; result: unknown }
  | { type: 'refused'; id: number; message: string }

function send(message: FromPracticeChild): void {
  process.send?.(message)
}
let server: PracticeServer | null = null

async function answer(message: ToPracticeChild): Promise<void> {
  if (message.type === 'start') {
    try {
      server = await startPractice(message.config)
      const { imageBaseUrl, chargerBaseUrl, apiKey, partnerToken } = server
      send({ type: 'ready', imageBaseUrl, chargerBaseUrl, apiKey, partnerToken })
    } catch (error) {
      send({ type: 'failed', message: String(error) })
    }
    return
  }
  const { id, request } = message
  try {
    send({ type: 'reply', id, result: await server!.control(request) })
  } catch (error) {
    send({ type: 'refused', id, message: String(error) })
  }
}

// Ctrl+C reaches every process of the terminal; the parent finishes its work first and then closes the channel.
process.on('SIGINT', () => undefined)
process.on('message', (message) => inBackground('answer', () => answer(message as ToPracticeChild)))
process.on('disconnect', () => {
  const closed = server?.close() ?? Promise.resolve()
  closed.then(
    () => process.exit(0),
    () => process.exit(1),
  )
})
