import type { WorkerReply, WorkerRequest } from './image-messages.ts'
import { doImageTask, prepareImageLibrary } from './image-work.ts'

/** Electron's utility process talks through this port, a forked Node process through `process` itself. */
interface ParentPort {
  on(event: 'message', listener: (event: { data: unknown }) => void): void
  postMessage(message: unknown): void
}

const THREADS = 2

/** Answers requests until the engine goes away. Requests come one at a time; several would still be answered. */
export function serveImageTasks(): void {
  prepareImageLibrary(THREADS)
  const port = (process as unknown as { parentPort?: ParentPort }).parentPort
  const send = (reply: WorkerReply): void => {
    if (port !== undefined) port.postMessage(reply)
    else process.send?.(reply)
  }
  const receive = (message: unknown): void => {
    const { id, task } = message as WorkerRequest
    doImageTask(task)
      .then((answer) => send({ kind: 'answer', id, answer }))
      .catch((error: unknown) => {
        // A mistake of ours: the engine starts another process and reports a crash for this request.
        process.stderr.write(`image worker: ${error instanceof Error ? error.message : String(error)}\n`)
        process.exit(1)
      })
  }
  if (port !== undefined) port.on('message', (event) => receive(event.data))
  else process.on('message', receive)
  process.on('disconnect', () => process.exit(0))
  send({ kind: 'ready' })
}
