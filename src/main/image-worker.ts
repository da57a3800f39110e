/**
 * Decodes and encodes pictures in a process of its own, so that a hostile one takes down no more than this. See
 * images/image-worker-client.ts.
 */
import type { WorkerReply, WorkerRequest } from './core/picture-tasks.ts'
import { doImageTask, prepareImageLibrary } from './images/image-work.ts'

/** Electron's utility process talks through this port, a forked Node process through `process` itself. */
interface ParentPort {
  on(event: 'message', listener: (event: { data: unknown }) => void): void
  postMessage(message: unknown): void
}

const THREADS = 2

/** Answers requests until the engine goes away. Requests come one at a time; several would still be answered. */
function serveImageTasks(): void {
  prepareImageLibrary(THREADS)
  const port = (process as unknown as { parentPort?: ParentPort }).parentPort
  const send = (reply: WorkerReply): void => {
    if (port !== undefined) port.postMessage(reply)
    else process.send?.(reply)
  }
  const waiting = new Map<number, () => void>()
  const receive = (message: unknown): void => {
    const request = message as WorkerRequest
    const { id } = request
    if ('go' in request) {
      waiting.get(id)?.()
      waiting.delete(id)
      return
    }
    const admit = (bytes: number): Promise<void> =>
      new Promise((resolve) => {
        waiting.set(id, resolve)
        send({ kind: 'needs', id, bytes })
      })
    doImageTask(request.task, admit)
      .then((answer) => send({ kind: 'answer', id, answer }))
      .catch((error: unknown) => {
        // A bug of ours: the engine starts another process and reports a crash for this request.
        process.stderr.write(`image worker: ${error instanceof Error ? error.message : String(error)}\n`)
        process.exit(1)
      })
  }
  if (port !== undefined) port.on('message', (event) => receive(event.data))
  else process.on('message', receive)
  process.on('disconnect', () => process.exit(0))
  send({ kind: 'ready' })
}

serveImageTasks()
